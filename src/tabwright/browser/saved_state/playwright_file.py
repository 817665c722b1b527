"""Cookies and storage of a context as a file that other programs read too, and putting such a file into one.

The form is that of Playwright and agent-browser: `cookies`, and `origins` with their storage.
"""

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from tabwright.browser.saved_state.state import ContextState, Entries
from tabwright.cdp import CdpError, Params
from tabwright.errors import InvalidArgs, TabwrightError
from tabwright.text import format_count
from tabwright.urls import origin_of

if TYPE_CHECKING:
    from tabwright.browser.context import Context
    from tabwright.browser.tab import Tab

_HINT = "Give a file that save_state wrote, or the state of Playwright or agent-browser."
_COOKIE = ("name", "value", "domain", "path", "secure", "httpOnly", "sameSite", "expires")
_EMPTY_HEADERS = {"content-type": "text/html; charset=utf-8", "cache-control": "no-store"}
_MOST_ORIGINS = 200
# Seconds for an empty document to come.
_PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class Carried:
    """What a file holds: cookies as Chrome takes them, and storage by origin."""

    cookies: list[Params]
    local: dict[str, Entries]
    session: dict[str, Entries]

    @property
    def origins(self) -> list[str]:
        """Every origin with storage."""
        return list(dict.fromkeys([*self.local, *self.session]))


def written(state: ContextState) -> bytes:
    """Return the file of a state."""
    session: dict[str, Entries] = {}
    for tab in state.tabs:
        session |= tab.session_storage
    origins = [
        {
            "origin": origin,
            "localStorage": _pairs(state.local_storage.get(origin, {})),
            "sessionStorage": _pairs(session.get(origin, {})),
        }
        for origin in dict.fromkeys([*state.local_storage, *session])
    ]
    cookies = [
        {"expires": -1, **{name: told[name] for name in _COOKIE if name in told}} for told in state.cookies
    ]
    return orjson.dumps({"cookies": cookies, "origins": origins}, option=orjson.OPT_INDENT_2)


def parse(content: bytes) -> Carried:
    """Read such a file.

    Raises:
        InvalidArgs: it is none.
    """
    try:
        told = orjson.loads(content)
        cookies = [_cookie(one) for one in told["cookies"]]
        origins = told["origins"][:_MOST_ORIGINS]
        kinds = [
            {one["origin"]: entries for one in origins if (entries := _entries(one.get(kind)))}
            for kind in ("localStorage", "sessionStorage")
        ]
    except (orjson.JSONDecodeError, LookupError, TypeError, AttributeError) as error:
        raise InvalidArgs("The file holds no state.", hint=_HINT) from error
    if strange := [origin for kind in kinds for origin in kind if origin_of(origin) != origin]:
        raise InvalidArgs(f"{strange[0]!r:.200} in the file is no origin.", hint=_HINT)
    return Carried(cookies, *kinds)


async def put(context: "Context", tab: "Tab", carried: Carried) -> list[str]:
    """Add what a file holds to a context; return sentences about what could not be put there.

    What belongs to a tab (sessionStorage) goes to `tab`: for all origins where it shows no page yet, else for
    that of its page. The origins themselves are not asked for anything.
    """
    refused = await context.cookies.put_raw(carried.cookies)
    troubles = [f"The browser refused {format_count(refused, 'cookie')}."] if refused else []
    fresh = tab.url == "about:blank"
    here = origin_of(tab.url)
    aside = tab if fresh else await context.new_tab()
    for origin in carried.origins:
        try:
            await _put(
                aside, origin, carried.local.get(origin, {}), carried.session.get(origin, {}) if fresh else {}
            )
        except (TabwrightError, CdpError) as error:
            troubles.append(f"The storage of {origin} was not put back: {error.message}")
    if fresh:
        await tab.goto("about:blank", timeout=_PATIENCE)
        await tab.session.send("Page.resetNavigationHistory")
        return troubles
    await aside.close()
    for origin, entries in carried.session.items():
        if origin == here:
            await tab.main_frame.call("putEntries", "session", list(entries.items()))
        else:
            troubles.append(f"The sessionStorage of {origin} needs a tab that shows no page yet.")
    return troubles


async def _put(tab: "Tab", origin: str, local: Entries, session: Entries) -> None:
    """Write storage on an empty document with which we answer for the origin ourselves."""
    address = f"{origin}/{secrets.token_hex(8)}"
    rules = tab.context.interception
    rule = await rules.mock(address, headers=_EMPTY_HEADERS, body="<!doctype html><title></title>")
    try:
        await tab.goto(address, timeout=_PATIENCE)
        for kind, entries in (("local", local), ("session", session)):
            await tab.main_frame.call("putEntries", kind, list(entries.items()))
    finally:
        await rules.remove(rule.id)


def _pairs(entries: Entries) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in entries.items()]


def _entries(pairs: Any) -> Entries:
    return {str(pair["name"]): str(pair["value"]) for pair in pairs or ()}


def _cookie(told: Params) -> Params:
    """Take what Chrome takes; what ends with the browser has no end of its own."""
    cookie = {name: told[name] for name in _COOKIE if told.get(name) not in (None, "")}
    if not cookie.get("name") or "domain" not in cookie:
        raise LookupError("a cookie without a name or a domain")
    cookie.setdefault("value", "")
    if float(cookie.get("expires", -1)) <= 0:
        cookie.pop("expires", None)
    return cookie
