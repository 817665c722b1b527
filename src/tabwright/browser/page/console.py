"""The console of a tab: messages of its pages and workers, browser warnings and uncaught errors."""

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

from tabwright.browser.page.console_values import console_text, format_value, without_stack
from tabwright.cdp import CdpSession, Params
from tabwright.text import cut

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

Kind = Literal["log", "info", "warning", "error", "exception"]

MAX_MESSAGES = 1_000
_KINDS: dict[str, Kind] = {"info": "info", "warning": "warning", "error": "error", "assert": "error"}
_MAX_URL = 500
_WITHOUT_TEXT = {"clear", "endGroup", "profile", "profileEnd"}
# Chrome keeps every object that was passed to the console alive until we release it.
_RELEASE_EVERY = 100


@dataclass(frozen=True, slots=True)
class Message:
    """One console message: its text, source and time. `number` counts all messages of the tab from 1.

    `page` is the number of the document that the tab showed, `page_url` its URL then.
    """

    number: int
    kind: Kind
    text: str
    url: str
    line: int | None
    time: float
    frame: str = ""
    worker: str = ""
    page: int = 0
    page_url: str = ""

    def __str__(self) -> str:
        source = f" ({self.url}{f':{self.line}' if self.line else ''})" if self.url else ""
        return f"{self.kind}: {self.text}{source}"


class Console:
    """The last console messages of the tab, its frames and its workers."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._messages: deque[Message] = deque(maxlen=MAX_MESSAGES)
        self._workers: WeakKeyDictionary[CdpSession, str] = WeakKeyDictionary()
        self.count = 0

    def attach(self, session: CdpSession) -> None:
        """Follow the console of one session's target."""
        session.on(
            "Runtime.executionContextCreated",
            lambda event: self._on_context_created(session, event["context"]),
        )
        session.on("Runtime.consoleAPICalled", lambda event: self._on_console_call(session, event))
        session.on("Runtime.exceptionThrown", lambda event: self._on_exception(session, event))
        session.on("Log.entryAdded", lambda event: self._on_log_entry(session, event["entry"]))
        session.post("Log.enable")

    def messages(self, *, since: int = 0, kind: Kind | None = None, page: int | None = None) -> list[Message]:
        """Return the messages after number `since`, oldest first; only the last 1,000 are kept.

        `page` is the number of one document of the tab, such as `Navigation.commits`: all unless given.
        """
        return [
            message
            for message in self._messages
            if message.number > since and kind in (None, message.kind) and page in (None, message.page)
        ]

    def errors(self, *, since: int = 0) -> list[Message]:
        """Return the errors and uncaught exceptions after number `since`."""
        return [message for message in self.messages(since=since) if message.kind in ("error", "exception")]

    def clear(self) -> None:
        """Delete all messages; numbering continues."""
        self._messages.clear()

    def _on_context_created(self, session: CdpSession, context: Params) -> None:
        if "frameId" not in context.get("auxData", {}):
            self._workers[session] = context["origin"]

    def _on_console_call(self, session: CdpSession, event: Params) -> None:
        if event["type"] in _WITHOUT_TEXT:
            return
        text = console_text(event["args"])
        if event["type"] == "assert":
            text = f"Assertion failed: {text}"
        self._add(
            session,
            kind=_KINDS.get(event["type"], "log"),
            text=text,
            source=_top_frame(event.get("stackTrace")),
            milliseconds=event["timestamp"],
            context=event["executionContextId"],
        )

    def _on_exception(self, session: CdpSession, event: Params) -> None:
        details = event["exceptionDetails"]
        text = details["text"]
        if "exception" in details:
            text = f"{text} {without_stack(format_value(details['exception']))}"
        url, line = _top_frame(details.get("stackTrace"))
        self._add(
            session,
            kind="exception",
            text=text,
            source=(url or details.get("url", ""), line or details["lineNumber"] + 1),
            milliseconds=event["timestamp"],
            context=details.get("executionContextId"),
        )

    def _on_log_entry(self, session: CdpSession, entry: Params) -> None:
        if entry["source"] == "worker":
            return  # the worker's own session reports it in full
        line = entry["lineNumber"] + 1 if "lineNumber" in entry else None
        self._add(
            session,
            kind=_KINDS.get(entry["level"], "log"),
            text=entry["text"],
            source=(entry.get("url", ""), line),
            milliseconds=entry["timestamp"],
        )

    def _add(
        self,
        session: CdpSession,
        *,
        kind: Kind,
        text: str,
        source: tuple[str, int | None],
        milliseconds: float,
        context: int | None = None,
    ) -> None:
        self.count += 1
        worker = self._workers.get(session, "")
        self._messages.append(
            Message(
                number=self.count,
                kind=kind,
                text=cut(text),
                url=cut(source[0], _MAX_URL),
                line=source[1],
                time=milliseconds / 1000,
                frame="" if worker else self._frame_id(session, context),
                worker=worker,
                page=self._tab.navigation.commits,
                page_url=cut(self._tab.url, _MAX_URL),
            )
        )
        self._tab.changed.fire()
        if self.count % _RELEASE_EVERY == 0:
            session.post("Runtime.releaseObjectGroup", objectGroup="console")

    def _frame_id(self, session: CdpSession, context: int | None) -> str:
        for frame in self._tab.frames:
            if frame.session is session and (context is None or context in frame.contexts.values()):
                return frame.id
        return ""


def _top_frame(stack: Params | None) -> tuple[str, int | None]:
    if not stack or not stack["callFrames"]:
        return "", None
    top = stack["callFrames"][0]
    return top["url"], top["lineNumber"] + 1
