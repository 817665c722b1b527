"""Browsion's tools that read: the page, its data, scripts, storage, console and network; and printing."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field

from tabwright.dialects.alias import REQUIRED, Alias, Arguments, Meaning, Param
from tabwright.dialects.browsion.params import SELECTOR

_CURSOR = Param("cursor", "more.cursor", "Read on in an answer that was shortened: o3:120", None)
_STORAGE = Param("storage_type", "kind")
_PATTERN = Param("url_pattern", "pattern", "* matches anything")
_PICTURE = (
    Param("format", default="png", type=Literal["png", "jpeg", "webp"]),
    Param("quality", text="Of jpeg and webp", default=None),
)


def _instead(action: str, field: str, other: str) -> Callable[[Arguments], Meaning]:
    """Run another action if its argument is given."""

    def choose(args: Arguments) -> Meaning:
        return (other if field in args else action), args

    return choose


def _extract_data(args: Arguments) -> Meaning:
    """Distinguish a list of items with fields from fields of the page."""
    fields = args["fields"]
    if isinstance(fields.get("fields"), dict) and set(fields) <= {"item", "fields"}:
        args.update(fields)
    return "extract_fields", args


def _mock_url(args: Arguments) -> Meaning:
    content_type = args.pop("content_type", "")
    headers = {**({"content-type": content_type} if content_type else {}), **args["headers"]}
    return "mock_requests", {**args, "headers": [f"{name}: {value}" for name, value in headers.items()]}


OBSERVING = (
    Alias(
        "get_page_state",
        "get_page_state",
        "Read the page: address, title, and a short tree with refs (e5) to act on. Start here.",
        (_CURSOR,),
        translate=_instead("get_page_state", "cursor", "more"),
        also=("more",),
        route="GET page_state",
    ),
    Alias(
        "get_ax_tree",
        "snapshot",
        "Read the whole tree of the page, with refs (e5) to act on.",
        (_CURSOR,),
        translate=_instead("snapshot", "cursor", "more"),
        also=("more",),
        route="GET ax_tree",
    ),
    Alias(
        "screenshot",
        "screenshot",
        "See the page: layout, charts, canvas. get_page_state is cheaper.",
        (*_PICTURE, Param("full_page")),
        route="GET screenshot",
    ),
    Alias(
        "screenshot_element",
        "screenshot",
        "See one element.",
        (*_PICTURE, SELECTOR),
        route="POST screenshot_element, GET screenshot_element",
    ),
    Alias(
        "get_dom_context",
        "get_dom_context",
        "List the elements, forms with their fields, and links of the page, with refs.",
        route="GET dom_context",
    ),
    Alias(
        "extract_data",
        "extract_fields",
        'Read data by CSS as JSON: {"title": "h1"}, or {"item": ".card", "fields": {"price": …}} for lists.\n'
        'A field is CSS, or {"css", "attr", "type": string|number|boolean|url, "all": true}.',
        (Param("selectors", "fields", default=REQUIRED, type=dict[str, Any]),),
        translate=_extract_data,
        route="POST extract",
    ),
    Alias(
        "get_page_text",
        "read",
        "Read the page's main text; with a cursor, read on in any answer that was shortened.",
        (_CURSOR,),
        translate=_instead("read", "cursor", "more"),
        also=("more",),
        route="GET page_text",
    ),
)
SCRIPTS = (
    Alias(
        "evaluate_js",
        "evaluate",
        "Run JavaScript in the page: an expression, or statements with return. Prefer the other tools.",
        (Param("expression", "script"),),
        route="POST evaluate",
    ),
)
COOKIES_AND_STORAGE = (
    Alias("get_cookies", "get_cookies", "List all cookies, HttpOnly ones included.", route="GET cookies"),
    Alias(
        "set_cookie",
        "set_cookie",
        "Set a cookie.",
        (
            Param("name"),
            Param("value"),
            Param("domain", text=".example.com for all hosts under it"),
            Param("path"),
        ),
        route="POST cookies/set",
    ),
    Alias("delete_cookies", "delete_cookies", "Delete all cookies.", route="POST cookies/clear"),
    Alias(
        "get_storage",
        "get_storage",
        "Read localStorage or sessionStorage of the page's site.",
        (_STORAGE,),
        route="GET storage/{type}, GET storage",
    ),
    Alias(
        "set_storage",
        "set_storage",
        "Set an item of localStorage or sessionStorage.",
        (_STORAGE, Param("key"), Param("value")),
        route="POST storage/{type}, POST storage",
    ),
    Alias(
        "clear_storage",
        "clear_storage",
        "Remove an item of localStorage or sessionStorage, or all.",
        (_STORAGE, Param("key", text="All if omitted")),
        route="DELETE storage/{type}, DELETE storage",
    ),
)
CONSOLE_AND_NETWORK = (
    Alias(
        "enable_console_capture",
        "console_messages",
        "The console is always captured; this returns what is there already.",
        fixed={"since": 0},
        route="POST console/enable",
    ),
    Alias(
        "get_console_logs",
        "console_messages",
        "Read the console: the last 1000 messages, warnings and uncaught errors of the tab.",
        fixed={"since": 0},
        route="GET console",
    ),
    Alias("clear_console", "clear_console", "Clear the console.", route="POST console/clear"),
    Alias(
        "get_network_log",
        "list_requests",
        "List the tab's last requests: method, URL, status, type, size, time, initiator; or show one whole.",
        (Param("request_id", "get_request.id", "r12: its headers and body", None),),
        translate=_instead("list_requests", "id", "get_request"),
        also=("get_request",),
        route="GET network_log",
    ),
    Alias(
        "clear_network_log", "clear_requests", "Clear the log of requests.", route="POST network_log/clear"
    ),
    Alias(
        "block_url",
        "block_requests",
        "Block requests whose URL matches, in any tab, frame or worker.",
        (_PATTERN,),
        route="POST intercept/block",
    ),
    Alias(
        "mock_url",
        "mock_requests",
        "Answer requests whose URL matches with your own response.",
        (
            _PATTERN,
            Param("status"),
            Param("body"),
            Param("content_type", default=None, type=Annotated[str, Field(max_length=200)]),
            Param("headers", default={}, type=dict[str, str]),
        ),
        translate=_mock_url,
        route="POST intercept/mock",
    ),
    Alias(
        "clear_intercepts",
        "clear_rules",
        "Remove all rules of block_url and mock_url.",
        route="POST intercept/clear, DELETE intercept",
    ),
)
PRINTING = (
    Alias(
        "print_to_pdf",
        "pdf",
        "Print the page as PDF.",
        (
            Param("landscape"),
            Param("display_header_footer", "header_footer"),
            Param("print_background", "background"),
            Param("scale"),
            Param("paper_width", "width", "Inches; A4 if omitted"),
            Param("paper_height", "height", "Inches"),
            Param("margin_top", text="Inches", default=None),
            Param("margin_right", default=None),
            Param("margin_bottom", default=None),
            Param("margin_left", default=None),
            Param("page_ranges", "ranges", "For example 1-3, 5"),
        ),
        route="GET pdf",
    ),
)
