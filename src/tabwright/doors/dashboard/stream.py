"""What the dashboard is told as it happens, in one stream of JSON lines: state, calls, pictures of one tab.

One, because a browser keeps six connections to a place and no more, and up to four windows have one open.
"""

import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

import anyio
import orjson
from pydantic import Field
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tabwright import __version__
from tabwright.action import Args
from tabwright.browser.capture.screencast import Screencast
from tabwright.browser.tab import Tab, TabId
from tabwright.cdp import CdpError
from tabwright.errors import TabwrightError
from tabwright.policy.callers.approvals import Question
from tabwright.runner import Runner
from tabwright.sessions.session import Session

_LOOK_EVERY = 0.5
Tell = Callable[[Mapping[str, Any]], Awaitable[None]]
Source = Callable[[Tell], Coroutine[Any, Any, None]]


class Watched(Args):
    """What a window has seen of which hub, and the tab that it looks at."""

    hub: str = Field("", max_length=40)
    after: int = Field(0, ge=0)
    session: str = Field("", max_length=300)
    tab: str = Field("", max_length=20)


class News:
    """Tells what goes on in a runner."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        # Numbers of calls begin anew with every hub: by this a window knows that they are another's.
        self._hub = secrets.token_hex(4)

    def stream(self, watched: Watched) -> Response:
        """Return an answer that goes on for as long as somebody reads it."""
        sources: list[Source] = [partial(self._lines, watched.after if watched.hub == self._hub else 0)]
        if watched.tab:
            sources.append(partial(self._pictures, watched))
        return _Lines(sources)

    async def _lines(self, number: int, tell: Tell) -> None:
        """Tell the calls so far, then every change: of the state when there is one, of calls as they end."""
        seen: Mapping[str, Any] = {}
        journal = self._runner.journal
        while True:
            state = self._state()
            if state != seen:
                await tell({"kind": "state", **state})
                seen = state
            for line in journal.after(number):
                await tell({"kind": "call", **asdict(line)})
                number = line.number
            with anyio.move_on_after(_LOOK_EVERY):
                await journal.news.until(partial(journal.is_past, number))

    async def _pictures(self, watched: Watched, tell: Tell) -> None:
        """Show a tab; between two pages it has no picture for a moment, and is asked again."""
        while (tab := self._tab(watched)) is not None:
            try:
                await _shown(tab, tell)
            except (CdpError, TabwrightError):
                await anyio.sleep(_LOOK_EVERY)

    def _tab(self, watched: Watched) -> Tab | None:
        session = find(self._runner, watched.session)
        return None if session is None else session.context.tabs.get(TabId(watched.tab))

    def _state(self) -> dict[str, Any]:
        runner = self._runner
        return {
            "hub": self._hub,
            "version": __version__,
            "browser": runner.sessions.browser_running,
            "sessions": [runner.redacted(_session(session)) for session in runner.sessions],
            "waiting": [_question(question) for question in runner.approvals.waiting],
        }


def key_of(session: Session) -> str:
    """Return what the dashboard calls a session."""
    return f"{session.owner} {session.name}"


def find(runner: Runner, key: str) -> Session | None:
    """Return the session that the dashboard calls so, if it is still there."""
    return next((session for session in runner.sessions if key_of(session) == key), None)


def _session(session: Session) -> dict[str, Any]:
    return {
        "key": key_of(session),
        "owner": session.owner,
        "name": session.name,
        "busy": session.lock.locked(),
        "held": session.taken_over,
        "tabs": [{**_tab(tab), "current": tab.id == session.current} for tab in session.tabs],
    }


def _tab(tab: Tab) -> dict[str, Any]:
    dialog = tab.dialogs.open
    told = {"kind": dialog.kind, "message": dialog.message, "default": dialog.default} if dialog else None
    return {"id": tab.id, "url": tab.url, "page": tab.navigation.commits, "dialog": told}


def _question(question: Question) -> dict[str, Any]:
    return {
        "number": question.number,
        "who": question.who,
        "action": question.action,
        "args": orjson.dumps(dict(question.args)).decode(),
        "session": question.session,
        "target": question.about.target,
        "page": question.about.page,
        "until": question.until,
    }


async def _shown(tab: Tab, tell: Tell) -> None:
    number = 0
    async with tab.component(Screencast).watch() as screencast:
        while True:
            still = await screencast.next_frame(number)
            number = still.number
            size = {"width": still.width, "height": still.height}
            await tell({"kind": "picture", "jpeg": still.jpeg, **size})


class _Lines(Response):
    """Lines of JSON from several sources, each whole, until whoever reads them goes away."""

    media_type = "application/x-ndjson"

    def __init__(self, sources: list[Source]) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._sources = sources

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        turn = anyio.Lock()

        async def tell(line: Mapping[str, Any]) -> None:
            async with turn:
                body = orjson.dumps(line) + b"\n"
                await send({"type": "http.response.body", "body": body, "more_body": True})

        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with anyio.create_task_group() as group:
            for source in self._sources:
                group.start_soon(source, tell)
            while (await receive())["type"] != "http.disconnect":
                pass
            group.cancel_scope.cancel()
