"""Looks at what a context holds, beside whatever runs in it: without the hang watch, and never for long.

A page that does not answer (it hangs, a dialog is open, it crashed) keeps what was last seen of it.
"""

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio

from tabwright.browser.context import Context
from tabwright.browser.page.isolated_world import CALL, WORLD
from tabwright.browser.saved_state.state import ContextState, Entries, TabState
from tabwright.cdp import CdpError, Params
from tabwright.errors import BrowserGone, TabwrightError
from tabwright.urls import origin_of

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.tab import Tab

# Seconds that a page has for its answer.
_PATIENCE = 1.0
_MOST_FRAMES = 20
_MOST_HISTORY = 20
_MOST_ORIGINS = 50
# Beyond this a session is no longer a little thing to write down every second.
_MOST_CHARACTERS = 4_000_000
_MOST_COOKIES = 3_000

_Call = asyncio.Future[Params]


async def capture(context: Context, *, before: ContextState | None, active: str | None) -> ContextState:
    """Return what a context holds now; what cannot be seen is as it was `before`.

    Raises:
        BrowserGone: the browser went away meanwhile.
    """
    cookies = await context.cookies.raw()
    seen_tabs = await _look_at_all(tuple(context.tabs.values()), before)
    local, cut = dict(before.local_storage) if before else {}, set(before.cut if before else ())
    for seen in seen_tabs:
        for origin, entries in seen.local.items():
            local.pop(origin, None)  # the one seen last is the last to be dropped
            if entries:
                local[origin] = entries
        cut = (cut - seen.origins) | seen.cut
    if not context.browser.alive:
        raise BrowserGone("The browser went away.", hint="Call again; a new browser starts.")
    kept = _bounded(local)
    tabs, cut = [seen.tab for seen in seen_tabs], cut | (local.keys() - kept.keys())
    return ContextState(time.time(), cookies[:_MOST_COOKIES], kept, tabs, active, sorted(cut)[:_MOST_ORIGINS])


async def _look_at_all(tabs: "tuple[Tab, ...]", before: ContextState | None) -> "list[_Seen]":
    """Look at all tabs at once: several that do not answer take no longer than one."""
    seen: dict[Tab, _Seen] = {}

    async def look(tab: "Tab") -> None:
        seen[tab] = await _look(tab, (before and before.tab(tab.id)) or _unseen(tab))

    async with anyio.create_task_group() as group:
        for tab in tabs:
            group.start_soon(look, tab)
    return [seen[tab] for tab in tabs]


def _bounded(storage: dict[str, Entries]) -> dict[str, Entries]:
    """Leave out the origins that were seen longest ago, where there are too many or they hold too much."""
    kept: dict[str, Entries] = {}
    left = _MOST_CHARACTERS
    for origin, entries in reversed(storage.items()):
        left -= sum(len(key) + len(value) for key, value in entries.items())
        if left < 0 or len(kept) == _MOST_ORIGINS:
            break
        kept[origin] = entries
    return dict(reversed(kept.items()))


class _Seen:
    """What was seen of a tab, and through it of the storage of origins."""

    def __init__(self, tab: TabState) -> None:
        self.tab = tab
        self.local: dict[str, Entries] = {}
        self.session: dict[str, Entries] = {}
        self.cut: set[str] = set()

    @property
    def origins(self) -> set[str]:
        """The origins that were looked at."""
        return {*self.local, *self.session}

    def add(self, held: Params) -> None:
        """Take in what one frame holds."""
        origin = held["origin"]
        for kind, into in (("local", self.local), ("session", self.session)):
            if held[kind] is not None:
                into[origin] = dict(held[kind]["entries"])
                if held[kind]["cut"]:
                    self.cut.add(origin)


def _unseen(tab: "Tab") -> TabState:
    return TabState(tab.id, tab.url, [tab.url])


async def _look(tab: "Tab", before: TabState) -> _Seen:
    seen = _Seen(replace(before, emulation=tab.emulation.current, next_ref=tab.refs.next))
    history = tab.session.start("Page.getNavigationHistory")
    frames = [frame for frame in tab.frames if origin_of(frame.url)][:_MOST_FRAMES]
    asked = {} if tab.dialogs.open else {frame: _ask(frame) for frame in frames if WORLD in frame.contexts}
    keys = {frame: _storage_key(frame) for frame in asked if frame.parent is not None}
    await asyncio.wait([history, *asked.values(), *keys.values()], timeout=_PATIENCE)
    if (told := _answer(history)) is not None:
        seen.tab = replace(seen.tab, url=tab.url, **_history(told, tab.url))
    for frame, call in asked.items():
        answer = _answer(call) or {}
        held = None if "exceptionDetails" in answer else answer.get("result", {}).get("value")
        if held is not None and _is_first_party(keys.get(frame)):
            seen.add(held)
            if frame is tab.main_frame:
                seen.tab = replace(seen.tab, scroll=held["scroll"], fields=held["fields"])
    if tab.url != before.url and not seen.origins:  # another page, of which nothing was seen
        seen.tab = replace(seen.tab, scroll=[0.0, 0.0], fields=[])
    storage = {origin: kept for origin, kept in {**before.session_storage, **seen.session}.items() if kept}
    seen.tab = replace(seen.tab, session_storage=_bounded(storage))
    return seen


def _ask(frame: "Frame") -> _Call:
    arguments: list[dict[str, Any]] = [{"value": "held"}, {"value": frame.parent is None}]
    return frame.session.start(
        "Runtime.callFunctionOn",
        functionDeclaration=CALL,
        executionContextId=frame.known_world(),
        arguments=arguments,
        returnByValue=True,
    )


def _storage_key(frame: "Frame") -> _Call:
    return frame.session.start("Storage.getStorageKey", frameId=frame.id)


def _is_first_party(key: _Call | None) -> bool:
    """Whether a frame has its origin's own storage, not a part of it for the site around it."""
    if key is None:
        return True
    told = _answer(key)
    return told is not None and "^" not in told["storageKey"]


def _answer(call: _Call) -> Params | None:
    """Return the answer that came, if one did."""
    if not call.done():
        call.cancel()
        return None
    if call.cancelled():
        return None
    failure = call.exception()
    if failure is not None and not isinstance(failure, CdpError | TabwrightError):
        raise failure
    return None if failure else call.result()


def _history(told: Params, url: str) -> Params:
    """The addresses up to the one that is shown; about:blank is where every tab begins."""
    addresses = [str(entry["url"]) for entry in told["entries"]]
    behind = addresses[: told["currentIndex"]]
    if behind[:1] == ["about:blank"]:
        del behind[0]
    kept = [address for address in behind if origin_of(address)][-(_MOST_HISTORY - 1) :]
    ahead = len(addresses) - told["currentIndex"] - 1
    return {"history": [*kept, url], "left_out": len(behind) - len(kept) + ahead}
