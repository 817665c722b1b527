"""The body of a request: one JSON object, bounded in size and time."""

from typing import Any

import anyio
import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request

from tabwright.errors import InvalidArgs

MOST_BODY = 4 * 1024 * 1024
_BODY_SECONDS = 30.0


async def args_of(request: Request) -> dict[str, Any]:
    """Read the body: a JSON object, or nothing."""
    body = await _body(request)
    try:
        args = orjson.loads(body or b"{}")
    except orjson.JSONDecodeError as error:
        raise InvalidArgs(f"The body is not JSON: {error}.", hint="Send a JSON object.") from None
    if not isinstance(args, dict):
        raise InvalidArgs(
            f"The body is a JSON {type(args).__name__}, not an object.", hint="Send a JSON object."
        )
    return args


async def _body(request: Request) -> bytes:
    """Read the whole body, bounded in size and time."""
    too_large = HTTPException(413, f"the body is over {MOST_BODY} bytes")
    if int(request.headers.get("content-length", 0)) > MOST_BODY:
        raise too_large
    body = bytearray()
    try:
        with anyio.fail_after(_BODY_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > MOST_BODY:
                    raise too_large
    except TimeoutError:
        raise HTTPException(408, f"the body did not arrive within {_BODY_SECONDS:g} s") from None
    return bytes(body)
