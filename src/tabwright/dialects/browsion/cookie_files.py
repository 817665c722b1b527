"""Browsion's routes that export and import cookies. Its tools do not list them."""

from typing import Any, Literal

import orjson

from tabwright.dialects.alias import REQUIRED, Alias, Arguments, Meaning, Param
from tabwright.errors import InvalidArgs

_MAX_COOKIES = 50
# The columns of cookies.txt: host, subdomains, path, secure, expires, name, value.
_COLUMNS = 7
# How cookies.txt marks a cookie that scripts cannot see, in a line that is otherwise a comment.
_HTTP_ONLY = "#HttpOnly_"


def _read_all(_: Arguments) -> Meaning:
    return "get_cookies", {}


def _set_each(args: Arguments) -> Meaning:
    parse = _parse_lines if args.get("format") == "netscape" else _parse_json
    cookies = parse(args["data"])
    if not 0 < len(cookies) <= _MAX_COOKIES:
        raise InvalidArgs(
            f"data has {len(cookies)} cookies.", hint=f"Send 1 to {_MAX_COOKIES} cookies in one request."
        )
    steps = [orjson.dumps({"action": "set_cookie", **cookie}).decode() for cookie in cookies]
    return "batch", {"steps": steps, "go_on": True}


def _parse_json(data: str) -> list[Arguments]:
    try:
        return [_from_browsion(cookie) for cookie in orjson.loads(data)]
    except (orjson.JSONDecodeError, AttributeError, KeyError, TypeError):
        raise InvalidArgs(
            "data is not a JSON array of cookies.", hint="Send what GET cookies/export returned, as a string."
        ) from None


def _from_browsion(cookie: dict[str, Any]) -> Arguments:
    expires = cookie.get("expires") or -1
    return {
        "name": cookie["name"],
        "value": cookie["value"],
        "domain": cookie["domain"],
        "path": cookie.get("path") or "/",
        "secure": bool(cookie.get("secure")),
        "http_only": bool(cookie.get("httpOnly", cookie.get("http_only"))),
        **({"expires": expires} if expires > 0 else {}),
    }


def _parse_lines(data: str) -> list[Arguments]:
    found = []
    for line in data.splitlines():
        http_only = line.startswith(_HTTP_ONLY)
        columns = line.removeprefix(_HTTP_ONLY).split("\t")
        if len(columns) != _COLUMNS or (line.startswith("#") and not http_only):
            continue
        domain, _, path, secure, expires, name, value = columns
        found.append(
            _from_browsion(
                {
                    "name": name,
                    "value": value,
                    "domain": domain,
                    "path": path,
                    "secure": secure.upper() == "TRUE",
                    "httpOnly": http_only,
                    "expires": int(expires) if expires.isdecimal() else -1,
                }
            )
        )
    return found


COOKIE_FILES = (
    Alias(
        "export_cookies",
        "get_cookies",
        "Export all cookies, HttpOnly ones included.",
        (Param("format", type=Literal["json"], default="json"),),
        translate=_read_all,
        route="GET cookies/export",
    ),
    Alias(
        "import_cookies",
        "batch",
        f"Set up to {_MAX_COOKIES} cookies that were exported.",
        (
            Param(
                "data",
                text="The cookies: a JSON array, or the text of cookies.txt",
                type=str,
                default=REQUIRED,
            ),
            Param("format", type=Literal["json", "netscape"], default="json"),
        ),
        translate=_set_each,
        route="POST cookies/import",
    ),
)
