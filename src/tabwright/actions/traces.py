"""Recordings of a tab: network traffic as an HTTP archive, page activity as a DevTools trace."""

import base64

import orjson
from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.artifacts import Artifact
from tabwright.browser.capture.trace import Tracing
from tabwright.browser.network.har import Recording
from tabwright.browser.tab import Tab
from tabwright.results import Done
from tabwright.text import format_count


class Archive(Result):
    """An HTTP archive."""

    archive: Artifact = Field(description="The HAR file.")
    requests: int = Field(description="Number of requests.")
    lost: int = Field(description="Number of requests that the log had no room for.")

    def __str__(self) -> str:
        lost = f"; {self.lost:,} more did not fit" if self.lost else ""
        return f"HAR of {format_count(self.requests, 'request')}{lost}."


class Trace(Result):
    """A DevTools trace."""

    trace: Artifact = Field(description="The trace, as JSON.")

    def __str__(self) -> str:
        return f"Trace of {self.trace.size} bytes."


@action(Effect.ACT, does=("read_data",), group="HAR and traces", observed=False)
async def start_har(tab: Tab, args: Args) -> Done:
    """Record the tab's network traffic until stop_har."""
    tab.component(Recording).start()
    return Done(deed="Recording the traffic of tab", target=tab.id)


@action(Effect.ACT, does=("read_data",), group="HAR and traces", observed=False)
async def stop_har(tab: Tab, args: Args) -> Archive:
    """Stop recording the network traffic; return it as a HAR file."""
    archive, lost = tab.component(Recording).stop()
    return Archive(
        archive=_file("network.har", orjson.dumps(archive)),
        requests=len(archive["log"]["entries"]),
        lost=lost,
    )


@action(Effect.ACT, does=("read_data",), group="HAR and traces", observed=False, patient=True)
async def start_trace(tab: Tab, args: Args) -> Done:
    """Trace the tab's activity until stop_trace, for the performance panel of DevTools."""
    await tab.component(Tracing).start()
    return Done(deed="Tracing tab", target=tab.id)


@action(Effect.ACT, does=("read_data",), group="HAR and traces", observed=False, patient=True)
async def stop_trace(tab: Tab, args: Args) -> Trace:
    """Stop the trace; return it as a file."""
    return Trace(trace=_file("trace.json", await tab.component(Tracing).stop()))


def _file(name: str, content: bytes) -> Artifact:
    return Artifact.of(name, "application/json", base64.b64encode(content).decode())
