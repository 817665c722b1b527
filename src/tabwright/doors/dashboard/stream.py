"""The stream of the dashboard: JSON lines with the state, calls as they finish, and pictures of one tab.

One stream for everything, because browsers allow six connections to an origin in all windows together.
"""

import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import aclosing
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
from tabwright.errors import NotFound
from tabwright.intervention import Intervention
from tabwright.policy.callers.approvals import Question
from tabwright.runner import Runner

_POLL_INTERVAL = 0.5

SendLine = Callable[[Mapping[str, Any]], Awaitable[None]]
Source = Callable[[SendLine], Coroutine[Any, Any, None]]


class Watched(Args):
    """What a window has already received from which hub, and the tab that it shows."""

    hub: str = Field("", max_length=40)
    after: int = Field(0, ge=0)
    session: str = Field("", max_length=300)
    tab: str = Field("", max_length=20)


class Stream:
    """Streams what happens in a runner."""

    def __init__(self, runner: Runner, people: Intervention) -> None:
        self._runner = runner
        self._people = people
        # Each hub numbers its calls from 1; this tells a window that the numbers are another hub's.
        self._hub = secrets.token_hex(4)

    def respond(self, watched: Watched) -> Response:
        """Return a response that continues until the client disconnects."""
        sources: list[Source] = [partial(self._state_and_calls, watched)]
        if watched.tab:
            sources.append(partial(self._pictures, watched))
        return _JsonLines(sources)

    async def _state_and_calls(self, watched: Watched, send: SendLine) -> None:
        """Send the calls so far, then each change of the state and each call when it finishes.

        Whoever follows it can be asked for approval.
        """
        with self._runner.approvals.person_present():
            await self._send_state_and_calls(watched, send)

    async def _send_state_and_calls(self, watched: Watched, send: SendLine) -> None:
        sent: Mapping[str, Any] = {}
        journal = self._runner.journal
        number = watched.after if watched.hub == self._hub else 0
        while True:
            state = self._state()
            if state != sent:
                await send({"kind": "state", **state})
                sent = state
            for line in journal.after(number):
                await send({"kind": "call", **asdict(line)})
                number = line.number
            with anyio.move_on_after(_POLL_INTERVAL):
                await journal.added.until(partial(journal.is_past, number))

    async def _pictures(self, watched: Watched, send: SendLine) -> None:
        try:
            session = self._people.session(watched.session)
        except NotFound:
            return  # the state says so too
        async with aclosing(self._people.pictures(session, watched.tab)) as frames:
            async for frame in frames:
                size = {"width": frame.width, "height": frame.height}
                await send({"kind": "picture", "jpeg": frame.jpeg, **size})

    def _state(self) -> dict[str, Any]:
        return {
            "hub": self._hub,
            "version": __version__,
            "browser": self._runner.sessions.browser_running,
            "sessions": self._people.sessions(),
            "waiting": [_describe_question(question) for question in self._runner.approvals.waiting],
        }


def _describe_question(question: Question) -> dict[str, Any]:
    return {
        "number": question.number,
        "who": question.who,
        "action": question.action,
        "args": orjson.dumps(dict(question.args)).decode(),
        "session": question.session,
        "target": question.about.target,
        "page": question.about.page,
        "facts": list(question.about.facts),
        "until": question.until,
    }


class _JsonLines(Response):
    """JSON lines from several sources, until the client disconnects."""

    media_type = "application/x-ndjson"

    def __init__(self, sources: list[Source]) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._sources = sources

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        lock = anyio.Lock()

        async def send_line(line: Mapping[str, Any]) -> None:
            async with lock:
                body = orjson.dumps(line) + b"\n"
                await send({"type": "http.response.body", "body": body, "more_body": True})

        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with anyio.create_task_group() as group:
            for source in self._sources:
                group.start_soon(source, send_line)
            while (await receive())["type"] != "http.disconnect":
                pass
            group.cancel_scope.cancel()
