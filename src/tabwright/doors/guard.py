"""Who may come in over HTTP: Host and Origin are checked on every request, then the caller is named.

A page in some browser can send requests to this computer; what gives it away is the name it came by (Host)
and the site it belongs to (Origin).
"""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from tabwright.doors.problem import Json, problem
from tabwright.errors import Denied, InvalidArgs
from tabwright.policy.identity import Principal


def hosts(port: int) -> list[str]:
    """Return the names under which our port is ours."""
    return [f"127.0.0.1:{port}", f"localhost:{port}"]


def origins(port: int) -> list[str]:
    """Return the sites that are ours."""
    return [f"http://{host}" for host in hosts(port)]


class Guard:
    """Lets a request through with `request.state.principal` set, or answers it itself."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = frozenset(hosts(port))
        self._origins = frozenset(origins(port))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        refusal = self._foreign(headers) or _not_json(headers)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        scope.setdefault("state", {})["principal"] = principal_of(headers)
        await self._app(scope, receive, send)

    def _foreign(self, headers: Headers) -> Json | None:
        host, origin = headers.getlist("host"), headers.getlist("origin")
        if len(host) != 1 or host[0].lower() not in self._hosts:
            named = ", ".join(host)[:200] or "no host"
            hint = f"Use http://{min(self._hosts)}."
            return problem(Denied(f"The request is for {named}, which is not us.", hint=hint), 421)
        if origin and (len(origin) > 1 or origin[0].lower() not in self._origins):
            named = ", ".join(origin)[:200] or "an unnamed site"
            return problem(Denied(f"Pages of {named} may not call.", hint="Call without a page."))
        return None


def _not_json(headers: Headers) -> Json | None:
    """Refuse bodies of other types: those that a page may send anywhere without asking are all of them."""
    given = headers.get("content-type")
    kind = (given or "").partition(";")[0].strip().lower()
    empty = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    if kind == "application/json" or (given is None and empty):
        return None
    told = f"The body is {kind[:200] or 'of no type'}, not JSON."
    return problem(InvalidArgs(told, hint="Send content-type: application/json."), 415)


def principal_of(_: Headers) -> Principal:
    """Name the caller. Whoever reaches the loopback port counts as the user."""
    return Principal("local:rest")
