"""The dashboard: a page that shows sessions, tabs and calls as they happen, and lets a person step in."""

from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from tabwright.action import Args
from tabwright.browser.tab import Tab
from tabwright.call import Call
from tabwright.doors.client_config import program, setup_steps
from tabwright.doors.dashboard.input import Event, send
from tabwright.doors.dashboard.stream import News, Watched, find
from tabwright.doors.wire.http_json import Json, read_json_object
from tabwright.errors import NotFound
from tabwright.page_tools.inventory import inventory_of
from tabwright.policy.callers.http_auth import LOCAL
from tabwright.policy.callers.principal import Principal
from tabwright.runner import PERSON, Runner
from tabwright.schema import validate
from tabwright.sessions.session import Session

STATIC = Path(__file__).parent / "static"
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
# Seconds that a page has to tell its tools; one that is busy has those from before.
_LOOK_SECONDS = 5.0
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

    event: Event = Field(discriminator="kind")


class Dashboard:
    """Serves people. What they ask for needs the scope `admin`; the page itself holds nothing."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
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
        tab = self._session(given).context.tab(given.tab or "")
        return Json(self._runner.redacted(await _seen(tab, given.at)))

    async def _run(self, request: Request) -> Response:
        given = await _given(request, Run)
        session = self._session(given)
        call = _call(request, session, given.action, args=given.args, tab=given.tab)
        return Json((await self._runner.run(call)).as_json())

    async def _hold(self, request: Request) -> Response:
        """Take over or hand back. A call under way ends as it would; those that wait for it do not begin."""
        given = await _given(request, Hold)
        session = self._session(given)
        if session.held != given.hold:
            session.held = given.hold
            self._runner.note(_call(request, session, "take_over" if given.hold else "hand_back"))
        return Json({"held": given.hold, "busy": session.lock.locked()})

    async def _input(self, request: Request) -> Response:
        given = await _given(request, Input)
        session = self._session(given)
        if not session.held:
            raise NotFound("This session is not yours now.", hint="Take it over first.")
        await send(session.context.tab(given.tab or ""), given.event)
        self._runner.sessions.touch(session)
        return Json({})

    async def _decide(self, request: Request) -> Response:
        given = await _given(request, Decision)
        question = self._runner.approvals.decide(given.number, allow=given.allow)
        call = Call(
            action="allow" if given.allow else "refuse",
            args={"action": question.action},
            principal=Principal(question.who),
            session=question.session or None,
            door=PERSON,
            by=_person(request),
        )
        self._runner.note(call)
        return Json({})

    async def _reply(self, request: Request) -> Response:
        """Answer a dialog, beside all calls: one of them may wait for just that."""
        given = await _given(request, Reply)
        session = self._session(given)
        dialogs = session.context.tab(given.tab or "").dialogs
        await (dialogs.accept(given.text) if given.accept else dialogs.dismiss())
        args = {"accept": given.accept, **({"text": given.text} if given.text else {})}
        self._runner.note(_call(request, session, "answer_dialog", args=args, tab=given.tab))
        return Json({})

    async def _stop(self, request: Request) -> Response:
        session = self._session(await _given(request, Where))
        session.held = False
        await self._runner.sessions.close(session.owner, session.name, graceful=False, trusted=True)
        self._runner.note(_call(request, session, "end_session"))
        return Json({})

    def _session(self, where: Where) -> Session:
        session = find(self._runner, where.session)
        if session is None:
            raise NotFound("There is no such session any more.", hint="Choose one that is shown.")
        return session


def _call(
    request: Request,
    session: Session,
    action: str,
    *,
    args: dict[str, Any] | None = None,
    tab: str | None = None,
) -> Call:
    """What a person does in a session: with its owner's rights, under their own name."""
    return Call(
        action=action,
        args=args or {},
        principal=Principal(session.owner),
        session=session.name,
        tab=tab,
        door=PERSON,
        by=_person(request),
    )


async def _seen(tab: Tab, at: Literal["tools", "console", "network"]) -> dict[str, Any]:
    if at == "console":
        return {"lines": [f"{message.number}. {message}" for message in tab.console.messages()]}
    if at == "network":
        return {"lines": [str(exchange) for exchange in tab.network.exchanges()]}
    listing = await inventory_of(tab).list_within(_LOOK_SECONDS)
    tools = [
        {"name": tool.name, "description": tool.description, "schema": tool.schema} for tool in listing.shown
    ]
    return {"tools": tools, "left": len(listing.rest)}


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
