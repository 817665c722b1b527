"""Mouse and finger: what a hand does on the page."""

from typing import Literal

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.tab import Tab
from tabwright.fields import Target, Timeout

Button = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "Meta", "Shift"]


class Done(Result):
    """What was done to which element."""

    deed: str = Field(description="What was done.")
    target: str = Field(description="Role and name of the element.")

    def __str__(self) -> str:
        return f"{self.deed} {self.target}."


class Click(Args):
    """Arguments of `click`."""

    target: Target
    button: Button = Field("left", description="Which mouse button.")
    count: int = Field(1, ge=1, le=3, description="2 for a double click.")
    modifiers: list[Modifier] = Field([], description="Keys held down meanwhile.")
    timeout: Timeout = 5.0


class Over(Args):
    """Arguments that name an element."""

    target: Target
    timeout: Timeout = 5.0


class Point(Args):
    """Arguments of `click_at`."""

    x: float = Field(description="CSS pixels from the left of the viewport.")
    y: float = Field(description="CSS pixels from the top of the viewport.")
    button: Button = Field("left", description="Which mouse button.")
    count: int = Field(1, ge=1, le=3, description="2 for a double click.")


@action(Effect.ACT)
async def click(tab: Tab, args: Click) -> Done:
    """Click an element."""
    element = tab.element(args.target)
    await element.click(button=args.button, count=args.count, modifiers=args.modifiers, timeout=args.timeout)
    return Done(deed="Clicked", target=element.label)


@action(Effect.ACT, idempotent=True)
async def hover(tab: Tab, args: Over) -> Done:
    """Move the pointer over an element."""
    element = tab.element(args.target)
    await element.hover(timeout=args.timeout)
    return Done(deed="Pointed at", target=element.label)


@action(Effect.ACT)
async def click_at(tab: Tab, args: Point) -> Done:
    """Click at a point of the viewport."""
    await tab.mouse.click(args.x, args.y, button=args.button, count=args.count)
    return Done(deed="Clicked at", target=f"{args.x:g}, {args.y:g}")


@action(Effect.ACT, idempotent=True)
async def scroll_into_view(tab: Tab, args: Over) -> Done:
    """Scroll until an element is in view."""
    element = tab.element(args.target)
    await element.scroll_into_view(timeout=args.timeout)
    return Done(deed="Scrolled to", target=element.label)
