"""Raw input: single keys, mouse buttons and pointer moves, without a target element."""

from typing import Annotated, Literal

from pydantic import Field

from tabwright.action import Args, Effect, action
from tabwright.browser.tab import Tab
from tabwright.fields import Typed
from tabwright.results import Done


class Key(Args):
    """Arguments that name a key."""

    key: str = Field(min_length=1, max_length=100, description="Key: Shift, Control, a, ArrowDown.")


class InsertText(Args):
    """Arguments of `insert_text`."""

    text: Annotated[str, Typed()] = Field(max_length=1_000_000, description="Text to insert at the caret.")


class MouseMove(Args):
    """Arguments of `mouse_move`."""

    x: float = Field(description="CSS pixels from the left of the viewport.")
    y: float = Field(description="CSS pixels from the top of the viewport.")
    steps: int = Field(1, ge=1, le=1_000, description="Number of moves.")


class MouseButton(Args):
    """Arguments that name a mouse button."""

    button: Literal["left", "right", "middle"] = Field("left", description="Which mouse button.")


class MouseWheel(Args):
    """Arguments of `mouse_wheel`."""

    delta_y: float = Field(ge=-1_000_000, le=1_000_000, description="CSS pixels down; up when negative.")
    delta_x: float = Field(0, ge=-1_000_000, le=1_000_000, description="CSS pixels to the right.")


@action(Effect.ACT, does=("press",), at="focus", group="Raw input")
async def key_down(tab: Tab, args: Key) -> Done:
    """Hold a key down until key_up; it modifies clicks and key presses meanwhile."""
    await tab.keyboard.down(args.key)
    return Done(deed="Holding", target=args.key)


@action(Effect.ACT, does=("press",), at="focus", group="Raw input")
async def key_up(tab: Tab, args: Key) -> Done:
    """Release a key."""
    await tab.keyboard.up(args.key)
    return Done(deed="Released", target=args.key)


@action(Effect.ACT, does=("type",), at="focus", group="Raw input")
async def insert_text(tab: Tab, args: InsertText) -> Done:
    """Insert text at the caret in one step, without key events."""
    await tab.keyboard.insert_text(args.text)
    return Done(deed="Inserted text into", target="the focused element")


@action(Effect.ACT, does=("point",), group="Raw input", idempotent=True)
async def mouse_move(tab: Tab, args: MouseMove) -> Done:
    """Move the pointer to a point of the viewport."""
    await tab.mouse.move(args.x, args.y, steps=args.steps)
    return Done(deed="Moved the pointer to", target=f"{args.x:g}, {args.y:g}")


@action(Effect.ACT, does=("press",), at="pointer", group="Raw input")
async def mouse_down(tab: Tab, args: MouseButton) -> Done:
    """Hold a mouse button down at the pointer until mouse_up."""
    await tab.mouse.down(args.button)
    return Done(deed="Holding the", target=f"{args.button} button")


@action(Effect.ACT, does=("press",), at="pointer", group="Raw input")
async def mouse_up(tab: Tab, args: MouseButton) -> Done:
    """Release a mouse button."""
    await tab.mouse.up(args.button)
    return Done(deed="Released the", target=f"{args.button} button")


@action(Effect.ACT, does=("point",), at="pointer", group="Raw input")
async def mouse_wheel(tab: Tab, args: MouseWheel) -> Done:
    """Turn the mouse wheel at the pointer."""
    await tab.mouse.wheel(args.delta_x, args.delta_y)
    return Done(deed="Turned the wheel by", target=f"{args.delta_x:g}, {args.delta_y:g}")
