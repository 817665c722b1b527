"""Failures as HTTP tells them: one table from class to status, one JSON shape."""

import logging
import math
import secrets
from collections.abc import Mapping
from typing import Any

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tabwright import errors
from tabwright.policy.callers.rate_limit import TooFast

log = logging.getLogger(__name__)

STATUS: dict[type[errors.TabwrightError], int] = {
    errors.InvalidArgs: 400,
    errors.Denied: 403,
    errors.NotFound: 404,
    errors.Stale: 409,
    errors.Blocked: 409,
    errors.Internal: 500,
    errors.PageFailed: 502,
    errors.BrowserGone: 503,
    errors.TimedOut: 504,
}

_MAP = "What there is: /api/openapi.json."


class Json(Response):
    """A JSON response."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return orjson.dumps(content, default=str)


def problem(
    error: errors.TabwrightError, status: int | None = None, headers: Mapping[str, str] | None = None
) -> Json:
    """Return the response for a failure; `status` where HTTP has a closer word than the table."""
    if isinstance(error, TooFast):
        status, headers = 429, {"retry-after": str(math.ceil(error.seconds))}
    return Json({"error": error.as_json()}, status or STATUS[error.kind], headers)


async def on_error(_: Request, error: Exception) -> Json:
    """Answer for a failure that an endpoint let pass."""
    assert isinstance(error, errors.TabwrightError)
    return problem(error)


async def on_http_fault(request: Request, error: Exception) -> Json:
    """Answer for what the router refuses: an unknown path, a wrong method."""
    assert isinstance(error, HTTPException)
    asked = f"{request.method} {request.url.path}"
    fault: errors.TabwrightError = errors.InvalidArgs(f"{asked} is refused: {error.detail}.", hint=_MAP)
    if error.status_code == 404:
        fault = errors.NotFound(f"There is no {request.url.path}.", hint=_MAP)
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "another method")
        fault = errors.InvalidArgs(f"{asked} is not possible.", hint=f"Use {allowed}.")
    return problem(fault, error.status_code, error.headers)


async def on_fault(request: Request, error: Exception) -> Json:
    """Answer for a fault of this door; what it was stays in the log."""
    log_id = secrets.token_hex(4)
    log.error("%s %s failed, log id %s", request.method, request.url.path, log_id, exc_info=error)
    return problem(errors.Internal(f"The hub failed (log id {log_id}).", hint="Report it with the log id."))
