"""What the words of a verb ask for, where a table cannot say it: which action, with which arguments."""

import base64
import binascii
import re
import sys
from pathlib import PurePath
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tabwright.doors.cli.parse import Misused

Given = dict[str, Any]

# What the hub calls the session of a caller who names none.
DEFAULT_SESSION = "default"
# Compiled when they are needed, which most commands do not.
_WHOLE = r"(?i)[a-z][a-z0-9+.-]*://|(about|blob|data|file|javascript|view-source):"
_HERE = r"(?i)(localhost|([\w-]+\.)+localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1\])(?=[:/?#]|$)"
_PICTURES = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}
_DEEDS = {
    "click": "click",
    "check": "check",
    "uncheck": "uncheck",
    "hover": "hover",
    "focus": "focus",
    "text": "get_text",
    "fill": "fill",
    "type": "type_text",
    "press": "press",
    "select": "select_option",
}
_DEED_TEXTS = {"fill": "value", "type": "text", "press": "key", "select": "options"}


class Ask(NamedTuple):
    """One call: an action, its arguments, and the field of the result that alone is shown, if one is."""

    action: str
    args: Given
    shown: str = ""


def whole_address(text: str) -> str:
    """Put the scheme before an address that has none: https, and http for this computer."""
    if re.match(_WHOLE, text):
        return text
    return f"http://{text}" if re.match(_HERE, text) else f"https://{text}"


def open_page(given: Given) -> Ask:
    """`open` with an address, or without one: then there is just a tab."""
    if "url" not in given:
        return Ask("get_page", {})
    return Ask("navigate", {**given, "url": whole_address(given["url"]), **_headers(given)})


def open_tab(given: Given) -> Ask:
    """`tab new`."""
    return Ask("new_tab", {**given, "url": whole_address(given.get("url", "about:blank"))})


def choose_tab(given: Given) -> Ask:
    """`tab`: which there are, or the one to work in."""
    which = given.pop("which", None)
    if which is None:
        return Ask("list_tabs", given)
    return Ask("switch_tab", {**given, "id": f"t{which}" if which.isdecimal() else which})


def close_tab(given: Given) -> Ask:
    """`tab close`."""
    return Ask("close_tab", {**given, "id": given.get("id", "current")})


def close_session(given: Given) -> Ask:
    """`close`: this session, or all."""
    if given.pop("all", False):
        return Ask("close_session", {})
    return Ask("close_session", {"name": given.get("session") or DEFAULT_SESSION, "missing_ok": True})


def choose_frame(given: Given) -> Ask:
    """`frame`."""
    if given["frame"] == "main":
        return Ask("main_frame", {})
    return Ask("switch_frame", given)


def wait(given: Given) -> Ask:
    """`wait` for one of many things, or for a while."""
    kinds = [kind for kind in ("what", "text", "url", "load", "fn") if kind in given]
    if len(kinds) != 1:
        raise Misused("one thing to wait for: a selector, milliseconds, --text, --url, --load or --fn")
    kind, wanted = kinds[0], given[kinds[0]]
    patience = {"timeout": given["timeout"] / 1000} if "timeout" in given else {}
    match kind:
        case "text":
            return Ask("wait_for_text", {"text": wanted, **patience})
        case "url":
            return Ask("wait_for_url", {"pattern": pattern(wanted), **patience})
        case "load":
            return Ask("wait_for_load", {"wait_until": wanted, **patience})
        case "fn":
            return Ask("wait_for_script", {"script": wanted, **patience})
    if wanted.isdecimal():
        return Ask("pause", {"seconds": int(wanted) / 1000})
    return Ask("wait_for", {"target": wanted, "state": given.get("state", "visible"), **patience})


def find(given: Given) -> Ask:
    """`find`: an element by what it is to a person, and what to do with it."""
    deed, words = given.get("action", "click"), given.get("text", [])
    if deed not in _DEEDS:
        raise Misused(f"there is no {deed}; there are: {', '.join(_DEEDS)}")
    if bool(words) != (deed in _DEED_TEXTS):
        raise Misused(f"{deed} takes {'a value' if deed in _DEED_TEXTS else 'no value'}")
    more = {_DEED_TEXTS[deed]: words if deed == "select" else " ".join(words)} if words else {}
    return Ask(_DEEDS[deed], {"target": _target(given), **more})


def _target(given: Given) -> str:
    kind, value = given["locator"], given["value"]
    if kind in ("first", "last"):
        return f"{value} >> {kind}"
    if kind == "nth":
        return f"{value} >> nth={given['index']}"
    if kind == "role":
        return f'role={value}[name="{given["name"]}"]' if "name" in given else f"role={value}"
    return f'{kind}="{value}"' if given.get("exact") else f"{kind}={value}"


def run_script(given: Given) -> Ask:
    """`eval`: the script as a word, in base64, or on standard input."""
    from_stdin, coded = given.pop("stdin", False), given.pop("base64", False)
    if from_stdin == ("script" in given):
        raise Misused("a script, or --stdin")
    script = sys.stdin.read() if from_stdin else given["script"]
    try:
        return Ask(
            "evaluate",
            {
                **given,
                "script": base64.b64decode(script.strip(), validate=True).decode() if coded else script,
            },
        )
    except (binascii.Error, UnicodeDecodeError):
        raise Misused("what follows -b is not base64") from None


def take_picture(given: Given) -> Ask:
    """`screenshot`: of what, and into which file."""
    words = [given.pop(name) for name in ("selector", "path") if name in given]
    if words and (len(words) == 2 or not _is_file(words[-1])):
        given["target"] = words.pop(0)
    if words:
        given["output"] = words[0]
        given.setdefault("format", _PICTURES.get(PurePath(words[0]).suffix.lower(), "png"))
    return Ask("screenshot", given)


def _is_file(word: str) -> bool:
    return PurePath(word).suffix.lower() in _PICTURES or (
        "/" in word and not word.startswith(("/", "xpath=", "("))
    )


def set_headers(given: Given) -> Ask:
    """`set headers`."""
    return Ask("set_headers", _headers(given))


def set_offline(given: Given) -> Ask:
    """`set offline`."""
    return Ask("set_offline", {"offline": given.get("state", "on") == "on"})


def set_media(given: Given) -> Ask:
    """`set media`: colours, motion."""
    words = given.get("words", [])
    if strange := [word for word in words if word not in ("dark", "light", "reduced-motion")]:
        raise Misused(f"{strange[0]} is neither dark, light nor reduced-motion")
    schemes = [word for word in words if word != "reduced-motion"]
    scheme = {"colour_scheme": schemes[-1]} if schemes else {}
    return Ask("emulate", {**scheme, "reduced_motion": "reduced-motion" in words})


def set_cookie(given: Given) -> Ask:
    """`cookies set`: for a domain, an address, or the page."""
    url = given.pop("url", None)
    if url is not None:
        given.setdefault("domain", urlsplit(whole_address(url)).hostname or "")
    given.setdefault("domain", "")
    return Ask("set_cookie", given)


def route(given: Given) -> Ask:
    """`network route`: block, or answer."""
    wanted = pattern(given["pattern"])
    if given.get("abort", False) == ("body" in given):
        raise Misused("--abort, or --body with what to answer")
    if "body" not in given:
        return Ask("block_requests", {"pattern": wanted})
    return Ask("mock_requests", {"pattern": wanted, "body": given["body"]})


def unroute(given: Given) -> Ask:
    """`network unroute`: one pattern, or all."""
    return Ask("clear_rules", {"pattern": pattern(given["pattern"])} if "pattern" in given else {})


def requests(given: Given) -> Ask:
    """`network requests`: list, or forget."""
    if given.pop("clear", False):
        return Ask("clear_requests", {})
    if "pattern" in given:
        given["pattern"] = pattern(given["pattern"])
    return Ask("list_requests", given)


def console(given: Given) -> Ask:
    """`console` and `errors`: read, or forget."""
    return Ask("clear_console", {}) if given.pop("clear", False) else Ask("console_messages", given)


def pattern(text: str) -> str:
    """Take an address or a pattern as it is, and a piece of an address for any address that has it."""
    return text if "*" in text or re.match(_WHOLE, text) else f"*{text}*"


def _headers(given: Given) -> Given:
    """Write headers as the catalogue does: a JSON object becomes lines."""
    told = given.get("headers")
    if told is None:
        return {}
    if isinstance(told, dict):
        return {"headers": [f"{name}: {value}" for name, value in told.items()]}
    if isinstance(told, str) and ":" in told:
        return {"headers": [told]}
    raise Misused('headers are a JSON object, such as \'{"X-Token": "abc"}\'')
