"""Who may come in over HTTP: Host and Origin, then the caller is named and counted, then the body's type.

A page in some browser can send requests to this computer; what gives it away is the name it came by (Host)
and the site it belongs to (Origin, and Sec-Fetch-Site where no Origin is sent: pictures, frames, links).
"""

import ipaddress
import logging
import re
from collections.abc import Iterable, Mapping
from typing import Any

from starlette.datastructures import Headers, QueryParams
from starlette.types import ASGIApp, Receive, Scope, Send

from tabwright.doors.wire.http_json import Json, error_response
from tabwright.errors import Denied, InvalidArgs, TabwrightError
from tabwright.policy.callers.http_auth import HttpAuth, Unknown

log = logging.getLogger(__name__)

_LOOPBACK = ("127.0.0.1", "localhost")
_BEARER = re.compile(r"(?i:bearer) ([A-Za-z0-9._~+/-]{1,512}=*)")
_KEY = re.compile(r"([A-Za-z0-9._~+/-]{1,512}=*)")
_TOKEN_HEADERS = frozenset({"authorization", "x-api-key"})
# That we live, and the dashboard's page without what it shows, may be seen by anybody.
_OPEN = re.compile(r"/|/api/health|/dashboard/[a-z]+\.(js|css)")
# Where a link of another site may lead: pages for people, which do nothing by themselves.
_VISITED = frozenset({"/", "/api/"})
_VISIT = ("GET", "navigate", "document")
_OURS = ("same-origin", "none")  # none: the person typed the address, or chose a bookmark
# An address is kept in histories and logs, where a token would be found.
_IN_ADDRESS = frozenset({"token", "access_token", "api_key", "apikey", "authorization", "bearer"})
_CHALLENGE = 'Bearer realm="tabwright"'
_MCP = ("/mcp", "/sse", "/messages")
_INVALID_REQUEST = -32600
_AUTHORIZATION_ERROR = -32002


def hosts(ports: Iterable[int], names: Iterable[str] = ()) -> list[str]:
    """Return the names under which our ports are ours."""
    return [f"{name.lower()}:{port}" for port in ports for name in (*_LOOPBACK, *map(_bracketed, names))]


def origins(ports: Iterable[int], names: Iterable[str] = ()) -> list[str]:
    """Return the sites that are ours."""
    return [f"http://{host}" for host in hosts(ports, names)]


class AuthMiddleware:
    """Lets a request through with `request.state.principal` set, or answers it itself."""

    def __init__(
        self, app: ASGIApp, entry: HttpAuth, ports: Iterable[int], names: Iterable[str] = ()
    ) -> None:
        self._app = app
        self._entry = entry
        self._hosts = frozenset(hosts(ports, names))
        self._origins = frozenset(origins(ports, names))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        refusal = self._foreign(scope, headers) or self._unadmitted(scope, headers) or _not_json(headers)
        if refusal is not None:
            await _as_due(scope["path"], *refusal)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _foreign(self, scope: Scope, headers: Headers) -> "_Refusal | None":
        host, origin = headers.getlist("host"), headers.getlist("origin")
        # The number of the address that was dialled is ours whatever we listen on: no name leads astray.
        here = f"{_bracketed(scope['server'][0])}:{scope['server'][1]}"
        if len(host) != 1 or host[0].lower() not in self._hosts | {here}:
            named = ", ".join(host)[:200] or "no host"
            hint = f"Use http://{min(self._hosts)}."
            return Denied(f"The request is for {named}, which is not us.", hint=hint), 421, {}
        if origin and (len(origin) > 1 or origin[0].lower() not in self._origins | {f"http://{here}"}):
            named = ", ".join(origin)[:200] or "an unnamed site"
            return Denied(f"Pages of {named} may not call.", hint="Call without a page."), 403, {}
        if any(site not in _OURS for site in headers.getlist("sec-fetch-site")) and not _visits(
            scope, headers
        ):
            return Denied("Pages of other sites may not call.", hint="Call without a page."), 403, {}
        return None

    def _unadmitted(self, scope: Scope, headers: Headers) -> "_Refusal | None":
        """Name the caller, or say why not."""
        if _IN_ADDRESS & {name.lower() for name in QueryParams(scope["query_string"])}:
            hint = "Send it as Authorization: Bearer TOKEN."
            return InvalidArgs("A token does not belong into an address.", hint=hint), 400, {}
        try:
            presented = _presented(headers)
            state = scope.setdefault("state", {})
            unnamed = presented is None and _OPEN.fullmatch(scope["path"]) and self._entry.needs_token
            state["principal"] = None if unnamed else self._entry.admit(presented)
        except Unknown as error:
            return error, 401, {"www-authenticate": _CHALLENGE}
        except TabwrightError as error:
            if error.kind is not type(error):  # a subclass says itself what it is: too fast
                return error, None, {}
            log.error("nobody can come in: %s", error)  # noqa: TRY400 - its text says all
            told = Denied("The hub cannot read its tokens.", hint="Ask whoever runs it to look into its log.")
            return told, 503, {}
        return None


def _visits(scope: Scope, headers: Headers) -> bool:
    """Whether a request is what a link of another site may be: a look at a page of ours."""
    how = (scope["method"], headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest"))
    return scope["path"] in _VISITED and how == _VISIT


_Refusal = tuple[TabwrightError, int | None, Mapping[str, str]]


def _presented(headers: Headers) -> str | None:
    """Return the token of a request; None when it has none.

    Raises:
        Unknown: there is something else in its place.
    """
    given = [_BEARER.fullmatch(line) for line in headers.getlist("authorization")]
    given += [_KEY.fullmatch(line) for line in headers.getlist("x-api-key")]
    if not given:
        return None
    tokens = {found and found[1] for found in given}
    if len(tokens) > 1 or None in tokens or len(given) > len(_TOKEN_HEADERS & set(headers)):
        raise Unknown("The Authorization is no token.", hint="Send one: Authorization: Bearer TOKEN.")
    return tokens.pop()


def _not_json(headers: Headers) -> _Refusal | None:
    """Refuse bodies of other types: those that a page may send anywhere without asking are all of them."""
    given = headers.get("content-type")
    kind = (given or "").partition(";")[0].strip().lower()
    empty = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    if kind == "application/json" or (given is None and empty):
        return None
    told = f"The body is {kind[:200] or 'of no type'}, not JSON."
    return InvalidArgs(told, hint="Send content-type: application/json."), 415, {}


def _as_due(path: str, error: TabwrightError, status: int | None, headers: Mapping[str, str]) -> Json:
    """Answer as the path's clients read it: MCP's wait for JSON-RPC."""
    answer = error_response(error, status, headers)
    if not path.startswith(_MCP):
        return answer
    code = _AUTHORIZATION_ERROR if isinstance(error, Denied) else _INVALID_REQUEST
    told: dict[str, Any] = {"code": code, "message": str(error)}
    kept = {name: value for name, value in answer.headers.items() if not name.startswith("content-")}
    return Json({"jsonrpc": "2.0", "id": None, "error": told}, answer.status_code, kept)


def _bracketed(name: str) -> str:
    try:
        return f"[{name}]" if ipaddress.ip_address(name).version == 6 else name
    except ValueError:
        return name
