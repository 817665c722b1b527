"""Running a script in the page."""

from typing import Annotated, Any

import orjson
from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.tab import Tab
from tabwright.fields import Code, Target, Timeout


class Evaluate(Args):
    """Arguments of `evaluate`."""

    script: Annotated[str, Code()] = Field(
        min_length=1,
        max_length=1_000_000,
        description="An expression, statements with return, or a function, called with args.",
    )
    args: list[Any] = Field([], description="The script's `args`.")
    target: Target | None = Field(None, description="Element to pass as the first argument.")
    timeout: Timeout = 30.0


class Value(Result):
    """What a script returned."""

    own_lines = 0
    exact = True
    value_only = True

    value: Any = Field(description="Its JSON value.")

    def __str__(self) -> str:
        return self.value if isinstance(self.value, str) else orjson.dumps(self.value).decode()


@action(Effect.ACT, does=("run_script",), group="JavaScript", scope="evaluate")
async def evaluate(tab: Tab, args: Evaluate) -> Value:
    """Run JavaScript in the page and return its value; promises are awaited."""
    if args.target is None:
        return Value(value=await tab.evaluate(args.script, *args.args, timeout=args.timeout))
    element = tab.element(args.target)
    return Value(value=await element.evaluate(args.script, *args.args, timeout=args.timeout))


class WaitForScript(Args):
    """Arguments of `wait_for_script`."""

    script: Annotated[str, Code()] = Field(
        min_length=1, max_length=100_000, description="Expression that must become true."
    )
    timeout: Timeout = 30.0


@action(Effect.ACT, does=("run_script",), group="JavaScript", scope="evaluate", observed=False, patient=True)
async def wait_for_script(tab: Tab, args: WaitForScript) -> Value:
    """Wait until a JavaScript expression is true."""
    return Value(value=await tab.waits.function(args.script, timeout=args.timeout))
