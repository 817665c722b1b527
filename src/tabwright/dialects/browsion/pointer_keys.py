"""Browsion's tools for hands: mouse, finger, keyboard, forms, and acts on refs."""

from typing import Any, Literal

from pydantic import Field

from tabwright.dialects.browsion.call import InBrowser, OnElement, Ref, Selector, Tools

# What is typed key by key has this long, beside its delays, and never longer than any call.
_READY_SECONDS, _MOST_SECONDS = 5.0, 600.0


class Click(OnElement):
    """Click an element. Tells what changed, so that no look at the page is needed after it."""

    action = "click"
    expect_tab: bool = Field(False, description="Wait for the tab that the click opens, and tell it")


class Hover(OnElement):
    """Move the pointer over an element."""

    action = "hover"


class DoubleClick(OnElement):
    """Click an element twice."""

    action = "click"

    def arguments(self) -> dict[str, Any]:
        return {**super().arguments(), "count": 2}


class RightClick(OnElement):
    """Click an element with the right button."""

    action = "click"

    def arguments(self) -> dict[str, Any]:
        return {**super().arguments(), "button": "right"}


class ClickAt(InBrowser):
    """Click at a point of the viewport."""

    action = "click_at"
    x: float = Field(description="CSS pixels from the left")
    y: float = Field(description="CSS pixels from the top")


class Drag(InBrowser):
    """Drag an element onto another."""

    action, words = "drag", {"from_selector": "target", "to_selector": "to"}
    from_selector: Selector
    to_selector: Selector


class TypeText(OnElement):
    """Set a form field to a text, whatever it held; also a select (label), checkbox (true), date."""

    action, words = "fill", {"text": "value"}
    text: str = Field(max_length=10_000_000)


class SlowType(OnElement):
    """Type key by key at the end of a field, for pages that listen to keys."""

    action = "type_text"
    text: str = Field(max_length=100_000)
    delay_ms: float = Field(50, ge=0, le=5_000, description="Between keys")

    def arguments(self) -> dict[str, Any]:
        seconds = _READY_SECONDS + len(self.text) * self.delay_ms / 1000
        return {**super().arguments(), "timeout": min(seconds, _MOST_SECONDS)}


class PressKey(InBrowser):
    """Press a key or chord where the focus is: Enter, Ctrl+A, Ctrl+Shift+I."""

    action = "press"
    key: str = Field(min_length=1, max_length=100)


class SelectOption(OnElement):
    """Select an option of a list, by its value or label."""

    action = "select_option"
    value: str = Field(max_length=10_000)

    def arguments(self) -> dict[str, Any]:
        return {"target": self.selector, "options": [self.value]}


class UploadFile(OnElement):
    """Give a file to a file input."""

    action = "upload"
    file_path: str = Field(min_length=1, max_length=4_000, description="In your folder")

    def arguments(self) -> dict[str, Any]:
        return {"target": self.selector, "paths": [self.file_path]}


class OnRef(InBrowser):
    """A call on the element of a ref."""

    ref_id: Ref


class ClickRef(OnRef):
    """Click the element of a ref."""

    action = "click"
    expect_tab: bool = Field(False, description="Wait for the tab that the click opens, and tell it")


class TypeRef(OnRef):
    """Set the form field of a ref to a text."""

    action, words = "fill", {"text": "value"}
    text: str = Field(max_length=10_000_000)


class FocusRef(OnRef):
    """Give the element of a ref the keyboard."""

    action = "focus"


class Tap(OnElement):
    """Tap an element with a finger."""

    action = "tap"


class Swipe(OnElement):
    """Swipe with a finger, from the middle of an element."""

    action, words = "swipe_element", {"distance": "pixels"}
    direction: Literal["up", "down", "left", "right"]
    distance: float = Field(300, gt=0, le=10_000, description="Pixels")


MOUSE: Tools = {
    "click": Click,
    "hover": Hover,
    "double_click": DoubleClick,
    "right_click": RightClick,
    "click_at": ClickAt,
    "drag": Drag,
}
KEYBOARD_AND_FORMS: Tools = {
    "type_text": TypeText,
    "slow_type": SlowType,
    "press_key": PressKey,
    "select_option": SelectOption,
    "upload_file": UploadFile,
}
REFS: Tools = {"click_ref": ClickRef, "type_ref": TypeRef, "focus_ref": FocusRef}
TOUCH: Tools = {"tap": Tap, "swipe": Swipe}
