"""Answers for what routes raise, and for what the router itself refuses."""

import logging
import secrets

from starlette.exceptions import HTTPException
from starlette.requests import Request

from tabwright import errors
from tabwright.doors.wire.http_json import Json, error_response

log = logging.getLogger(__name__)

_SEE_ROUTES = "All routes: /api/openapi.json."


async def on_error(_: Request, error: Exception) -> Json:
    """Answer for an error that a route raised."""
    assert isinstance(error, errors.TabwrightError)
    return error_response(error)


async def on_http_error(request: Request, error: Exception) -> Json:
    """Answer for what the router refuses: an unknown path, a wrong method."""
    assert isinstance(error, HTTPException)
    requested = f"{request.method} {request.url.path}"
    if error.status_code == 404:
        answer: errors.TabwrightError = errors.NotFound(f"There is no {request.url.path}.", hint=_SEE_ROUTES)
    elif error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "another method")
        answer = errors.InvalidArgs(f"{requested} is not allowed.", hint=f"Use {allowed}.")
    else:
        answer = errors.InvalidArgs(f"{requested} was refused: {error.detail}.", hint=_SEE_ROUTES)
    return error_response(answer, error.status_code, error.headers)


async def on_unexpected_error(request: Request, error: Exception) -> Json:
    """Answer for a bug of ours; the exception itself stays in the log."""
    log_id = secrets.token_hex(4)
    log.error("%s %s failed, log id %s", request.method, request.url.path, log_id, exc_info=error)
    return error_response(
        errors.Internal(f"Internal error (log id {log_id}).", hint="Report it with the log id.")
    )
