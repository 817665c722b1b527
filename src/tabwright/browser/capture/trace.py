"""A DevTools trace of one tab: what its page's process did and when, for the performance panel.

Chrome makes one trace at a time, of all its processes; in it, it tells which of them showed frames of the tab
that was asked for. The rest, which other sessions have a part in, is left out.
"""

import asyncio
import base64
from typing import TYPE_CHECKING

import orjson

from tabwright.aio import deadline
from tabwright.cdp import CdpError, Params
from tabwright.errors import Blocked, NotFound

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

_CATEGORIES = (
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "blink.user_timing",
    "loading",
    "v8.execute",
    "disabled-by-default-v8.cpu_profiler",
)
# What the browser's own process tells of this tab alone.
_OF_TAB = ("TracingStartedInBrowser", "FrameCommittedInBrowser", "ProcessReadyInBrowser")
_BUFFER_KB = 20_000
_MOST_BYTES = 20_000_000
_PIECE = 1_000_000
_PATIENCE = 30.0


class Tracing:
    """The trace of one tab, if one is being made."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._running = False

    async def start(self) -> None:
        """Trace from now on.

        Raises:
            Blocked: this tab, or another one of the browser, is being traced.
        """
        config = {"includedCategories": _CATEGORIES, "traceBufferSizeInKb": _BUFFER_KB}
        try:
            await self._tab.session.send("Tracing.start", transferMode="ReturnAsStream", traceConfig=config)
        except CdpError as error:
            raise Blocked(
                f"No trace can be made now: {error.message}.", hint="Stop the other first."
            ) from error
        self._running = True

    async def stop(self) -> bytes:
        """End the trace and return it, as JSON.

        Raises:
            NotFound: none is being made.
            Blocked: it is too large.
        """
        if not self._running:
            raise NotFound(f"Tab {self._tab.id} is not being traced.", hint="Start a trace first.")
        self._running = False
        done: asyncio.Future[Params] = asyncio.get_running_loop().create_future()
        leave = self._tab.session.on("Tracing.tracingComplete", done.set_result)
        try:
            with deadline(_PATIENCE, "The browser does not hand the trace over.", hint="Try again."):
                await self._tab.session.send("Tracing.end")
                return _of_tab(await self._read((await done)["stream"]))
        finally:
            leave()

    async def _read(self, stream: str) -> bytes:
        pieces: list[bytes] = []
        try:
            while sum(map(len, pieces)) <= _MOST_BYTES:
                piece = await self._tab.session.send("IO.read", handle=stream, size=_PIECE)
                coded = piece.get("base64Encoded", False)
                pieces.append(base64.b64decode(piece["data"]) if coded else piece["data"].encode())
                if piece["eof"]:
                    return b"".join(pieces)
        finally:
            self._tab.session.post("IO.close", handle=stream)
        raise Blocked(
            f"The trace is larger than {_MOST_BYTES // 1_000_000} MB.", hint="Trace a shorter time."
        )


def _of_tab(told: bytes) -> bytes:
    """Leave out what is not of the processes that showed this tab's frames."""
    events: list[Params] = orjson.loads(told)["traceEvents"]
    ours = [event for event in events if event.get("name") in _OF_TAB]
    shown = [frame for event in ours for frame in _frames(event["args"].get("data", {}))]
    processes = {frame["processId"] for frame in shown if "processId" in frame}
    kept = [event for event in events if event.get("pid") in processes or event.get("name") in _OF_TAB]
    return orjson.dumps({"traceEvents": kept})


def _frames(told: Params) -> list[Params]:
    return [told, *told.get("frames", ())]
