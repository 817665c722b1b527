"""Storage-state files of Playwright and agent-browser: written from a state, loaded into a context.

They contain `cookies`, and `origins` with their storage.
"""

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from tabwright.browser.saved_state.empty_page import (
    EMPTY_PAGE_TIMEOUT,
    serve_empty_pages,
    visit_empty_page,
    write_storage,
)
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
# Each origin needs a page in another process, which takes 0.1 s or more.
_MAX_ORIGINS = 200


@dataclass(frozen=True, slots=True)
class StorageState:
    """The content of a file: cookies as Chrome takes them, and storage by origin."""

    cookies: list[Params]
    local: dict[str, Entries]
    session: dict[str, Entries]

    @property
    def origins(self) -> list[str]:
        """Every origin with storage."""
        return list(dict.fromkeys([*self.local, *self.session]))


def render(state: ContextState) -> bytes:
    """Return the content of a file for a state."""
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
        {"expires": -1, **{name: cookie[name] for name in _COOKIE if name in cookie}}
        for cookie in state.cookies
    ]
    return orjson.dumps({"cookies": cookies, "origins": origins}, option=orjson.OPT_INDENT_2)


def parse(content: bytes) -> StorageState:
    """Read the content of a file.

    Raises:
        InvalidArgs: it is not a storage state.
    """
    try:
        decoded = orjson.loads(content)
        cookies = [_parse_cookie(one) for one in decoded["cookies"]]
        origins = decoded["origins"]
        kinds = [
            {one["origin"]: entries for one in origins if (entries := _entries(one.get(kind)))}
            for kind in ("localStorage", "sessionStorage")
        ]
    except (orjson.JSONDecodeError, LookupError, TypeError, AttributeError) as error:
        raise InvalidArgs("The file is not a storage state.", hint=_HINT) from error
    if invalid := [origin for kind in kinds for origin in kind if origin_of(origin) != origin]:
        raise InvalidArgs(f"{invalid[0]!r:.200} in the file is not an origin.", hint=_HINT)
    return StorageState(cookies, *kinds)


async def load(context: "Context", tab: "Tab", saved: StorageState) -> list[str]:
    """Add cookies and storage to a context; return a sentence for each part that failed.

    sessionStorage belongs to a tab and goes to `tab`: for all origins if it shows no page yet, else for the
    origin of its page. No request is sent to the origins.
    """
    refused = await context.cookies.set_raw(saved.cookies)
    troubles = [f"The browser refused {format_count(refused, 'cookie')}."] if refused else []
    fresh = tab.url == "about:blank"
    here = origin_of(tab.url)
    aside = tab if fresh else await context.new_tab()
    origins = saved.origins[:_MAX_ORIGINS]
    if more := len(saved.origins) - len(origins):
        troubles.append(f"{more:,} of these origins were left out: only {_MAX_ORIGINS} are restored.")
    for origin in origins:
        address = f"{origin}/{secrets.token_hex(8)}"
        try:
            async with serve_empty_pages(context, address):
                await visit_empty_page(aside, address)
                session = saved.session.get(origin, {}) if fresh else {}
                await write_storage(aside, saved.local.get(origin, {}), session)
        except (TabwrightError, CdpError) as error:
            troubles.append(f"The storage of {origin} was not restored: {error.message}")
    if fresh:
        await tab.goto("about:blank", timeout=EMPTY_PAGE_TIMEOUT)
        await tab.session.send("Page.resetNavigationHistory")
        return troubles
    await aside.close()
    for origin, entries in saved.session.items():
        if origin == here:
            await write_storage(tab, {}, entries)
        elif origin in origins:
            troubles.append(f"The sessionStorage of {origin} needs a tab that shows no page yet.")
    return troubles


def _pairs(entries: Entries) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in entries.items()]


def _entries(pairs: Any) -> Entries:
    return {str(pair["name"]): str(pair["value"]) for pair in pairs or ()}


def _parse_cookie(saved: Params) -> Params:
    """Return a cookie as Chrome takes it; a session cookie has no `expires`."""
    cookie = {name: saved[name] for name in _COOKIE if saved.get(name) not in (None, "")}
    if not cookie.get("name") or "domain" not in cookie:
        raise LookupError("a cookie without a name or a domain")
    cookie.setdefault("value", "")
    if float(cookie.get("expires", -1)) <= 0:
        cookie.pop("expires", None)
    return cookie
