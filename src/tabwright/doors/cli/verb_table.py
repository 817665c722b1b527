"""The verbs of agent-browser, a row each, with what differs.

A verb takes every flag of its action; the rows say what is beside that. `asking` has what rows cannot say.
"""

from typing import Any

from tabwright.doors.cli import verb_handlers
from tabwright.doors.cli.commands import Field
from tabwright.doors.cli.verb import Verb


def _word(name: str, help: str, *, optional: bool = False, many: bool = False, **more: Any) -> Field:  # noqa: A002
    return Field(name, "string", help, positional=True, required=not optional, many=many, **more)


_CLEAR = Field("clear", "boolean", "Forget them instead.")
_HEADERS = Field("headers", "json", "Headers for this origin: a JSON object, or Name: value.")
_VALUE = _word("value", "What it is called, or its selector.")
_DEED = (
    _word("action", "What to do: click (when left out), fill, type, text, hover, check …", optional=True),
    _word("text", "Value for fill, type, press or select.", optional=True, many=True),
)
_EXACT = Field("exact", "boolean", "The whole text, in the same case.")
_SECONDS = "Its --timeout is in seconds."


def _find(locator: str, *fields: Field, differs: str = "") -> Verb:
    several = "Where several elements fit, the first is not taken unasked: they are listed with refs."
    return Verb(
        f"find {locator}",
        summary=f"Find an element by {locator}, and do something with it.",
        asks=verb_handlers.find,
        fixed={"locator": locator},
        fields=(*((_word("index", "Which, from 0."),) if locator == "nth" else ()), _VALUE, *_DEED, *fields),
        differs=differs or ("" if locator in ("first", "last", "nth") else several),
    )


ROWS = (
    Verb(
        "open",
        "navigate",
        "url?",
        asks=verb_handlers.open_page,
        fields=(_HEADERS,),
        summary="Go to an address; https is put before one without a scheme, http for this computer.",
        differs="An address of this computer without a scheme gets http, where agent-browser tries https.",
    ),
    Verb(
        "goto",
        "navigate",
        "url",
        asks=verb_handlers.open_page,
        fields=(_HEADERS,),
        summary="The same as open.",
    ),
    Verb("back", "back"),
    Verb("forward", "forward"),
    Verb("reload", "reload"),
    Verb(
        "snapshot",
        "snapshot",
        flags="-i/--interactive:interactive_only -c/--compact:compact -d/--depth:depth -s/--selector:target",
        differs="Compact by itself (--no-compact tells every element), within a budget: `more` tells on. "
        "No --urls, --delta and --full: links tell where they lead, and acts tell what changed.",
    ),
    Verb(
        "click",
        "click",
        differs=f"Waits for the element, tells what changed. No --new-tab, no --human. {_SECONDS}",
    ),
    Verb("dblclick", "click", "target", fixed={"count": 2}, summary="Click an element twice."),
    Verb("fill", "fill", differs="Takes any kind of field: lists, dates, checkboxes."),
    Verb("type", "type_text", "target text"),
    Verb("press", "press"),
    Verb("key", "press", "key", summary="The same as press."),
    Verb("keydown", "key_down", "key"),
    Verb("keyup", "key_up", "key"),
    Verb("keyboard type", "type_text", "text", summary="Type text into what has the focus."),
    Verb("keyboard inserttext", "insert_text", "text"),
    Verb("hover", "hover"),
    Verb("focus", "focus"),
    Verb("check", "check"),
    Verb("uncheck", "uncheck"),
    Verb("select", "select_option", "target options"),
    Verb("drag", "drag", differs="No --human."),
    Verb(
        "upload",
        "upload",
        differs="Files come from the folder that the command runs in, or from files.folders.",
    ),
    Verb("download", "download", "target path:output", summary="Click an element; save what this downloads."),
    Verb("scroll", "scroll", "direction? pixels?", "-s/--selector:target"),
    Verb("scrollintoview", "scroll_into_view", "target"),
    Verb("mouse move", "mouse_move", "x y", differs="No --duration, --human and --seed; --steps is there."),
    Verb("mouse down", "mouse_down", "button?"),
    Verb("mouse up", "mouse_up", "button?"),
    Verb("mouse wheel", "mouse_wheel", "delta_y delta_x?"),
    Verb(
        "screenshot",
        "screenshot",
        flags="-f/--full:full_page --annotate:marks",
        asks=verb_handlers.take_picture,
        fields=(
            _word("selector", "File to write, or the one element to take.", optional=True),
            _word("path", "File to write, after an element.", optional=True),
        ),
        differs="Without a file it is written into this folder. Longest side 1568 pixels (--max-side). "
        "--annotate draws refs and makes a JPEG. No --if-changed.",
    ),
    Verb("pdf", "pdf", "path:output?"),
    Verb(
        "eval",
        "evaluate",
        "script?",
        asks=verb_handlers.run_script,
        fields=(
            Field("base64", "boolean", "The script is in base64.", short="-b"),
            Field("stdin", "boolean", "Read the script from standard input."),
        ),
        differs="Runs beside the page's own scripts, without their variables, cookies and storage, until the "
        "user sets security.block_eval to false. Texts are printed without quotes.",
    ),
    Verb("get text", "get_text", "target"),
    Verb("get html", "get_html", "target", fixed={"inside": True}),
    Verb("get value", "get_value", "target", differs="What is in password fields is not told."),
    Verb("get attr", "get_attribute", "target name"),
    Verb("get title", "get_page", shown="title", summary="Tell the title of the page."),
    Verb("get url", "get_page", shown="url", summary="Tell the address of the page."),
    Verb("get count", "count_elements", "target"),
    Verb("get box", "get_box", "target"),
    Verb("get styles", "get_styles", "target", differs="--names for some only."),
    Verb("is visible", "get_state", "target", shown="visible", summary="Tell whether an element is seen."),
    Verb(
        "is enabled", "get_state", "target", shown="enabled", summary="Tell whether an element can be used."
    ),
    Verb("is checked", "get_state", "target", shown="checked", summary="Tell whether an element is checked."),
    _find(
        "role",
        Field("name", "string", "Its name."),
        _EXACT,
        differs="Takes a name that is the same before one that "
        "contains it, with or without --exact. Where several fit, they are listed with refs.",
    ),
    *(_find(locator, _EXACT) for locator in ("text", "label", "placeholder", "alt", "title")),
    _find("testid"),
    _find("first"),
    _find("last"),
    _find("nth"),
    Verb(
        "wait",
        asks=verb_handlers.wait,
        summary="Wait for an element, a time in milliseconds, a text, an address, a page or a condition.",
        fields=(
            _word("what", "Selector or ref to wait for, or milliseconds.", optional=True),
            Field("text", "string", "Text that the page must show."),
            Field("url", "string", "Address; * stands for anything."),
            Field(
                "load",
                "string",
                "How far the page must be.",
                choices=("load", "domcontentloaded", "networkidle"),
            ),
            Field("fn", "string", "Expression that must become true."),
            Field(
                "state",
                "string",
                "What the element must be.",
                choices=("visible", "hidden", "attached", "detached"),
            ),
            Field("timeout", "number", "Milliseconds to wait at most; 30,000 when not given."),
        ),
        differs="No more than 30 seconds of plain waiting. No --download: `download` waits.",
    ),
    Verb(
        "close",
        asks=verb_handlers.close_session,
        summary="Close the session with its tabs, or all sessions.",
        fields=(Field("all", "boolean", "Close all your sessions."),),
    ),
    Verb("quit", asks=verb_handlers.close_session, summary="The same as close."),
    Verb("exit", asks=verb_handlers.close_session, summary="The same as close."),
    Verb("session", summary="Tell the name of the session that commands work in."),
    Verb("session list", "list_sessions", differs="Also lists sessions that are kept on disk."),
    Verb("connect", "connect_browser", "address", differs="The browser must be of this computer."),
    Verb("set viewport", "emulate", "width height scale?"),
    Verb("set device", "emulate", "device"),
    Verb(
        "set geo",
        "emulate",
        "latitude longitude",
        differs="Sites also need the permission: set-permission geolocation.",
    ),
    Verb(
        "set offline",
        asks=verb_handlers.set_offline,
        summary="Take the network away, or give it back.",
        fields=(_word("state", "on when left out.", optional=True, choices=("on", "off")),),
    ),
    Verb(
        "set headers",
        asks=verb_handlers.set_headers,
        summary="Send extra headers with every request.",
        fields=(
            Field("headers", "json", "A JSON object; {} takes them back.", positional=True, required=True),
        ),
    ),
    Verb("set credentials", "set_credentials", "user password"),
    Verb(
        "set media",
        asks=verb_handlers.set_media,
        summary="Have pages take colours or little motion for preferred.",
        fields=(_word("words", "dark or light, and reduced-motion.", optional=True, many=True),),
    ),
    Verb("cookies", "get_cookies"),
    Verb("cookies get", "get_cookies"),
    Verb(
        "cookies set",
        "set_cookie",
        "name value",
        "--httpOnly:http_only --sameSite:same_site",
        asks=verb_handlers.set_cookie,
        fields=(Field("url", "string", "Address whose host gets it; the page when not given."),),
        differs="No --curl.",
    ),
    Verb("cookies clear", "delete_cookies"),
    *(
        Verb(f"storage {kind}{verb}", action, places, fixed={"kind": kind})
        for kind in ("local", "session")
        for verb, action, places in (
            ("", "get_storage", "key?"),
            (" get", "get_storage", "key?"),
            (" set", "set_storage", "key value"),
            (" clear", "clear_storage", "key?"),
        )
    ),
    Verb(
        "network route",
        asks=verb_handlers.route,
        summary="Block requests, or answer them.",
        fields=(
            _word("pattern", "Address; * stands for anything, a piece of one for all that have it."),
            Field("abort", "boolean", "Let no such request leave."),
            Field("body", "string", "Answer with this."),
        ),
        differs="Needs --abort or --body. Any page may read the answer. No --resource-type.",
    ),
    Verb(
        "network unroute",
        asks=verb_handlers.unroute,
        summary="Take rules of requests back: one, or all.",
        fields=(_word("pattern", "As it was routed.", optional=True),),
    ),
    Verb(
        "network requests",
        "list_requests",
        flags="--filter:pattern",
        asks=verb_handlers.requests,
        fields=(_CLEAR,),
        differs="--type takes one type.",
    ),
    Verb("network request", "get_request", "id"),
    Verb("network har start", "start_har", differs="Records the current tab; no --content."),
    Verb("network har stop", "stop_har", "path:output?"),
    Verb(
        "tab",
        asks=verb_handlers.choose_tab,
        summary="List the tabs, or make one the current one.",
        fields=(_word("which", "Id of a tab, such as t2.", optional=True),),
        differs="No labels; 2 is t2.",
    ),
    Verb("tab list", "list_tabs"),
    Verb("tab new", "new_tab", "url?", asks=verb_handlers.open_tab, differs="No --label."),
    Verb("tab close", "close_tab", "id?", asks=verb_handlers.close_tab),
    Verb(
        "frame",
        "switch_frame",
        "frame",
        asks=verb_handlers.choose_frame,
        summary="Work in a frame, or in the whole page again: main.",
        differs="Seldom needed: refs and selectors find what is in frames.",
    ),
    Verb(
        "dialog accept",
        "answer_dialog",
        "text?",
        fixed={"accept": True},
        differs="Every dialog waits for an answer, alerts too; other calls say that one is open.",
    ),
    Verb("dialog dismiss", "answer_dialog", fixed={"accept": False}),
    Verb("console", "console_messages", asks=verb_handlers.console, fields=(_CLEAR,)),
    Verb(
        "errors",
        "console_messages",
        asks=verb_handlers.console,
        fixed={"kind": "exception"},
        fields=(_CLEAR,),
        summary="Read the uncaught errors of the page.",
        differs="--clear forgets the whole console.",
    ),
    Verb("state save", "save_state", "path:output", differs="Not encrypted."),
    Verb(
        "state load",
        "load_state",
        "path",
        differs="In effect at once; the file lies in the folder of the command.",
    ),
    Verb("trace start", "start_trace", differs="Of the current tab."),
    Verb("trace stop", "stop_trace", "path:output?"),
    Verb(
        "batch",
        summary="Run several commands in order: each a quoted command, or all as JSON on standard input.",
        fields=(
            _word("steps", 'Commands, such as "get title".', optional=True, many=True),
            Field("bail", "boolean", "Stop at the first that fails."),
        ),
        differs='Steps that are JSON objects, {"action": "click", …}, are our own batch, which is one call. '
        "No --omit-command.",
    ),
)
