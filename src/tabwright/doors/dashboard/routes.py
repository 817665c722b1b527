"""The dashboard: a page that shows sessions, tabs and calls as they happen, and lets a person step in."""

from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from tabwright.action import Args
from tabwright.doors.client_config import program, setup_steps
from tabwright.doors.dashboard.stream import News, Watched, find
from tabwright.doors.wire.http_json import Json, read_json_object
from tabwright.errors import NotFound
from tabwright.intervention import Intervention
from tabwright.person_input import InputEvent
from tabwright.policy.callers.http_auth import LOCAL
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.schema import validate
from tabwright.sessions.session import Session

STATIC = Path(__file__).parent / "static"
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
# Who acts where nobody needs a token.
_SOMEBODY = "local:person"
A = TypeVar("A", bound=Args)


class Where(Args):
    """A session, by what the state calls it, and perhaps a tab of it."""

    session: str = Field(max_length=300)
    tab: str | None = Field(None, max_length=20)


class Look(Where):
    """What of a tab is to be seen beside its picture."""

    at: Literal["tools", "console", "network"]


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


class Reply(Where):
    """The answer to a dialog of a page."""

    accept: bool
    text: str | None = Field(None, max_length=10_000)


class Input(Where):
    """Something that the person did with mouse or keyboard."""

    event: InputEvent = Field(discriminator="kind")


class Dashboard:
    """Serves people. What they ask for needs the scope `admin`; the page itself holds nothing."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._people = Intervention(runner)
        self._news = News(runner)

    @property
    def routes(self) -> list[BaseRoute]:
        """The routes to put into the app."""
        orders = {
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
            Route("/api/dashboard/stream", self._stream),
            Route("/api/dashboard/start", _start),
            *(Route(f"/api/dashboard/{name}", order, methods=["POST"]) for name, order in orders.items()),
        ]

    async def _stream(self, request: Request) -> Response:
        _require_admin(request)
        watched = validate(Watched, request.query_params)
        assert isinstance(watched, Watched)
        return self._news.stream(watched)

    async def _look(self, request: Request) -> Response:
        """Look without acting: nothing is noted, and no news of the session's owner is taken."""
        given = await _given(request, Look)
        return Json(await self._people.inspect(self._session(given), given.tab or "", given.at))

    async def _run(self, request: Request) -> Response:
        given = await _given(request, Run)
        session = self._session(given)
        answer = await self._people.run(session, _person(request), given.action, given.args, given.tab)
        return Json(answer.as_json())

    async def _hold(self, request: Request) -> Response:
        """Take over or hand back. A call under way ends as it would; those that wait for it do not begin."""
        given = await _given(request, Hold)
        session = self._session(given)
        step = self._people.take_over if given.hold else self._people.hand_back
        step(session, _person(request))
        return Json({"held": given.hold, "busy": session.lock.locked()})

    async def _input(self, request: Request) -> Response:
        given = await _given(request, Input)
        session = self._session(given)
        await self._people.send_input(session, given.tab or "", given.event)
        return Json({})

    async def _decide(self, request: Request) -> Response:
        given = await _given(request, Decision)
        self._people.decide(given.number, _person(request), allow=given.allow)
        return Json({})

    async def _reply(self, request: Request) -> Response:
        """Answer a dialog, beside all calls: one of them may wait for just that."""
        given = await _given(request, Reply)
        session = self._session(given)
        await self._people.answer_dialog(
            session, _person(request), given.tab or "", accept=given.accept, text=given.text
        )
        return Json({})

    async def _stop(self, request: Request) -> Response:
        session = self._session(await _given(request, Where))
        await self._people.end_session(session, _person(request))
        return Json({})

    def _session(self, where: Where) -> Session:
        session = find(self._runner, where.session)
        if session is None:
            raise NotFound("There is no such session any more.", hint="Choose one that is shown.")
        return session


async def _page(_: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"content-security-policy": _POLICY})


async def _start(request: Request) -> Response:
    """Tell who has no agent here yet how to bring one, and how to see something without."""
    _require_admin(request)
    return Json(
        {
            "demo": f"{program()} demo",
            "ways": [{"client": client, "line": line} for client, line in setup_steps().items()],
        }
    )


def _person(request: Request) -> str:
    principal: Principal = request.state.principal
    return _SOMEBODY if principal.name == LOCAL.name else principal.name


def _require_admin(request: Request) -> None:
    request.state.principal.require_scope("admin", "The dashboard")


async def _given(request: Request, model: type[A]) -> A:
    _require_admin(request)
    given = validate(model, await read_json_object(request))
    assert isinstance(given, model)
    return given
