"""Captures the state of a context while it is in use: without the hang watchdog, and within a short time.

For a page that does not answer (it hangs, shows a dialog or crashed) the state seen last is used.
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

# Seconds for a page to answer.
_PAGE_TIMEOUT = 1.0
_MAX_FRAMES = 20
_MAX_HISTORY = 20
_MAX_ORIGINS = 50
# A session is saved every second; more than this would be slow.
_MAX_CHARACTERS = 4_000_000
_MAX_COOKIES = 3_000

_Call = asyncio.Future[Params]


async def capture(context: Context, *, before: ContextState | None, active: str | None) -> ContextState:
    """Return the state of a context; what cannot be read is taken from `before`.

    Raises:
        BrowserGone: the browser exited meanwhile.
    """
    cookies = await context.cookies.raw()
    seen_tabs = await _inspect_all(tuple(context.tabs.values()), before)
    local, cut = dict(before.local_storage) if before else {}, set(before.cut if before else ())
    for seen in seen_tabs:
        for origin, entries in seen.local.items():
            local.pop(origin, None)  # the one seen last is dropped last
            if entries:
                local[origin] = entries
        cut = (cut - seen.origins) | seen.cut
    if not context.browser.alive:
        raise BrowserGone("The browser exited.", hint="Call again; a new browser starts.")
    limited = _limit_size(local)
    tabs, cut = [seen.tab for seen in seen_tabs], cut | (local.keys() - limited.keys())
    return ContextState(
        time.time(), cookies[:_MAX_COOKIES], limited, tabs, active, sorted(cut)[:_MAX_ORIGINS]
    )


async def _inspect_all(tabs: "tuple[Tab, ...]", before: ContextState | None) -> "list[_Seen]":
    """Inspect all tabs at once: several that do not answer take no longer than one."""
    seen: dict[Tab, _Seen] = {}

    async def inspect(tab: "Tab") -> None:
        unseen = TabState(tab.id, tab.url, [tab.url])
        seen[tab] = await _inspect(tab, (before and before.tab(tab.id)) or unseen)

    async with anyio.create_task_group() as group:
        for tab in tabs:
            group.start_soon(inspect, tab)
    return [seen[tab] for tab in tabs]


def _limit_size(storage: dict[str, Entries]) -> dict[str, Entries]:
    """Drop the origins that were seen longest ago, if there are too many or they store too much."""
    limited: dict[str, Entries] = {}
    left = _MAX_CHARACTERS
    for origin, entries in reversed(storage.items()):
        left -= sum(len(key) + len(value) for key, value in entries.items())
        if left < 0 or len(limited) == _MAX_ORIGINS:
            break
        limited[origin] = entries
    return dict(reversed(limited.items()))


class _Seen:
    """What was read from a tab, and from the storage of the origins in it."""

    def __init__(self, tab: TabState) -> None:
        self.tab = tab
        self.local: dict[str, Entries] = {}
        self.session: dict[str, Entries] = {}
        self.cut: set[str] = set()

    @property
    def origins(self) -> set[str]:
        """The origins whose storage was read."""
        return {*self.local, *self.session}

    def add(self, content: Params) -> None:
        """Add the content of one frame."""
        origin = content["origin"]
        for kind, into in (("local", self.local), ("session", self.session)):
            if content[kind] is not None:
                into[origin] = dict(content[kind]["entries"])
                if content[kind]["cut"]:
                    self.cut.add(origin)


async def _inspect(tab: "Tab", before: TabState) -> _Seen:
    seen = _Seen(replace(before, emulation=tab.emulation.current, next_ref=tab.refs.next))
    history = tab.session.start("Page.getNavigationHistory")
    frames = [frame for frame in tab.frames if origin_of(frame.url)][:_MAX_FRAMES]
    calls = {} if tab.dialogs.open else {frame: _read(frame) for frame in frames if WORLD in frame.contexts}
    keys = {frame: _storage_key(frame) for frame in calls if frame.parent is not None}
    await asyncio.wait([history, *calls.values(), *keys.values()], timeout=_PAGE_TIMEOUT)
    if (entries := _answer(history)) is not None:
        seen.tab = replace(seen.tab, url=tab.url, **_parse_history(entries, tab.url))
    for frame, call in calls.items():
        answer = _answer(call) or {}
        content = None if "exceptionDetails" in answer else answer.get("result", {}).get("value")
        if content is not None and _is_first_party(keys.get(frame)):
            seen.add(content)
            if frame is tab.main_frame:
                seen.tab = replace(seen.tab, scroll=content["scroll"], fields=content["fields"])
    if tab.url != before.url and not seen.origins:  # another page, of which nothing was read
        seen.tab = replace(seen.tab, scroll=[0.0, 0.0], fields=[])
    storage = {
        origin: entries for origin, entries in {**before.session_storage, **seen.session}.items() if entries
    }
    seen.tab = replace(seen.tab, session_storage=_limit_size(storage))
    return seen


def _read(frame: "Frame") -> _Call:
    arguments: list[dict[str, Any]] = [{"value": "readPageState"}, {"value": frame.parent is None}]
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
    """Whether a frame has its origin's own storage, not a partition for the site that embeds it."""
    if key is None:
        return True
    answer = _answer(key)
    return answer is not None and "^" not in answer["storageKey"]


def _answer(call: _Call) -> Params | None:
    """Return the answer, if it has come."""
    if not call.done():
        call.cancel()
        return None
    if call.cancelled():
        return None
    failure = call.exception()
    if failure is not None and not isinstance(failure, CdpError | TabwrightError):
        raise failure
    return None if failure else call.result()


def _parse_history(history: Params, url: str) -> Params:
    """Return the addresses up to the current one, without the about:blank that every tab starts with."""
    addresses = [str(entry["url"]) for entry in history["entries"]]
    behind = addresses[: history["currentIndex"]]
    if behind[:1] == ["about:blank"]:
        del behind[0]
    saved = [address for address in behind if origin_of(address)][-(_MAX_HISTORY - 1) :]
    ahead = len(addresses) - history["currentIndex"] - 1
    return {"history": [*saved, url], "left_out": len(behind) - len(saved) + ahead}
