"""Browsion's tools that act: navigation, pointer, keyboard, forms, waiting, dialogs, emulation."""

from typing import Annotated, Literal

from pydantic import Field

from tabwright.dialects.alias import MS, REQUIRED, Alias, Arguments, Meaning, Param
from tabwright.dialects.browsion.params import REF, SELECTOR, timeout_ms

# Seconds that typing may take in addition to its delays, and at most.
_TYPING_SECONDS = 5.0
_MAX_SECONDS = 600.0
_EXPECT_TAB = Param("expect_tab", text="Wait for the tab that the click opens, and return it")


def _slow_type(args: Arguments) -> Meaning:
    seconds = _TYPING_SECONDS + len(args["text"]) * args["delay"]
    return "type_text", {**args, "timeout": min(seconds, _MAX_SECONDS)}


def _select_option(args: Arguments) -> Meaning:
    return "select_option", {**args, "options": [args["options"]]}


def _upload_file(args: Arguments) -> Meaning:
    return "upload", {**args, "paths": [args["paths"]]}


def _handle_dialog(args: Arguments) -> Meaning:
    return "answer_dialog", {**args, "accept": args["accept"] == "accept"}


NAVIGATION = (
    Alias(
        "navigate",
        "navigate",
        "Go to a URL. Returns the final URL and HTTP status; get_page_state then reads the page.",
        (
            Param("url"),
            Param("wait_until", type=Literal["load", "domcontentloaded", "networkidle", "none"]),
            timeout_ms(15_000),
        ),
        route="POST navigate, POST navigate_wait",
    ),
    Alias("go_back", "back", "Go one page back in the tab's history.", route="POST back"),
    Alias("go_forward", "forward", "Go one page forward in the tab's history.", route="POST forward"),
    Alias("reload", "reload", "Load the page again.", route="POST reload"),
    Alias(
        "wait_for_navigation",
        "wait_for_load",
        "Wait until the page that is loading has loaded. Clicks wait for the page that they lead to.",
        (timeout_ms(15_000),),
        route="POST wait_for_navigation, POST wait_for_nav",
    ),
    Alias("get_current_url", "get_page", "Return the address of the page, with its title.", route="GET url"),
    Alias("get_page_title", "get_page", "Return the title of the page, with its address.", route="GET title"),
)
MOUSE = (
    Alias(
        "click",
        "click",
        "Click an element. Reports what changed, so the page need not be read again.",
        (SELECTOR, _EXPECT_TAB),
        route="POST click",
    ),
    Alias("hover", "hover", "Move the pointer over an element.", (SELECTOR,), route="POST hover"),
    Alias(
        "double_click",
        "click",
        "Click an element twice.",
        (SELECTOR,),
        fixed={"count": 2},
        route="POST double_click",
    ),
    Alias(
        "right_click",
        "click",
        "Click an element with the right button.",
        (SELECTOR,),
        fixed={"button": "right"},
        route="POST right_click",
    ),
    Alias(
        "click_at",
        "click_at",
        "Click at a point of the viewport.",
        (Param("x", text="CSS pixels from the left"), Param("y", text="CSS pixels from the top")),
        route="POST click_at",
    ),
    Alias(
        "drag",
        "drag",
        "Drag an element onto another.",
        (SELECTOR._replace(name="from_selector"), SELECTOR._replace(name="to_selector", field="to")),
        route="POST drag",
    ),
)
KEYBOARD_AND_FORMS = (
    Alias(
        "type_text",
        "fill",
        "Set a form field to a text, replacing its value; also a select (label), checkbox (true), date.",
        (SELECTOR, Param("text", "value")),
        route="POST type",
    ),
    Alias(
        "slow_type",
        "type_text",
        "Type key by key at the end of a field, for pages that listen to keys.",
        (
            SELECTOR,
            Param("text", type=str),
            Param("delay_ms", "delay", "Between keys", 50, MS, Annotated[float, Field(ge=0, le=5000)]),
        ),
        translate=_slow_type,
        route="POST slow_type",
    ),
    Alias(
        "press_key",
        "press",
        "Press a key or chord where the focus is: Enter, Ctrl+A, Ctrl+Shift+I.",
        (Param("key"),),
        route="POST press_key",
    ),
    Alias(
        "select_option",
        "select_option",
        "Select an option of a list, by its value or label.",
        (SELECTOR, Param("value", "options", type=str)),
        translate=_select_option,
        route="POST select, POST select_option",
    ),
    Alias(
        "upload_file",
        "upload",
        "Give a file to a file input.",
        (SELECTOR, Param("file_path", "paths", "In your folder", type=str)),
        translate=_upload_file,
        route="POST upload, POST upload_file",
    ),
)
SCROLLING_AND_WAITING = (
    Alias(
        "scroll",
        "scroll",
        "Scroll the page. Clicks scroll to their element themselves.",
        (Param("direction"), Param("amount", "pixels", "Pixels", 500)),
        route="POST scroll",
    ),
    Alias(
        "scroll_element",
        "scroll_by",
        "Scroll inside an element, by pixels to the right and down; negative for left and up.",
        (SELECTOR, Param("delta_x"), Param("delta_y")),
        route="POST scroll_element",
    ),
    Alias(
        "scroll_into_view",
        "scroll_into_view",
        "Scroll until an element is in view.",
        (SELECTOR,),
        route="POST scroll_into_view",
    ),
    Alias(
        "wait_for_element",
        "wait_for",
        "Wait until an element is visible.",
        (SELECTOR, timeout_ms(5_000)),
        route="POST wait_for",
    ),
    Alias(
        "wait_for_text",
        "wait_for_text",
        "Wait until the page shows a text.",
        (Param("text"), timeout_ms(30_000)),
        route="POST wait_for_text",
    ),
    Alias(
        "wait_for_url",
        "wait_for_url",
        "Wait until the address matches a pattern.",
        (Param("pattern", text="* matches anything"), timeout_ms(30_000)),
        route="POST wait_for_url",
    ),
    Alias(
        "wait",
        "pause",
        "Wait for a time; waiting for an element or text is better.",
        (Param("duration_ms", "seconds", unit=MS),),
    ),
)
REFS = (
    Alias("click_ref", "click", "Click the element of a ref.", (REF, _EXPECT_TAB), route="POST click_ref"),
    Alias(
        "type_ref",
        "fill",
        "Set the form field of a ref to a text.",
        (REF, Param("text", "value")),
        route="POST type_ref",
    ),
    Alias("focus_ref", "focus", "Focus the element of a ref.", (REF,), route="POST focus_ref"),
)
DIALOGS_AND_EMULATION = (
    Alias(
        "handle_dialog",
        "answer_dialog",
        "Answer the alert, confirm or prompt that is open.",
        (
            Param("action", "accept", default=REQUIRED, type=Literal["accept", "dismiss"]),
            Param("prompt_text", "text", default=None),
        ),
        translate=_handle_dialog,
        route="POST handle_dialog",
    ),
    Alias(
        "emulate",
        "emulate",
        "Emulate another screen, user agent or location; only given values change.",
        (
            Param("width", text="CSS pixels; with height"),
            Param("height"),
            Param("device_scale_factor", "scale"),
            Param("mobile"),
            Param("user_agent"),
            Param("latitude"),
            Param("longitude"),
            Param("accuracy", text="Metres"),
        ),
        route="POST emulate",
    ),
)
TOUCH = (
    Alias("tap", "tap", "Tap an element with a finger.", (SELECTOR,), route="POST tap"),
    Alias(
        "swipe",
        "swipe_element",
        "Swipe with a finger, from the middle of an element.",
        (SELECTOR, Param("direction"), Param("distance", "pixels", "Pixels")),
        route="POST swipe",
    ),
)
# Routes whose arguments differ from those of the tool.
ROUTES_ONLY = (
    Alias(
        "answer_dialog",
        "answer_dialog",
        "Answer the alert, confirm or prompt that is open.",
        (Param("accept", text="Press OK; false presses Cancel"), Param("prompt_text", "text", default=None)),
        route="POST dialog",
    ),
    Alias("pause", "pause", "Wait for a time.", (Param("ms", "seconds", unit=MS),), route="POST wait"),
)
