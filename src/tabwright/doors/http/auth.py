"""Who may call over HTTP: checks Host and Origin, identifies and counts the caller, checks the body's type.

Any page in a browser can send requests to this computer. It is recognised by the host name that it used
(Host) and by its site (Origin; Sec-Fetch-Site where no Origin is sent: images, frames, links).
"""

import logging
import re
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import Headers, QueryParams
from starlette.types import ASGIApp, Receive, Scope, Send

from tabwright.doors.http.known_hosts import KnownHosts, bracket
from tabwright.doors.wire.http_json import Json, error_response
from tabwright.errors import Denied, InvalidArgs, TabwrightError
from tabwright.policy.callers.http_auth import HttpAuth, Unknown
from tabwright.policy.network.peer_user import is_own_user

log = logging.getLogger(__name__)

# Any printable characters, because users choose keys as they choose passwords.
_BEARER = re.compile(r"(?i:bearer) ([!-~]([ -~]{0,510}[!-~])?)")
_KEY = re.compile(r"([!-~]([ -~]{0,510}[!-~])?)")
_TOKEN_HEADERS = frozenset({"authorization", "x-api-key"})
# Needs no token: whether the hub is up, and the dashboard's page without its content.
_PUBLIC = re.compile(r"/|/api/health|/dashboard/[a-z]+\.(js|css)")
# Links of other sites may lead here: pages for people, which change nothing by themselves.
_LINKABLE = frozenset({"/", "/api/"})
_LINK_REQUEST = ("GET", "navigate", "document")
_OWN_SITES = ("same-origin", "none")  # none: the user typed the address, or opened a bookmark
# A URL ends up in histories and logs, where a token would be found.
_TOKEN_PARAMETERS = frozenset({"token", "access_token", "api_key", "apikey", "authorization", "bearer"})
_CHALLENGE = 'Bearer realm="tabwright"'
_MCP = ("/mcp", "/sse", "/messages")
_INVALID_REQUEST = -32600
_AUTHORIZATION_ERROR = -32002


class AuthMiddleware:
    """ASGI middleware: sets `request.state.principal`, or answers the request with an error."""

    def __init__(self, app: ASGIApp, auth: HttpAuth, known: KnownHosts) -> None:
        self._app = app
        self._auth = auth
        self._known = known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        refusal = self._check_site(scope, headers) or self._identify(scope, headers) or _check_type(headers)
        if refusal is not None:
            await _refuse(scope["path"], *refusal)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _check_site(self, scope: Scope, headers: Headers) -> "_Refusal | None":
        host, origin = headers.getlist("host"), headers.getlist("origin")
        # The IP address that was dialled is always ours: only a name can point to us by mistake.
        here = f"{bracket(scope['server'][0])}:{scope['server'][1]}"
        if len(host) != 1 or not (host[0].lower() == here or self._known.has_host(host[0])):
            named = ", ".join(host)[:200] or "no host"
            hint = f"Use http://{self._known.example}, or add the name to the setting hosts."
            return Denied(f"The request is for {named}, not for this server.", hint=hint), 421, {}
        if origin and (len(origin) > 1 or not self._known.has_origin(origin[0], host[0])):
            named = ", ".join(origin)[:200] or "an unnamed site"
            hint = "Call from a program, not from a page."
            return Denied(f"Pages of {named} may not call.", hint=hint), 403, {}
        if any(site not in _OWN_SITES for site in headers.getlist("sec-fetch-site")) and not _is_link(
            scope, headers
        ):
            hint = "Call from a program, not from a page."
            return Denied("Pages of other sites may not call.", hint=hint), 403, {}
        return None

    def _identify(self, scope: Scope, headers: Headers) -> "_Refusal | None":
        """Store the caller, or return why it is refused."""
        if _TOKEN_PARAMETERS & {name.lower() for name in QueryParams(scope["query_string"])}:
            hint = "Send it as Authorization: Bearer TOKEN."
            return InvalidArgs("The URL contains a token.", hint=hint), 400, {}
        try:
            token = _read_token(headers)
            state = scope.setdefault("state", {})
            anonymous = token is None and _PUBLIC.fullmatch(scope["path"]) and self._auth.needs_token
            own_user = token is not None or self._auth.needs_token or _is_own_user(scope)
            state["principal"] = None if anonymous else self._auth.admit(token, own_user=own_user)
        except Unknown as error:
            return error, 401, {"www-authenticate": _CHALLENGE}
        except TabwrightError as error:
            if error.kind is not type(error):  # a subclass has its own status: the rate limit
                return error, None, {}
            log.error("no caller can be identified: %s", error)  # noqa: TRY400 - the message is enough
            unreadable = Denied("The hub cannot read its tokens.", hint="Check the hub's log.")
            return unreadable, 503, {}
        return None


def _is_own_user(scope: Scope) -> bool:
    """Whether a request comes from a program of our user; requests without a connection are our own."""
    return not scope.get("client") or is_own_user(tuple(scope["client"]), tuple(scope["server"]))


def _is_link(scope: Scope, headers: Headers) -> bool:
    """Whether a request is a navigation that a link of another site may start."""
    request = (scope["method"], headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest"))
    return scope["path"] in _LINKABLE and request == _LINK_REQUEST


_Refusal = tuple[TabwrightError, int | None, Mapping[str, str]]


def _read_token(headers: Headers) -> str | None:
    """Return the token of a request; None when it has none.

    Raises:
        Unknown: the headers contain something else, or several tokens.
    """
    given = [_BEARER.fullmatch(line) for line in headers.getlist("authorization")]
    given += [_KEY.fullmatch(line) for line in headers.getlist("x-api-key")]
    if not given:
        return None
    tokens = {found and found[1] for found in given}
    if len(tokens) > 1 or None in tokens or len(given) > len(_TOKEN_HEADERS & set(headers)):
        raise Unknown("The Authorization header is not a token.", hint="Send Authorization: Bearer TOKEN.")
    return tokens.pop()


def _check_type(headers: Headers) -> _Refusal | None:
    """Accept only JSON bodies: pages can send every other type to any site without a preflight."""
    given = headers.get("content-type")
    kind = (given or "").partition(";")[0].strip().lower()
    empty = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    if kind == "application/json" or (given is None and empty):
        return None
    message = f"The body is {kind[:200] or 'of no type'}, not JSON."
    return InvalidArgs(message, hint="Send content-type: application/json."), 415, {}


def _refuse(path: str, error: TabwrightError, status: int | None, headers: Mapping[str, str]) -> Json:
    """Answer in the form that the clients of a path expect: JSON-RPC for MCP."""
    answer = error_response(error, status, headers)
    if not path.startswith(_MCP):
        return answer
    code = _AUTHORIZATION_ERROR if isinstance(error, Denied) else _INVALID_REQUEST
    described: dict[str, Any] = {"code": code, "message": str(error)}
    other_headers = {name: value for name, value in answer.headers.items() if not name.startswith("content-")}
    return Json({"jsonrpc": "2.0", "id": None, "error": described}, answer.status_code, other_headers)
