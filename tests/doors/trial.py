"""Actions for tests of doors: one that fails inside, one that prints, one that lasts."""

import os

import anyio

from tabwright.action import Args, Caller, Effect, Result, action
from tabwright.errors import BrowserGone, Stale


class Done(Result):
    """It is done."""

    def __str__(self) -> str:
        return "Done."


@action(Effect.READ, group="Trial")
async def explode(caller: Caller, args: Args) -> Done:
    """Fail for a reason that is nobody's business."""
    raise RuntimeError("secret detail in /home/somebody")


@action(Effect.READ, group="Trial")
async def shout(caller: Caller, args: Args) -> Done:
    """Print, in every way there is."""
    print("shouting")  # noqa: T201 - what the test is about
    os.write(1, b"shouting\n")
    return Done()


@action(Effect.READ, group="Trial")
async def linger(caller: Caller, args: Args) -> Done:
    """Last until somebody has enough of it."""
    await anyio.sleep_forever()
    raise AssertionError


@action(Effect.ACT, group="Trial")
async def stumble(caller: Caller, args: Args) -> Done:
    """Fail in a way that the caller can do something about."""
    raise Stale("@e12 is not on this page.", hint="Take a snapshot, then use a ref from it.")


@action(Effect.ACT, group="Trial")
async def lose_browser(caller: Caller, args: Args) -> Done:
    """Fail as if the browser had gone."""
    raise BrowserGone("The browser ended.", hint="Try again.")
