"""Storage-state files of Playwright and agent-browser: written from a state, loaded into a context.

They contain `cookies`, and `origins` with their storage.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from tabwright.browser.saved_state.empty_page import (
    EMPTY_PAGE_TIMEOUT,
    serve_empty_pages,
    visit_empty_page,
    write_session_storage,
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
# sessionStorage is written in its tab, on a page of each origin: 0.1 s or more.
_MAX_SESSION_ORIGINS = 200


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

    localStorage is there when a page of its origin is next loaded, and at once in pages that are open.
    sessionStorage belongs to a tab and goes to `tab`: for all origins if it shows no page yet, else for the
    origin of its page. No request is sent to the origins.
    """
    refused = await context.cookies.set_raw(saved.cookies)
    troubles = [f"The browser refused {format_count(refused, 'cookie')}."] if refused else []
    if saved.session:
        troubles += await _load_session_storage(tab, saved.session)
    await context.unvisited_storage.add(saved.local)
    shown = {origin_of(frame.url) for each in context.tabs.values() for frame in each.frames}
    for origin in saved.local.keys() & shown:
        try:
            await context.unvisited_storage.write(origin)
        except (TabwrightError, CdpError) as error:
            troubles.append(f"The storage of {origin} was not restored: {error.message}")
    return troubles


async def _load_session_storage(tab: "Tab", storage: dict[str, Entries]) -> list[str]:
    if tab.url == "about:blank":
        return await _load_on_empty_pages(tab, storage)
    here = origin_of(tab.url)
    if here in storage:
        await write_session_storage(tab, storage[here])
    return [
        f"The sessionStorage of {origin} needs a tab that shows no page yet."
        for origin in storage
        if origin != here
    ][:_MAX_SESSION_ORIGINS]


async def _load_on_empty_pages(tab: "Tab", storage: dict[str, Entries]) -> list[str]:
    troubles = []
    async with serve_empty_pages(tab.context):
        for origin in list(storage)[:_MAX_SESSION_ORIGINS]:
            try:
                await visit_empty_page(tab, f"{origin}/")
                await write_session_storage(tab, storage[origin])
            except (TabwrightError, CdpError) as error:
                troubles.append(f"The sessionStorage of {origin} was not restored: {error.message}")
    await tab.goto("about:blank", timeout=EMPTY_PAGE_TIMEOUT)
    await tab.session.send("Page.resetNavigationHistory")
    if (more := len(storage) - _MAX_SESSION_ORIGINS) > 0:
        troubles.append(f"The sessionStorage of {format_count(more, 'more origin')} was left out.")
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
