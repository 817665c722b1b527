"""The dashboard's routes: its page, and what a person at it asks of the hub.

`stream` sends what happens. Everything a person does goes through `Intervention`.
"""

from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from tabwright.action import Args
from tabwright.doors.client_config.launch import program
from tabwright.doors.client_config.steps import setup_steps
from tabwright.doors.dashboard.stream import Stream, Watched
from tabwright.doors.wire.http_json import Json, read_json_object
from tabwright.intervention import Intervention
from tabwright.person_input import InputEvent
from tabwright.policy.callers.http_auth import LOCAL
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.schema import validate

STATIC = Path(__file__).parent / "static"
_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
# The person where no token is needed.
_LOCAL_PERSON = "local:person"
A = TypeVar("A", bound=Args)


class InSession(Args):
    """A session, by its key in the state, and a tab of it where one is meant."""

    session: str = Field(max_length=300)
    tab: str | None = Field(None, max_length=20)


class Look(InSession):
    """Read a panel of a tab."""

    at: Literal["tools", "console", "network"]


class Run(InSession):
    """Run an action with the rights of the session's owner."""

    action: str = Field(max_length=100)
    args: dict[str, Any] = Field({})


class Hold(InSession):
    """Take a session over, or hand it back."""

    hold: bool


class Decide(Args):
    """Allow or refuse a call that waits for approval."""

    number: int
    allow: bool


class Reply(InSession):
    """Answer a dialog of a page."""

    accept: bool
    text: str | None = Field(None, max_length=10_000)


class Input(InSession):
    """Send an event of mouse or keyboard to a tab."""

    event: InputEvent = Field(discriminator="kind")


class Dashboard:
    """Serves people, who need the scope `admin`; the page itself is public and contains nothing."""

    def __init__(self, runner: Runner) -> None:
        self._people = Intervention(runner)
        self._stream = Stream(runner, self._people)

    @property
    def routes(self) -> list[BaseRoute]:
        """The routes for the app."""
        posts = {
            "look": self._look,
            "run": self._run,
            "hold": self._hold,
            "input": self._input,
            "decide": self._decide,
            "reply": self._reply,
            "stop": self._stop,
        }
        return [
            Route("/", _page),
            Mount("/dashboard", StaticFiles(directory=STATIC)),
            Route("/api/dashboard/stream", self._follow),
            Route("/api/dashboard/start", _start),
            *(Route(f"/api/dashboard/{name}", respond, methods=["POST"]) for name, respond in posts.items()),
        ]

    async def _follow(self, request: Request) -> Response:
        _require_admin(request)
        watched = validate(Watched, request.query_params)
        assert isinstance(watched, Watched)
        return self._stream.respond(watched)

    async def _look(self, request: Request) -> Response:
        given = await _read(request, Look)
        session = self._people.session(given.session)
        return Json(await self._people.inspect(session, given.tab or "", given.at))

    async def _run(self, request: Request) -> Response:
        given = await _read(request, Run)
        session = self._people.session(given.session)
        answer = await self._people.run(session, _person(request), given.action, given.args, given.tab)
        return Json(answer.as_json())

    async def _hold(self, request: Request) -> Response:
        given = await _read(request, Hold)
        session = self._people.session(given.session)
        change = self._people.take_over if given.hold else self._people.hand_back
        change(session, _person(request))
        return Json({"held": given.hold, "busy": session.lock.locked()})

    async def _input(self, request: Request) -> Response:
        given = await _read(request, Input)
        session = self._people.session(given.session)
        await self._people.send_input(session, given.tab or "", given.event)
        return Json({})

    async def _decide(self, request: Request) -> Response:
        given = await _read(request, Decide)
        self._people.decide(given.number, _person(request), allow=given.allow)
        return Json({})

    async def _reply(self, request: Request) -> Response:
        given = await _read(request, Reply)
        session = self._people.session(given.session)
        await self._people.answer_dialog(
            session, _person(request), given.tab or "", accept=given.accept, text=given.text
        )
        return Json({})

    async def _stop(self, request: Request) -> Response:
        given = await _read(request, InSession)
        await self._people.end_session(self._people.session(given.session), _person(request))
        return Json({})


async def _page(_: Request) -> Response:
    headers = {"content-security-policy": _CONTENT_SECURITY_POLICY}
    return FileResponse(STATIC / "index.html", headers=headers)


async def _start(request: Request) -> Response:
    """Return how to connect an agent, and how to run the demo without one."""
    _require_admin(request)
    return Json(
        {
            "demo": f"{program()} demo",
            "steps": [{"client": client, "line": line} for client, line in setup_steps().items()],
        }
    )


def _person(request: Request) -> str:
    principal: Principal = request.state.principal
    return _LOCAL_PERSON if principal.name == LOCAL.name else principal.name


def _require_admin(request: Request) -> None:
    request.state.principal.require_scope("admin", "The dashboard")


async def _read(request: Request, model: type[A]) -> A:
    _require_admin(request)
    given = validate(model, await read_json_object(request))
    assert isinstance(given, model)
    return given
