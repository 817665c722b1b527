"""Sends a person's input at the dashboard to the tab unchanged: mouse, wheel, keys, pasted text."""

from typing import Annotated, Literal

from pydantic import Field

from tabwright.action import Args
from tabwright.browser.tab import Tab

_Pixel = Annotated[float, Field(ge=-100_000, le=100_000)]
_Modifiers = Annotated[int, Field(0, ge=0, le=15)]
_COMMAND_MODIFIERS = 2 | 4  # Control or Meta: the key is a shortcut and types nothing


class MouseEvent(Args):
    """A button pressed or released, or the mouse moved."""

    kind: Literal["mouse"]
    type: Literal["mousePressed", "mouseReleased", "mouseMoved"]
    x: _Pixel
    y: _Pixel
    button: Literal["none", "left", "middle", "right"]
    buttons: int = Field(0, ge=0, le=31)
    clicks: int = Field(1, ge=0, le=3)
    modifiers: _Modifiers


class WheelEvent(Args):
    """The wheel turned."""

    kind: Literal["wheel"]
    x: _Pixel
    y: _Pixel
    dx: _Pixel
    dy: _Pixel


class KeyEvent(Args):
    """A key pressed or released, as the browser of the dashboard reports it."""

    kind: Literal["key"]
    type: Literal["keydown", "keyup"]
    key: str = Field(max_length=40)
    code: str = Field("", max_length=40)
    keyCode: int = Field(0, ge=0, le=65_535)  # noqa: N815 - the page's own name
    modifiers: _Modifiers


class TextEvent(Args):
    """Text that was pasted."""

    kind: Literal["text"]
    text: str = Field(max_length=100_000)


InputEvent = MouseEvent | WheelEvent | KeyEvent | TextEvent


async def send_input(tab: Tab, event: InputEvent) -> None:
    """Send the event to the tab, without waiting: the person sees on the screen what it does."""
    match event:
        case MouseEvent():
            tab.session.post(
                "Input.dispatchMouseEvent",
                type=event.type,
                x=event.x,
                y=event.y,
                button=event.button,
                buttons=event.buttons,
                clickCount=event.clicks,
                modifiers=event.modifiers,
            )
        case WheelEvent():
            wheel = {"x": event.x, "y": event.y, "deltaX": event.dx, "deltaY": event.dy}
            tab.session.post("Input.dispatchMouseEvent", type="mouseWheel", **wheel)
        case KeyEvent():
            _send_key(tab, event)
        case TextEvent():
            tab.session.post("Input.insertText", text=event.text)


def _send_key(tab: Tab, event: KeyEvent) -> None:
    text = "\r" if event.key == "Enter" else event.key if len(event.key) == 1 else ""
    types = event.type == "keydown" and text and not event.modifiers & _COMMAND_MODIFIERS
    tab.session.post(
        "Input.dispatchKeyEvent",
        type="keyUp" if event.type == "keyup" else "keyDown" if types else "rawKeyDown",
        key=event.key,
        code=event.code,
        windowsVirtualKeyCode=event.keyCode,
        modifiers=event.modifiers,
        **({"text": text} if types else {}),
    )
