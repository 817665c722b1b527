"""A DevTools trace of one tab, for the performance panel.

Chrome records one trace at a time, of all its processes. Only events of processes that rendered frames of
the tab are returned: the others may belong to other sessions.
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
# Events of the browser process that are about the traced tab only.
_TAB_EVENTS = ("TracingStartedInBrowser", "FrameCommittedInBrowser", "ProcessReadyInBrowser")
_BUFFER_KB = 20_000
_MAX_BYTES = 20_000_000
_CHUNK_BYTES = 1_000_000
_STOP_TIMEOUT = 30.0


class Tracing:
    """Starts and stops the trace of one tab."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._running = False

    async def start(self) -> None:
        """Start a trace.

        Raises:
            Blocked: a trace of this browser is already running.
        """
        config = {"includedCategories": _CATEGORIES, "traceBufferSizeInKb": _BUFFER_KB}
        try:
            await self._tab.session.send("Tracing.start", transferMode="ReturnAsStream", traceConfig=config)
        except CdpError as error:
            raise Blocked(
                f"Chrome cannot start a trace: {error.message}.", hint="Stop the running trace first."
            ) from error
        self._running = True

    async def stop(self) -> bytes:
        """Stop the trace and return it as JSON.

        Raises:
            NotFound: no trace is running.
            Blocked: it is too large.
        """
        if not self._running:
            raise NotFound(f"Tab {self._tab.id} is not being traced.", hint="Start a trace first.")
        self._running = False
        done: asyncio.Future[Params] = asyncio.get_running_loop().create_future()
        unsubscribe = self._tab.session.on("Tracing.tracingComplete", done.set_result)
        try:
            with deadline(_STOP_TIMEOUT, "The browser did not return the trace in time.", hint="Try again."):
                await self._tab.session.send("Tracing.end")
                return _keep_tab_events(await self._read((await done)["stream"]))
        finally:
            unsubscribe()

    async def _read(self, stream: str) -> bytes:
        chunks: list[bytes] = []
        try:
            while sum(map(len, chunks)) <= _MAX_BYTES:
                answer = await self._tab.session.send("IO.read", handle=stream, size=_CHUNK_BYTES)
                encoded = answer.get("base64Encoded", False)
                chunks.append(base64.b64decode(answer["data"]) if encoded else answer["data"].encode())
                if answer["eof"]:
                    return b"".join(chunks)
        finally:
            self._tab.session.post("IO.close", handle=stream)
        raise Blocked(
            f"The trace is larger than {_MAX_BYTES // 1_000_000} MB.", hint="Trace for a shorter time."
        )


def _keep_tab_events(trace: bytes) -> bytes:
    """Drop the events of processes that rendered no frame of the tab."""
    events: list[Params] = orjson.loads(trace)["traceEvents"]
    tab_events = [event for event in events if event.get("name") in _TAB_EVENTS]
    frames = [frame for event in tab_events for frame in _frames(event["args"].get("data", {}))]
    processes = {frame["processId"] for frame in frames if "processId" in frame}
    own = [event for event in events if event.get("pid") in processes or event.get("name") in _TAB_EVENTS]
    return orjson.dumps({"traceEvents": own})


def _frames(data: Params) -> list[Params]:
    return [data, *data.get("frames", ())]
