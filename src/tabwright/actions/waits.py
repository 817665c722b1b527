"""Waiting for a state of the page."""

from typing import Literal

import anyio
from pydantic import Field

from tabwright.action import Args, Effect, action
from tabwright.browser.tab import Tab
from tabwright.fields import Pattern, Target, Timeout
from tabwright.results import Done
from tabwright.sessions.session import Session


class WaitFor(Args):
    """Arguments of `wait_for`."""

    target: Target
    state: Literal["visible", "hidden", "attached", "detached", "enabled"] = Field(
        "visible", description="State to wait for."
    )
    timeout: Timeout = 30.0


class WaitForText(Args):
    """Arguments of `wait_for_text`."""

    text: str = Field(min_length=1, max_length=2_000, description="Text to wait for.")
    gone: bool = Field(False, description="Wait until it is gone instead.")
    timeout: Timeout = 30.0


class Pause(Args):
    """Arguments of `pause`."""

    seconds: float = Field(gt=0, le=30, description="Seconds.")


class WaitForUrl(Args):
    """Arguments of `wait_for_url`."""

    pattern: Pattern
    timeout: Timeout = 30.0


@action(Effect.READ, does=("look",), group="Waiting", patient=True)
async def wait_for(tab: Tab, args: WaitFor) -> Done:
    """Wait until an element is visible, hidden, attached, detached or enabled."""
    await tab.waits.element(args.target, args.state, timeout=args.timeout)
    return Done(deed=f"Now {args.state}:", target=args.target)


@action(Effect.READ, does=("look",), group="Waiting", patient=True)
async def wait_for_text(tab: Tab, args: WaitForText) -> Done:
    """Wait until a text is on the page, or gone from it."""
    await tab.waits.text(args.text, gone=args.gone, timeout=args.timeout)
    return Done(deed="Gone:" if args.gone else "Shown:", target=f'"{args.text}"')


@action(Effect.READ, does=("look",), group="Waiting", patient=True)
async def wait_for_url(tab: Tab, args: WaitForUrl) -> Done:
    """Wait until the URL matches a pattern."""
    return Done(deed="The URL is", target=await tab.waits.url(args.pattern, timeout=args.timeout))


@action(Effect.READ, does=("look",), group="Waiting", patient=True)
async def pause(session: Session, args: Pause) -> Done:
    """Do nothing for a while; prefer waiting for an event."""
    await anyio.sleep(args.seconds)
    return Done(deed="Waited", target=f"{args.seconds:g} s")
