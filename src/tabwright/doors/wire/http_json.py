"""JSON over HTTP: read the body of a request, answer with an object, answer with an error."""

import math
from collections.abc import Mapping
from typing import Any

import anyio
import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tabwright import errors
from tabwright.hygiene import escape_invisible
from tabwright.policy.callers.rate_limit import TooFast

LOOPBACK = "127.0.0.1"
MAX_BODY = 4 * 1024 * 1024
_BODY_TIMEOUT = 30.0

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


class Json(Response):
    """A JSON response."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        # As escapes, invisible characters of exact values can be seen, and are parsed as they are.
        return escape_invisible(orjson.dumps(content, default=str).decode()).encode()


def error_response(
    error: errors.TabwrightError, status: int | None = None, headers: Mapping[str, str] | None = None
) -> Json:
    """Return the response for an error; `status` where HTTP has a more precise one than the table."""
    if isinstance(error, TooFast):
        status, headers = 429, {"retry-after": str(math.ceil(error.seconds))}
    return Json({"error": error.as_json()}, status or STATUS[error.kind], headers)


async def read_json_object(request: Request) -> dict[str, Any]:
    """Read the body: a JSON object, or nothing.

    Raises:
        InvalidArgs: it is something else.
    """
    body = await _read_body(request)
    try:
        args = orjson.loads(body or b"{}")
    except orjson.JSONDecodeError as error:
        raise errors.InvalidArgs(f"The body is not JSON: {error}.", hint="Send a JSON object.") from None
    if not isinstance(args, dict):
        raise errors.InvalidArgs(
            f"The body is a JSON {type(args).__name__}, not an object.", hint="Send a JSON object."
        )
    return args


async def _read_body(request: Request) -> bytes:
    too_large = HTTPException(413, f"the body is larger than {MAX_BODY} bytes")
    if int(request.headers.get("content-length", 0)) > MAX_BODY:
        raise too_large
    body = bytearray()
    try:
        with anyio.fail_after(_BODY_TIMEOUT):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_BODY:
                    raise too_large
    except TimeoutError:
        raise HTTPException(408, f"the body did not arrive within {_BODY_TIMEOUT:g} s") from None
    return bytes(body)
