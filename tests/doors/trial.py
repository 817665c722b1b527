"""Actions for tests of doors: they fail in several ways, print, or never finish."""

import os

import anyio

from tabwright.action import Args, Caller, Effect, Result, action
from tabwright.errors import BrowserGone, Stale


class Done(Result):
    """The action succeeded."""

    def __str__(self) -> str:
        return "Done."


@action(Effect.READ, does=("look",), group="Trial")
async def explode(caller: Caller, args: Args) -> Done:
    """Fail with an exception whose text must stay secret."""
    raise RuntimeError("secret detail in /home/somebody")


@action(Effect.READ, does=("look",), group="Trial")
async def shout(caller: Caller, args: Args) -> Done:
    """Write to standard output in two ways."""
    print("shouting")  # noqa: T201 - what the test is about
    os.write(1, b"shouting\n")
    return Done()


@action(Effect.READ, does=("look",), group="Trial")
async def linger(caller: Caller, args: Args) -> Done:
    """Run until cancelled."""
    await anyio.sleep_forever()
    raise AssertionError


@action(Effect.ACT, does=("press",), group="Trial")
async def stumble(caller: Caller, args: Args) -> Done:
    """Fail with an error that the caller can act on."""
    raise Stale("@e12 is not on this page.", hint="Take a snapshot, then use a ref from it.")


@action(Effect.ACT, does=("press",), group="Trial")
async def lose_browser(caller: Caller, args: Args) -> Done:
    """Fail as if the browser had exited."""
    raise BrowserGone("The browser ended.", hint="Try again.")
