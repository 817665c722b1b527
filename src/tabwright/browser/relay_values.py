"""Arguments that the interface of extensions would lose on their way to Chrome: it drops nulls of objects."""

from typing import Any

import orjson

from tabwright.cdp import Params

_PARSING = "function (...given) {{ for (const at of {}) given[at] = JSON.parse(given[at]); return ({}\n)"
_APPLIED = ".apply(this, given); }}"


def carried(method: str, params: Params) -> Params:
    """Return the parameters of a call such that all of them arrive: values that hold a null as JSON text."""
    if method != "Runtime.callFunctionOn":
        return params
    arguments = params.get("arguments", [])
    lossy = [at for at, given in enumerate(arguments) if "value" in given and _has_null(given["value"])]
    if not lossy:
        return params
    texts = {at: {"value": orjson.dumps(arguments[at]["value"]).decode()} for at in lossy}
    return {
        **params,
        "functionDeclaration": (_PARSING + _APPLIED).format(lossy, params["functionDeclaration"]),
        "arguments": [texts.get(at, given) for at, given in enumerate(arguments)],
    }


def _has_null(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_null, value.values()))
    if isinstance(value, list):
        return any(map(_has_null, value))
    return value is None
