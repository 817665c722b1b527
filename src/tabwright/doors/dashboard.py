"""The dashboard: a page that shows sessions, tabs and calls as they happen, and lets a person step in."""

from collections.abc import AsyncIterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import anyio
import orjson
from pydantic import Field
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from tabwright import __version__
from tabwright.action import Args
from tabwright.browser.screencast import screencast_of
from tabwright.cdp import CdpError
from tabwright.doors.body import args_of
from tabwright.doors.dashboard_input import Event, send
from tabwright.doors.problem import Json
from tabwright.doors.rest import told
from tabwright.errors import NotFound, TabwrightError
from tabwright.policy.identity import Principal
from tabwright.runner import PERSON, Call, Runner, validated
from tabwright.sessions.session import Session

STATIC = Path(__file__).parent / "static" / "dashboard"
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
_LOOK_EVERY = 0.5
_LINES = "application/x-ndjson"
A = TypeVar("A", bound=Args)


class Where(Args):
    """A session, by what the state calls it, and perhaps a tab of it."""

    session: str = Field(max_length=300)
    tab: str | None = Field(None, max_length=20)


class Run(Where):
    """An action to be run as the session's owner would."""

    action: str = Field(max_length=100)
    args: dict[str, Any] = Field({})


class Hold(Where):
    """Taking a session over, or handing it back."""

    hold: bool


class Decision(Args):
    """The answer to a call that waits."""

    number: int
    allow: bool


class Input(Where):
    """Something that the person did with mouse or keyboard."""

    event: Event = Field(discriminator="kind")


class Dashboard:
    """Serves people. What they ask for needs the scope `admin`; the page itself holds nothing."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    @property
    def routes(self) -> list[BaseRoute]:
        """The routes to put into the app."""
        orders = {
            "run": self._run,
            "hold": self._hold,
            "input": self._input,
            "decide": self._decide,
            "stop": self._stop,
        }
        return [
            Route("/", _page),
            Mount("/dashboard", StaticFiles(directory=STATIC)),
            Route("/api/dashboard/stream", self._stream),
            Route("/api/dashboard/screen", self._screen),
            *(Route(f"/api/dashboard/{name}", order, methods=["POST"]) for name, order in orders.items()),
        ]

    async def _stream(self, request: Request) -> Response:
        _require_admin(request)
        return StreamingResponse(self._news(), media_type=_LINES)

    async def _news(self) -> AsyncIterator[bytes]:
        """Tell the calls so far, then every change: of the state when there is one, of calls as they end."""
        seen, number = b"", 0
        while True:
            state = orjson.dumps({"kind": "state", **self._state()})
            if state != seen:
                yield state + b"\n"
                seen = state
            for line in self._runner.journal.after(number):
                yield orjson.dumps({"kind": "call", **asdict(line)}) + b"\n"
            number = self._runner.journal.last
            with anyio.move_on_after(_LOOK_EVERY):
                await self._runner.journal.news.until(partial(self._runner.journal.is_past, number))

    def _state(self) -> dict[str, Any]:
        runner = self._runner
        return {
            "version": __version__,
            "browser": runner.sessions.browser_running,
            "sessions": [self._told(session) for session in runner.sessions],
            "waiting": [
                {
                    "number": question.number,
                    "who": question.who,
                    "action": question.action,
                    "args": orjson.dumps(dict(question.args)).decode(),
                    "session": question.session,
                }
                for question in runner.approvals.waiting
            ],
        }

    def _told(self, session: Session) -> dict[str, Any]:
        return {
            "key": _key(session),
            "owner": session.owner,
            "name": session.name,
            "busy": session.lock.locked(),
            "held": session in self._runner.held,
            "tabs": [
                {"id": tab.id, "url": tab.url, "current": tab.id == session.current} for tab in session.tabs
            ],
        }

    async def _screen(self, request: Request) -> Response:
        _require_admin(request)
        where = validated(Where, request.query_params)
        assert isinstance(where, Where)
        tab = self._session(where).context.tab(where.tab or "")

        async def stills() -> AsyncIterator[bytes]:
            number = 0
            async with screencast_of(tab).watched() as screencast:
                while True:
                    still = await screencast.after(number)
                    number = still.number
                    yield (
                        orjson.dumps({"jpeg": still.jpeg, "width": still.width, "height": still.height})
                        + b"\n"
                    )

        return StreamingResponse(_until_over(stills()), media_type=_LINES)

    async def _run(self, request: Request) -> Response:
        given = await _given(request, Run)
        session = self._session(given)
        call = Call(
            action=given.action,
            args=given.args,
            principal=Principal(session.owner),
            session=session.name,
            tab=given.tab,
            door=PERSON,
        )
        return Json(told(await self._runner.run(call)))

    async def _hold(self, request: Request) -> Response:
        given = await _given(request, Hold)
        session = self._session(given)
        (self._runner.held.add if given.hold else self._runner.held.discard)(session)
        self._runner.journal.news.fire()
        return Json({"held": given.hold})

    async def _input(self, request: Request) -> Response:
        given = await _given(request, Input)
        session = self._session(given)
        if session not in self._runner.held:
            raise NotFound("This session is not yours now.", hint="Take it over first.")
        await send(session.context.tab(given.tab or ""), given.event)
        return Json({})

    async def _decide(self, request: Request) -> Response:
        given = await _given(request, Decision)
        self._runner.approvals.decide(given.number, allow=given.allow)
        return Json({})

    async def _stop(self, request: Request) -> Response:
        session = self._session(await _given(request, Where))
        self._runner.held.discard(session)
        await self._runner.sessions.close(session.owner, session.name, graceful=False)
        return Json({})

    def _session(self, where: Where) -> Session:
        for session in self._runner.sessions:
            if _key(session) == where.session:
                return session
        raise NotFound("There is no such session any more.", hint="Choose one that is shown.")


def _key(session: Session) -> str:
    return f"{session.owner} {session.name}"


async def _page(_: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"content-security-policy": _POLICY})


def _require_admin(request: Request) -> None:
    request.state.principal.require_scope("admin", "The dashboard")


async def _given(request: Request, model: type[A]) -> A:
    _require_admin(request)
    given = validated(model, await args_of(request))
    assert isinstance(given, model)
    return given


async def _until_over(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """End a stream in order when its tab does, or has no picture now: whoever watches asks again."""
    try:
        async for piece in pieces:
            yield piece
    except (CdpError, TabwrightError):
        return
