"""JSON as Chrome and pages write it."""

import json
from typing import Any

import orjson


def decode(text: bytes | str) -> Any:
    """Parse JSON. Half a surrogate pair, which a page can put into a string, becomes a question mark.

    Raises:
        ValueError: it is not JSON.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        whole = json.dumps(json.loads(text), ensure_ascii=False).encode(errors="replace")
        return json.loads(whole)
