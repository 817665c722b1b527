"""What Browsion itself answers at its routes: the value alone, without text, effects and session.

The shapes are those of its release. Tools without a row answer `{"ok": true}`.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from tabwright.actions.batch import Steps
from tabwright.actions.capture import Document, Picture
from tabwright.actions.console import ConsoleLog
from tabwright.actions.frames import FrameList
from tabwright.actions.network import RequestList
from tabwright.actions.profiles import ProfileShown, RunningBrowser
from tabwright.actions.storage import CookieLine
from tabwright.actions.tabs import TabLine, TabList
from tabwright.browser.snapshot.nodes import Node
from tabwright.call import Answer, Call
from tabwright.dialects.alias import Alias
from tabwright.results import PageText

MEDIA_TYPE = "application/vnd.browsion+json"
# Arguments that make a result complete enough.
NEEDS: Mapping[str, Mapping[str, Any]] = {"list_tabs": {"tools": True}, "new_tab": {"tools": True}}

# Their content is not text, in which a secret could be found.
BINARY = frozenset(("screenshot", "screenshot_element", "print_to_pdf"))

_STATUS = {"create_profile": 201, "delete_profile": 204, "kill_browser": 204}
_NO_CONTENT = 204
_AX_STATES = ("checked", "description", "value")
_AX_FLAGS = ("disabled", "focused")


class BareAnswer(NamedTuple):
    """The status and content of an answer; the content is None if there is none."""

    status: int
    content: Any


def bare_answer(alias: Alias, call: Call, answer: Answer) -> BareAnswer:
    """Return what Browsion answers."""
    status = _STATUS.get(alias.name, 200)
    if status == _NO_CONTENT:
        return BareAnswer(status, None)
    if call.action != alias.action:  # the rest of a long answer, or one request, which Browsion does not have
        return BareAnswer(status, answer.result.model_dump(mode="json"))
    make = CONTENT.get(alias.name)
    return BareAnswer(status, {"ok": True} if make is None else make(answer.result, call.args))


def _fields(*names: str) -> Callable[[Any, Any], dict[str, Any]]:
    return lambda result, _: {name: getattr(result, name) for name in names}


def _picture(key: str) -> Callable[[Picture, Any], dict[str, Any]]:
    return lambda result, _: {key: result.picture.encoded, "format": result.picture.mime.rpartition("/")[2]}


def _document(result: Document, _: Any) -> dict[str, Any]:
    return {"data": result.document.encoded, "format": "pdf"}


def _tab(line: TabLine) -> dict[str, Any]:
    return {
        "id": line.id,
        "url": line.url,
        "title": line.title or "",
        "type": "page",
        "active": line.current,
    }


def _opened_tab(result: TabList, _: Any) -> dict[str, Any]:
    return next(_tab(line) for line in result.tabs if line.id == result.done_to)


def _cookie(cookie: CookieLine) -> dict[str, Any]:
    return {
        "name": cookie.name,
        "value": cookie.value,
        "domain": cookie.domain,
        "path": cookie.path,
        "secure": cookie.secure,
        "httpOnly": cookie.http_only,
        "expires": -1 if cookie.expires is None else cookie.expires,
    }


def _imported(result: Steps, _: Any) -> dict[str, Any]:
    failed = [answer for answer in result.answers if answer.startswith("set_cookie failed: ")]
    return {"imported": result.done, "errors": [answer.partition(": ")[2] for answer in failed]}


def _console(result: ConsoleLog, _: Any) -> dict[str, Any]:
    logs = [
        {
            "type": message.kind,
            "args": [message.text],
            "timestamp": message.time * 1000,
            "source": "exception" if message.kind == "exception" else "console",
        }
        for message in result.entries
    ]
    return {"logs": logs}


def _requests(result: RequestList, _: Any) -> dict[str, Any]:
    entries = [line.model_dump(mode="json") for line in result.requests]
    return {"entries": entries, "count": len(entries)}


def _frames(result: FrameList, _: Any) -> list[dict[str, Any]]:
    return [
        {
            "id": frame.id,
            "url": frame.url,
            **({"name": frame.name} if frame.name else {}),
            **({"parent_id": frame.parent} if frame.parent else {}),
        }
        for frame in result.frames
    ]


def _ax_tree(nodes: Iterable[Node]) -> list[dict[str, Any]]:
    return [
        {
            "ref_id": node.ref.removeprefix("@"),
            "role": node.role,
            "name": node.name,
            **{state: node.states[state] or "true" for state in _AX_STATES if state in node.states},
            **{flag: True for flag in _AX_FLAGS if flag in node.states},
        }
        for node in nodes
        if node.ref
    ]


def _page_state(result: PageText, _: Any) -> dict[str, Any]:
    nodes = _ax_tree(result.snapshot.walk())
    return {"url": result.url, "title": result.title, "ax_tree": nodes, "element_count": len(nodes)}


def _profile(profile: ProfileShown) -> dict[str, Any]:
    values = profile.model_dump(mode="json", exclude={"running"})
    unset = ("proxy_server", "timezone")
    kept = {name: value for name, value in values.items() if value or name not in unset}
    return {**kept, "is_running": profile.running}


def _running(browser: RunningBrowser) -> dict[str, Any]:
    return {
        "profile_id": browser.profile_id,
        "pid": browser.pid,
        "cdp_port": None,
        "launched_at": int(datetime.fromisoformat(browser.since).timestamp()),
    }


def _rule(kind: str) -> Callable[[Any, Mapping[str, Any]], dict[str, Any]]:
    return lambda _, args: {"ok": True, "rule": kind, "pattern": args["pattern"]}


_PAGE = _fields("url", "title")
# The content of the answer of each tool that has one, from its result and its arguments.
CONTENT: dict[str, Callable[[Any, Mapping[str, Any]], Any]] = {
    "list_profiles": lambda result, _: list(map(_profile, result.profiles)),
    "get_profile": lambda result, _: _profile(result),
    "create_profile": lambda result, _: _profile(result),
    "update_profile": lambda result, _: _profile(result),
    "launch_browser": lambda result, _: {"pid": result.pid, "cdp_port": None},
    "get_running_browsers": lambda result, _: list(map(_running, result.browsers)),
    "navigate": _PAGE,
    "go_back": _PAGE,
    "go_forward": _PAGE,
    "reload": _PAGE,
    "wait_for_navigation": _PAGE,
    "get_current_url": _fields("url"),
    "get_page_title": _fields("title"),
    "wait_for_url": lambda result, _: {"url": result.target},
    "get_page_state": _page_state,
    "get_ax_tree": lambda result, _: _ax_tree(result.snapshot.walk()),
    "screenshot": _picture("image"),
    "screenshot_element": _picture("data"),
    "print_to_pdf": _document,
    "get_dom_context": _fields("url", "elements", "forms", "links"),
    "extract_data": lambda result, _: result.value,
    "evaluate_js": lambda result, _: {"result": result.value},
    "get_page_text": lambda result, _: {"text": result.text, "length": len(result.text.encode())},
    "list_tabs": lambda result, _: list(map(_tab, result.tabs)),
    "new_tab": _opened_tab,
    "wait_for_new_tab": lambda result, _: {"target_id": result.id},
    "get_cookies": lambda result, _: list(map(_cookie, result.cookies)),
    "export_cookies": lambda result, _: list(map(_cookie, result.cookies)),
    "import_cookies": _imported,
    "get_storage": lambda result, args: {"storage": result.items, "type": args.get("kind", "local")},
    "get_console_logs": _console,
    "get_network_log": _requests,
    "block_url": _rule("block"),
    "mock_url": _rule("mock"),
    "get_frames": _frames,
    "switch_frame": lambda _, args: {"ok": True, "frame_id": args["frame"]},
}
