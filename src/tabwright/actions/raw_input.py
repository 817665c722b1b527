"""Keys and mouse buttons by themselves: held, let go, moved, without an element that they are for."""

from typing import Annotated, Literal

from pydantic import Field

from tabwright.action import Args, Effect, action
from tabwright.browser.tab import Tab
from tabwright.fields import Typed
from tabwright.results import Done


class OneKey(Args):
    """Arguments that name a key."""

    key: str = Field(min_length=1, max_length=100, description="Key: Shift, Control, a, ArrowDown.")


class Inserted(Args):
    """Arguments of `insert_text`."""

    text: Annotated[str, Typed()] = Field(max_length=1_000_000, description="What to put in at the caret.")


class MouseTo(Args):
    """Arguments of `mouse_move`."""

    x: float = Field(description="CSS pixels from the left of the viewport.")
    y: float = Field(description="CSS pixels from the top of the viewport.")
    steps: int = Field(1, ge=1, le=1_000, description="In how many parts.")


class MouseButton(Args):
    """Arguments that name a mouse button."""

    button: Literal["left", "right", "middle"] = Field("left", description="Which mouse button.")


class MouseWheel(Args):
    """Arguments of `mouse_wheel`."""

    delta_y: float = Field(ge=-1_000_000, le=1_000_000, description="CSS pixels down; up when negative.")
    delta_x: float = Field(0, ge=-1_000_000, le=1_000_000, description="CSS pixels to the right.")


@action(Effect.ACT, group="Raw input")
async def key_down(tab: Tab, args: OneKey) -> Done:
    """Press a key and hold it, until key_up; what is pressed or clicked meanwhile has it held."""
    await tab.keyboard.down(args.key)
    return Done(deed="Now held:", target=args.key)


@action(Effect.ACT, group="Raw input")
async def key_up(tab: Tab, args: OneKey) -> Done:
    """Let go of a key."""
    await tab.keyboard.up(args.key)
    return Done(deed="Let go of", target=args.key)


@action(Effect.ACT, group="Raw input")
async def insert_text(tab: Tab, args: Inserted) -> Done:
    """Put text in where the caret is, as a whole and without key events."""
    await tab.keyboard.insert_text(args.text)
    return Done(deed="Put text into", target="what has the focus")


@action(Effect.ACT, group="Raw input", idempotent=True)
async def mouse_move(tab: Tab, args: MouseTo) -> Done:
    """Move the pointer to a point of the viewport."""
    await tab.mouse.move(args.x, args.y, steps=args.steps)
    return Done(deed="The pointer is at", target=f"{args.x:g}, {args.y:g}")


@action(Effect.ACT, group="Raw input")
async def mouse_down(tab: Tab, args: MouseButton) -> Done:
    """Press a mouse button where the pointer is, and hold it until mouse_up."""
    await tab.mouse.down(args.button)
    return Done(deed="Now held: the", target=f"{args.button} button")


@action(Effect.ACT, group="Raw input")
async def mouse_up(tab: Tab, args: MouseButton) -> Done:
    """Let go of a mouse button."""
    await tab.mouse.up(args.button)
    return Done(deed="Let go of the", target=f"{args.button} button")


@action(Effect.ACT, group="Raw input")
async def mouse_wheel(tab: Tab, args: MouseWheel) -> Done:
    """Turn the mouse wheel where the pointer is."""
    await tab.mouse.wheel(args.delta_x, args.delta_y)
    return Done(deed="Turned the wheel by", target=f"{args.delta_x:g}, {args.delta_y:g}")
