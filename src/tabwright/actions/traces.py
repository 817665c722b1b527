"""Recordings of a tab: what it loads, as an HTTP archive; what its page does, as a DevTools trace."""

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
    requests: int = Field(description="How many requests are in it.")
    lost: int = Field(description="How many there were beside them that the log had no room for.")

    def __str__(self) -> str:
        lost = f"; there was no room for {self.lost:,} more" if self.lost else ""
        return f"HAR of {format_count(self.requests, 'request')}{lost}."


class Trace(Result):
    """A DevTools trace."""

    trace: Artifact = Field(description="The trace, as JSON.")

    def __str__(self) -> str:
        return f"Trace of {self.trace.size} bytes."


@action(Effect.ACT, group="HAR and traces", observed=False)
async def start_har(tab: Tab, args: Args) -> Done:
    """Record what the tab loads from now on, until stop_har."""
    tab.component(Recording).start()
    return Done(deed="Recording what loads in tab", target=tab.id)


@action(Effect.ACT, group="HAR and traces", observed=False)
async def stop_har(tab: Tab, args: Args) -> Archive:
    """End the recording of what the tab loads; give it as a HAR file."""
    told, lost = tab.component(Recording).stop()
    return Archive(
        archive=_file("network.har", orjson.dumps(told)), requests=len(told["log"]["entries"]), lost=lost
    )


@action(Effect.ACT, group="HAR and traces", observed=False, patient=True)
async def start_trace(tab: Tab, args: Args) -> Done:
    """Trace what the tab's page does from now on, until stop_trace: for the performance panel of DevTools."""
    await tab.component(Tracing).start()
    return Done(deed="Tracing tab", target=tab.id)


@action(Effect.ACT, group="HAR and traces", observed=False, patient=True)
async def stop_trace(tab: Tab, args: Args) -> Trace:
    """End the trace; give it as a file."""
    return Trace(trace=_file("trace.json", await tab.component(Tracing).stop()))


def _file(name: str, content: bytes) -> Artifact:
    return Artifact.of(name, "application/json", base64.b64encode(content).decode())
