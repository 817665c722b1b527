"""The verbs whose action depends on their arguments: each returns the action and its arguments."""

import base64
import binascii
import sys
from pathlib import PurePath
from urllib.parse import urlsplit

from tabwright import address
from tabwright.dialects.alias import Arguments, Meaning
from tabwright.doors.cli.parse import UsageError

# The session of a caller that names none, as the hub calls it.
DEFAULT_SESSION = "default"
_PICTURE_FORMATS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}
_ELEMENT_ACTIONS = {
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
_VALUE_FIELDS = {"fill": "value", "type": "text", "press": "key", "select": "options"}


def complete_url(text: str) -> str:
    """Add the scheme to an address that has none: https, or http on this computer."""
    url = address.complete_url(text)
    return url if address.has_scheme(url) else f"https://{url}"


def open_page(args: Arguments) -> Meaning:
    """`open`: without an address it just makes sure that there is a tab."""
    if "url" not in args:
        return "get_page", {}
    return "navigate", {**args, "url": complete_url(args["url"]), **_headers(args)}


def open_tab(args: Arguments) -> Meaning:
    """`tab new`."""
    return "new_tab", {**args, "url": complete_url(args.get("url", "about:blank"))}


def choose_tab(args: Arguments) -> Meaning:
    """`tab`: list the tabs, or switch to one."""
    which = args.pop("which", None)
    if which is None:
        return "list_tabs", args
    return "switch_tab", {**args, "id": f"t{which}" if which.isdecimal() else which}


def close_tab(args: Arguments) -> Meaning:
    """`tab close`."""
    return "close_tab", {**args, "id": args.get("id", "current")}


def close_session(args: Arguments) -> Meaning:
    """`close`: close this session, or all."""
    if args.pop("all", False):
        return "close_session", {}
    return "close_session", {"name": args.get("session") or DEFAULT_SESSION, "missing_ok": True}


def choose_frame(args: Arguments) -> Meaning:
    """`frame`."""
    if args["frame"] == "main":
        return "main_frame", {}
    return "switch_frame", args


def wait(args: Arguments) -> Meaning:
    """`wait`: for an element, a text, an address, a page, a condition, or some time."""
    kinds = [kind for kind in ("what", "text", "url", "load", "fn") if kind in args]
    if len(kinds) != 1:
        raise UsageError("give one of: a selector, milliseconds, --text, --url, --load, --fn")
    kind, wanted = kinds[0], args[kinds[0]]
    timeout = {"timeout": args["timeout"]} if "timeout" in args else {}
    match kind:
        case "text":
            return "wait_for_text", {"text": wanted, **timeout}
        case "url":
            return "wait_for_url", {"pattern": url_pattern(wanted), **timeout}
        case "load":
            return "wait_for_load", {"wait_until": wanted, **timeout}
        case "fn":
            return "wait_for_script", {"script": wanted, **timeout}
    if wanted.isdecimal():
        return "pause", {"seconds": int(wanted) / 1000}
    return "wait_for", {"target": wanted, "state": args.get("state", "visible"), **timeout}


def find(args: Arguments) -> Meaning:
    """`find`: find an element by its role, text or label, and do something with it."""
    action, words = args.get("action", "click"), args.get("text", [])
    if action not in _ELEMENT_ACTIONS:
        raise UsageError(f"unknown action {action}; use one of: {', '.join(_ELEMENT_ACTIONS)}")
    if bool(words) != (action in _VALUE_FIELDS):
        raise UsageError(f"{action} takes {'a value' if action in _VALUE_FIELDS else 'no value'}")
    value = {_VALUE_FIELDS[action]: words if action == "select" else " ".join(words)} if words else {}
    return _ELEMENT_ACTIONS[action], {"target": _target(args), **value}


def _target(args: Arguments) -> str:
    kind, value = args["locator"], args["value"]
    if kind in ("first", "last"):
        return f"{value} >> {kind}"
    if kind == "nth":
        return f"{value} >> nth={args['index']}"
    if kind == "role":
        return f'role={value}[name="{args["name"]}"]' if "name" in args else f"role={value}"
    return f'{kind}="{value}"' if args.get("exact") else f"{kind}={value}"


def run_script(args: Arguments) -> Meaning:
    """`eval`: run a script, given as it is, in base64, or on standard input."""
    from_stdin, coded = args.pop("stdin", False), args.pop("base64", False)
    if from_stdin == ("script" in args):
        raise UsageError("give a script, or --stdin")
    script = sys.stdin.read() if from_stdin else args["script"]
    try:
        decoded = base64.b64decode(script.strip(), validate=True).decode() if coded else script
    except (binascii.Error, UnicodeDecodeError):
        raise UsageError("the script is not base64") from None
    return "evaluate", {**args, "script": decoded}


def take_picture(args: Arguments) -> Meaning:
    """`screenshot`: tell the element from the file among its words."""
    words = [args.pop(name) for name in ("selector", "path") if name in args]
    if words and (len(words) == 2 or not _is_file(words[-1])):
        args["target"] = words.pop(0)
    if words:
        args["output"] = words[0]
        args.setdefault("format", _PICTURE_FORMATS.get(PurePath(words[0]).suffix.lower(), "png"))
    return "screenshot", args


def _is_file(word: str) -> bool:
    return PurePath(word).suffix.lower() in _PICTURE_FORMATS or (
        "/" in word and not word.startswith(("/", "xpath=", "("))
    )


def set_headers(args: Arguments) -> Meaning:
    """`set headers`."""
    return "set_headers", _headers(args)


def set_offline(args: Arguments) -> Meaning:
    """`set offline`."""
    return "set_offline", {"offline": args.get("state", "on") == "on"}


def set_media(args: Arguments) -> Meaning:
    """`set media`: colour scheme and reduced motion."""
    words = args.get("words", [])
    if unknown := [word for word in words if word not in ("dark", "light", "reduced-motion")]:
        raise UsageError(f"unknown word {unknown[0]}; use dark, light or reduced-motion")
    schemes = [word for word in words if word != "reduced-motion"]
    scheme = {"colour_scheme": schemes[-1]} if schemes else {}
    return "emulate", {**scheme, "reduced_motion": "reduced-motion" in words}


def set_cookie(args: Arguments) -> Meaning:
    """`cookies set`: set a cookie for a domain, for the host of an address, or for the page."""
    url = args.pop("url", None)
    if url is not None:
        args.setdefault("domain", urlsplit(complete_url(url)).hostname or "")
    args.setdefault("domain", "")
    return "set_cookie", args


def route(args: Arguments) -> Meaning:
    """`network route`: block requests, or answer them."""
    wanted = url_pattern(args["pattern"])
    if args.get("abort", False) == ("body" in args):
        raise UsageError("give --abort, or --body with the answer")
    if "body" not in args:
        return "block_requests", {"pattern": wanted}
    return "mock_requests", {"pattern": wanted, "body": args["body"]}


def unroute(args: Arguments) -> Meaning:
    """`network unroute`: remove one rule, or all."""
    return "clear_rules", {"pattern": url_pattern(args["pattern"])} if "pattern" in args else {}


def requests(args: Arguments) -> Meaning:
    """`network requests`: list requests, or clear the list."""
    if args.pop("clear", False):
        return "clear_requests", {}
    if "pattern" in args:
        args["pattern"] = url_pattern(args["pattern"])
    return "list_requests", args


def console(args: Arguments) -> Meaning:
    """`console` and `errors`: read messages, or clear the console."""
    if args.pop("clear", False):
        return "clear_console", {}
    return "console_messages", args


def url_pattern(text: str) -> str:
    """Return an address or a pattern as it is; part of an address becomes a pattern that contains it."""
    return text if "*" in text or address.has_scheme(text) else f"*{text}*"


def _headers(args: Arguments) -> Arguments:
    """Convert a JSON object to the lines that the action takes."""
    headers = args.get("headers")
    if headers is None:
        return {}
    if isinstance(headers, dict):
        return {"headers": [f"{name}: {value}" for name, value in headers.items()]}
    if isinstance(headers, str) and ":" in headers:
        return {"headers": [headers]}
    raise UsageError('headers must be a JSON object, such as \'{"X-Token": "abc"}\'')
