"""The verbs of agent-browser, a row each, and how they differ from the original.

A verb takes every flag of its action; a row adds what differs. `verb_translations` has the verbs whose action
depends on their arguments.
"""

from typing import Any, Literal

from tabwright.dialects.alias import MS, REQUIRED, Alias, Param
from tabwright.doors.cli import verb_translations as translations


def _args(spec: str) -> tuple[Param, ...]:
    """Read arguments of the action in the order of the command line.

    `path:output?` is a word called path, which is the argument `output` and may be left out;
    `-s/--selector:target` is a flag for the argument `target`.
    """
    return tuple(_arg(part) for part in spec.split())


def _arg(part: str) -> Param:
    name, _, field = part.rstrip("?").partition(":")
    if name.startswith("-"):
        return Param(name.rpartition("--")[2].replace("-", "_"), field, default=None, flag=name)
    return Param(name, field, default=None if part.endswith("?") else REQUIRED)


def _word(name: str, text: str, default: Any = REQUIRED, type: Any = str) -> Param:  # noqa: A002 - as in Param
    return Param(name, text=text, default=default, type=type)


def _flag(name: str, type: Any, text: str, short: str = "") -> Param:  # noqa: A002 - as in Param
    return Param(name, text=text, default=None, type=type, flag=f"{short}/--{name}")


_CLEAR = _flag("clear", bool, "Clear the list instead.")
_ALL_PAGES = _args("--all-pages:all_pages")
_HEADERS = _flag("headers", dict, "Headers for this origin: a JSON object, or Name: value.")
_EXACT = _flag("exact", bool, "Match the whole text, with the same case.")
_ELEMENT_ACTION = (
    _word("action", "What to do: click (default), fill, type, text, hover, check …", None),
    _word("text", "Value for fill, type, press or select.", None, list[str]),
)
_SECONDS = "Its --timeout is in seconds."


def _find(locator: str, *flags: Param, differs: str = "") -> Alias:
    several = "If several elements match, it does not take the first: it lists them with refs."
    index = (_word("index", "Which one, from 0."),) if locator == "nth" else ()
    value = _word("value", "Its name or text, or a selector.")
    return Alias(
        f"find {locator}",
        text=f"Find an element by {locator}, and do something with it.",
        params=(*index, value, *_ELEMENT_ACTION, *flags),
        fixed={"locator": locator},
        translate=translations.find,
        differs=differs or ("" if locator in ("first", "last", "nth") else several),
    )


ROWS = (
    Alias(
        "open",
        "navigate",
        "Go to an address. Without a scheme it gets https, or http on this computer.",
        (*_args("url?"), _HEADERS),
        translate=translations.open_page,
        differs="A local address without a scheme gets http, where agent-browser tries https.",
    ),
    Alias(
        "goto", "navigate", "The same as open.", (*_args("url"), _HEADERS), translate=translations.open_page
    ),
    Alias("back", "back"),
    Alias("forward", "forward"),
    Alias("reload", "reload"),
    Alias(
        "snapshot",
        "snapshot",
        params=_args(
            "-i/--interactive:interactive_only -c/--compact:compact -d/--depth:depth -s/--selector:target"
        ),
        differs="Compact (--no-compact lists all elements) and limited in length: `more` reads on. "
        "No --urls, --delta and --full: links show where they lead, and actions report what changed.",
    ),
    Alias(
        "click",
        "click",
        differs=f"Waits for the element and reports what changed. No --new-tab, no --human. {_SECONDS}",
    ),
    Alias("dblclick", "click", "Click an element twice.", _args("target"), fixed={"count": 2}),
    Alias("fill", "fill", differs="Takes any kind of field: lists, dates, checkboxes."),
    Alias("type", "type_text", params=_args("target text")),
    Alias("press", "press"),
    Alias("key", "press", "The same as press.", _args("key")),
    Alias("keydown", "key_down", params=_args("key")),
    Alias("keyup", "key_up", params=_args("key")),
    Alias("keyboard type", "type_text", "Type text into what has the focus.", _args("text")),
    Alias("keyboard inserttext", "insert_text", params=_args("text")),
    Alias("hover", "hover"),
    Alias("focus", "focus"),
    Alias("check", "check"),
    Alias("uncheck", "uncheck"),
    Alias("select", "select_option", params=_args("target options")),
    Alias("drag", "drag", differs="No --human."),
    Alias("upload", "upload", differs="Reads files in the current folder, or in files.folders."),
    Alias(
        "download",
        "download",
        "Click an element and save the file that it downloads.",
        _args("target path:output"),
    ),
    Alias("scroll", "scroll", params=_args("direction? pixels? -s/--selector:target")),
    Alias("scrollintoview", "scroll_into_view", params=_args("target")),
    Alias(
        "mouse move",
        "mouse_move",
        params=_args("x y"),
        differs="No --duration, --human and --seed; --steps is there.",
    ),
    Alias("mouse down", "mouse_down", params=_args("button?")),
    Alias("mouse up", "mouse_up", params=_args("button?")),
    Alias("mouse wheel", "mouse_wheel", params=_args("delta_y delta_x?")),
    Alias(
        "screenshot",
        "screenshot",
        params=(
            *_args("-f/--full:full_page --annotate:marks"),
            _word("selector", "File to write, or the element to take.", default=None),
            _word("path", "File to write, after an element.", default=None),
        ),
        translate=translations.take_picture,
        differs="Without a path it is written to the current folder. Longest side 1568 pixels (--max-side). "
        "--annotate draws refs and makes a JPEG. No --if-changed.",
    ),
    Alias("pdf", "pdf", params=_args("path:output?")),
    Alias(
        "eval",
        "evaluate",
        params=(
            *_args("script?"),
            _flag("base64", bool, "The script is in base64.", short="-b"),
            _flag("stdin", bool, "Read the script from standard input."),
        ),
        translate=translations.run_script,
        differs="Runs apart from the page's own scripts, without their variables, cookies and storage, "
        "unless security.block_eval is false. Strings are printed without quotes.",
    ),
    Alias("get text", "get_text", params=_args("target")),
    Alias("get html", "get_html", params=_args("target"), fixed={"inside": True}),
    Alias(
        "get value",
        "get_value",
        params=_args("target"),
        differs="Does not return the content of password fields.",
    ),
    Alias("get attr", "get_attribute", params=_args("target name")),
    Alias("get title", "get_page", "Print the title of the page.", shown="title"),
    Alias("get url", "get_page", "Print the address of the page.", shown="url"),
    Alias("get count", "count_elements", params=_args("target")),
    Alias("get box", "get_box", params=_args("target")),
    Alias("get styles", "get_styles", params=_args("target"), differs="--names selects some."),
    Alias(
        "is visible", "get_state", "Print whether an element is visible.", _args("target"), shown="visible"
    ),
    Alias(
        "is enabled", "get_state", "Print whether an element is enabled.", _args("target"), shown="enabled"
    ),
    Alias(
        "is checked", "get_state", "Print whether an element is checked.", _args("target"), shown="checked"
    ),
    _find(
        "role",
        _flag("name", str, "Its name."),
        _EXACT,
        differs="Prefers an equal name to one that contains it, with or without --exact. "
        "If several elements match, it lists them with refs.",
    ),
    *(_find(locator, _EXACT) for locator in ("text", "label", "placeholder", "alt", "title")),
    _find("testid"),
    _find("first"),
    _find("last"),
    _find("nth"),
    Alias(
        "wait",
        "",
        "Wait for an element, a time in milliseconds, a text, an address, a page or a condition.",
        (
            _word("what", "Selector or ref to wait for, or milliseconds.", default=None),
            _flag("text", str, "Text that the page must show."),
            _flag("url", str, "Address; * matches anything."),
            _flag(
                "load", Literal["load", "domcontentloaded", "networkidle"], "State that the page must reach."
            ),
            _flag("fn", str, "Expression that must become true."),
            _flag(
                "state",
                Literal["visible", "hidden", "attached", "detached"],
                "State that the element must reach.",
            ),
            _flag("timeout", float, "Timeout in milliseconds; 30,000 by default.")._replace(unit=MS),
        ),
        translate=translations.wait,
        differs="A time is at most 30 seconds. No --download: `download` waits.",
    ),
    Alias(
        "close",
        "",
        "Close the session with its tabs, or all sessions.",
        (_flag("all", bool, "Close all your sessions."),),
        translate=translations.close_session,
    ),
    Alias("quit", "", "The same as close.", translate=translations.close_session),
    Alias("exit", "", "The same as close.", translate=translations.close_session),
    Alias("session", "", "Print the name of the session that commands work in."),
    Alias("session list", "list_sessions", differs="Also lists sessions saved on disk."),
    Alias(
        "connect",
        "connect_browser",
        params=_args("address"),
        differs="The browser must run on this computer.",
    ),
    Alias("set viewport", "emulate", params=_args("width height scale?")),
    Alias("set device", "emulate", params=_args("device")),
    Alias(
        "set geo",
        "emulate",
        params=_args("latitude longitude"),
        differs="Sites also need the permission: set-permission geolocation.",
    ),
    Alias(
        "set offline",
        "",
        "Switch the network off, or on again.",
        (_word("state", "on by default.", default=None, type=Literal["on", "off"]),),
        translate=translations.set_offline,
    ),
    Alias(
        "set headers",
        "",
        "Send extra headers with every request.",
        (_word("headers", "A JSON object; {} removes them.", type=dict),),
        translate=translations.set_headers,
    ),
    Alias("set credentials", "set_credentials", params=_args("user password")),
    Alias(
        "set media",
        "",
        "Set the preferred colour scheme and reduced motion.",
        (_word("words", "dark or light, and reduced-motion.", default=None, type=list[str]),),
        translate=translations.set_media,
    ),
    Alias("cookies", "get_cookies"),
    Alias("cookies get", "get_cookies"),
    Alias(
        "cookies set",
        "set_cookie",
        params=(
            *_args("name value --httpOnly:http_only --sameSite:same_site"),
            _flag("url", str, "Address whose host gets it; by default the page."),
        ),
        translate=translations.set_cookie,
        differs="No --curl.",
    ),
    Alias("cookies clear", "delete_cookies"),
    *(
        Alias(f"storage {kind}{verb}", action, params=_args(places), fixed={"kind": kind})
        for kind in ("local", "session")
        for verb, action, places in (
            ("", "get_storage", "key?"),
            (" get", "get_storage", "key?"),
            (" set", "set_storage", "key value"),
            (" clear", "clear_storage", "key?"),
        )
    ),
    Alias(
        "network route",
        "",
        "Block requests, or answer them.",
        (
            _word(
                "pattern", "Address; * matches anything. A part of an address matches all that contain it."
            ),
            _flag("abort", bool, "Block matching requests."),
            _flag("body", str, "Body to answer with."),
        ),
        translate=translations.route,
        differs="Needs --abort or --body. Any page may read the answer. No --resource-type.",
    ),
    Alias(
        "network unroute",
        "",
        "Remove one rule, or all.",
        (_word("pattern", "Pattern of the rule.", default=None),),
        translate=translations.unroute,
    ),
    Alias(
        "network requests",
        "list_requests",
        params=(*_args("--filter:pattern"), _CLEAR),
        translate=translations.requests,
        differs="--type takes one type.",
    ),
    Alias("network request", "get_request", params=_args("id")),
    Alias("network har start", "start_har", differs="Records the current tab; no --content."),
    Alias("network har stop", "stop_har", params=_args("path:output?")),
    Alias(
        "tab",
        "",
        "List the tabs, or switch to one.",
        (_word("which", "Id of a tab, such as t2.", default=None),),
        translate=translations.choose_tab,
        differs="No labels; 2 is t2.",
    ),
    Alias("tab list", "list_tabs"),
    Alias("tab new", "new_tab", params=_args("url?"), translate=translations.open_tab, differs="No --label."),
    Alias("tab close", "close_tab", params=_args("id?"), translate=translations.close_tab),
    Alias(
        "frame",
        "switch_frame",
        "Work in a frame; `main` returns to the whole page.",
        _args("frame"),
        translate=translations.choose_frame,
        differs="Rarely needed: refs and selectors reach into frames.",
    ),
    Alias(
        "dialog accept",
        "answer_dialog",
        params=_args("text?"),
        fixed={"accept": True},
        differs="Every dialog waits for an answer, alerts too; other calls report that one is open.",
    ),
    Alias("dialog dismiss", "answer_dialog", fixed={"accept": False}),
    Alias("console", "console_messages", params=(*_ALL_PAGES, _CLEAR), translate=translations.console),
    Alias(
        "errors",
        "console_messages",
        "Read the uncaught errors of the page.",
        (*_ALL_PAGES, _CLEAR),
        fixed={"kind": "exception"},
        translate=translations.console,
        differs="--clear clears the whole console.",
    ),
    Alias("state save", "save_state", params=_args("path:output"), differs="Not encrypted."),
    Alias(
        "state load",
        "load_state",
        params=_args("path"),
        differs="Takes effect at once; the file must be in the current folder.",
    ),
    Alias("trace start", "start_trace", differs="Records the current tab."),
    Alias("trace stop", "stop_trace", params=_args("path:output?")),
    Alias(
        "batch",
        "",
        "Run several commands in order: each a quoted command, or all as JSON on standard input.",
        (
            _word("steps", 'Commands, such as "get title".', default=None, type=list[str]),
            _flag("bail", bool, "Stop at the first that fails."),
        ),
        differs='Steps that are JSON objects, {"action": "click", …}, run as the action `batch`, in one call.'
        " No --omit-command.",
    ),
)
