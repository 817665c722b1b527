"""JSON as Chrome and pages write it."""

import json
import logging
from typing import Any

import orjson

log = logging.getLogger(__name__)


def decode(text: bytes | str) -> Any:
    """Parse JSON. A lone surrogate, which a page can put into a string, becomes a question mark.

    Raises:
        ValueError: it is not JSON.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        whole = json.dumps(json.loads(text), ensure_ascii=False).encode(errors="replace")
        return json.loads(whole)


def decode_message(raw: bytes) -> Any:
    """Parse an incoming message; None for input that is not JSON, which is logged."""
    try:
        return decode(raw)
    except (ValueError, RecursionError):
        log.exception("received a message that is not JSON: %r", raw[:200])
        return None
