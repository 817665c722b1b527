"""What a tab's pages and workers said: console messages, browser warnings and uncaught errors."""

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

from tabwright.browser.page.console_values import console_text, shown, without_stack
from tabwright.cdp import CdpSession, Params
from tabwright.text import cut

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

Kind = Literal["log", "info", "warning", "error", "exception"]

KEPT = 1_000
_KINDS: dict[str, Kind] = {"info": "info", "warning": "warning", "error": "error", "assert": "error"}
_MAX_URL = 500
_SILENT = {"clear", "endGroup", "profile", "profileEnd"}
# Chrome keeps every object passed to the console alive for us until told otherwise.
_RELEASE_EVERY = 100


@dataclass(frozen=True, slots=True)
class Message:
    """One thing said: what, where, when. `number` counts all messages of the tab from 1."""

    number: int
    kind: Kind
    text: str
    url: str
    line: int | None
    time: float
    frame: str = ""
    worker: str = ""

    def __str__(self) -> str:
        place = f" ({self.url}{f':{self.line}' if self.line else ''})" if self.url else ""
        return f"{self.kind}: {self.text}{place}"


class Console:
    """The last messages of one tab, over all its frames and workers."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._kept: deque[Message] = deque(maxlen=KEPT)
        self._workers: WeakKeyDictionary[CdpSession, str] = WeakKeyDictionary()
        self.count = 0

    def attach(self, session: CdpSession) -> None:
        """Follow what one session's target says."""
        session.on("Runtime.executionContextCreated", lambda event: self._context(session, event["context"]))
        session.on("Runtime.consoleAPICalled", lambda event: self._said(session, event))
        session.on("Runtime.exceptionThrown", lambda event: self._threw(session, event))
        session.on("Log.entryAdded", lambda event: self._browser_said(session, event["entry"]))
        session.post("Log.enable")

    def messages(self, *, since: int = 0, kind: Kind | None = None) -> list[Message]:
        """Return the messages after number `since` that are still kept, oldest first."""
        return [message for message in self._kept if message.number > since and kind in (None, message.kind)]

    def errors(self, *, since: int = 0) -> list[Message]:
        """Return the errors and uncaught exceptions after number `since`."""
        return [message for message in self.messages(since=since) if message.kind in ("error", "exception")]

    def clear(self) -> None:
        """Forget all messages; numbers go on."""
        self._kept.clear()

    def _context(self, session: CdpSession, context: Params) -> None:
        if "frameId" not in context.get("auxData", {}):
            self._workers[session] = context["origin"]

    def _said(self, session: CdpSession, event: Params) -> None:
        if event["type"] in _SILENT:
            return
        text = console_text(event["args"])
        if event["type"] == "assert":
            text = f"Assertion failed: {text}"
        self._keep(
            session,
            kind=_KINDS.get(event["type"], "log"),
            text=text,
            place=_top(event.get("stackTrace")),
            milliseconds=event["timestamp"],
            context=event["executionContextId"],
        )

    def _threw(self, session: CdpSession, event: Params) -> None:
        details = event["exceptionDetails"]
        text = details["text"]
        if "exception" in details:
            text = f"{text} {without_stack(shown(details['exception']))}"
        url, line = _top(details.get("stackTrace"))
        self._keep(
            session,
            kind="exception",
            text=text,
            place=(url or details.get("url", ""), line or details["lineNumber"] + 1),
            milliseconds=event["timestamp"],
            context=details.get("executionContextId"),
        )

    def _browser_said(self, session: CdpSession, entry: Params) -> None:
        if entry["source"] == "worker":
            return  # an echo of what the worker's own session tells in full
        line = entry["lineNumber"] + 1 if "lineNumber" in entry else None
        self._keep(
            session,
            kind=_KINDS.get(entry["level"], "log"),
            text=entry["text"],
            place=(entry.get("url", ""), line),
            milliseconds=entry["timestamp"],
        )

    def _keep(
        self,
        session: CdpSession,
        *,
        kind: Kind,
        text: str,
        place: tuple[str, int | None],
        milliseconds: float,
        context: int | None = None,
    ) -> None:
        self.count += 1
        worker = self._workers.get(session, "")
        self._kept.append(
            Message(
                number=self.count,
                kind=kind,
                text=cut(text),
                url=cut(place[0], _MAX_URL),
                line=place[1],
                time=milliseconds / 1000,
                frame="" if worker else self._frame(session, context),
                worker=worker,
            )
        )
        self._tab.changed.fire()
        if self.count % _RELEASE_EVERY == 0:
            session.post("Runtime.releaseObjectGroup", objectGroup="console")

    def _frame(self, session: CdpSession, context: int | None) -> str:
        for frame in self._tab.frames:
            if frame.session is session and (context is None or context in frame.contexts.values()):
                return frame.id
        return ""


def _top(stack: Params | None) -> tuple[str, int | None]:
    if not stack or not stack["callFrames"]:
        return "", None
    top = stack["callFrames"][0]
    return top["url"], top["lineNumber"] + 1
