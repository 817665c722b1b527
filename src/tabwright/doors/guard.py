"""Who may come in over HTTP: Host and Origin are checked on every request, then the caller is named.

A page in some browser can send requests to this computer; what gives it away is the name it came by (Host)
and the site it belongs to (Origin).
"""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from tabwright.doors.problem import Json, problem
from tabwright.errors import Denied
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
        refusal = self._refusal(headers)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        scope.setdefault("state", {})["principal"] = principal_of(headers)
        await self._app(scope, receive, send)

    def _refusal(self, headers: Headers) -> Json | None:
        host, origin = headers.getlist("host"), headers.getlist("origin")
        if len(host) != 1 or host[0].lower() not in self._hosts:
            named = ", ".join(host) or "no host"
            hint = f"Use http://{min(self._hosts)}."
            return problem(Denied(f"The request is for {named[:200]}, which is not us.", hint=hint), 421)
        if origin and (len(origin) > 1 or origin[0].lower() not in self._origins):
            named = ", ".join(origin)[:200]
            return problem(
                Denied(f"Pages of {named or 'an unnamed site'} may not call.", hint="Call without a page.")
            )
        return None


def principal_of(_: Headers) -> Principal:
    """Name the caller. Whoever reaches the loopback port counts as the user."""
    return Principal("local:rest")
