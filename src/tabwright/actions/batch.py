"""Several actions in one call."""

import shlex

import orjson
from pydantic import Field

from tabwright.action import Args, Caller, Effect, Result, action
from tabwright.errors import InvalidArgs, TabwrightError
from tabwright.text import format_count


class Batch(Args):
    """Arguments of `batch`."""

    steps: list[str] = Field(
        min_length=1,
        max_length=50,
        description='Actions in order, each as JSON: {"action": "fill", "target": "@e3", "value": "Ada"}.',
    )
    go_on: bool = Field(False, description="Continue after a step that fails.")


class Steps(Result):
    """The answers of the steps."""

    own_lines = 0

    done: int = Field(description="Successful steps.")
    total: int = Field(description="Number of steps.")
    answers: list[str] = Field(description="The answer of each step that ran.")

    def __str__(self) -> str:
        text = "\n".join(f"{number}. {answer}" for number, answer in enumerate(self.answers, 1))
        return f"{text}\n{self.done} of {format_count(self.total, 'step')} done."


@action(Effect.ACT, does=("run_actions",), group="Batches", patient=True)
async def batch(caller: Caller, args: Batch) -> Steps:
    """Run several actions in one call; stop at the first that fails, unless go_on."""
    steps = [_parse(step) for step in args.steps]
    answers: list[str] = []
    done = 0
    for name, given in steps:
        try:
            answers.append(f"{name}: {await caller.run(name, given)}")
            done += 1
        except TabwrightError as error:
            answers.append(f"{name} failed: {error.kind.__name__}: {error}")
            if not args.go_on:
                break
    return Steps(done=done, total=len(steps), answers=answers)


def _parse(step: str) -> tuple[str, dict[str, object]]:
    """Parse a step, before any of them runs."""
    try:
        fields = orjson.loads(step)
        name = fields.pop("action")
    except (orjson.JSONDecodeError, AttributeError, KeyError, TypeError) as error:
        raise InvalidArgs(
            f"Invalid step {shlex.quote(step[:100])}.", hint='Write {"action": "click", "target": "@e3"}.'
        ) from error
    if name == "batch":
        raise InvalidArgs("A batch cannot contain a batch.", hint="Put its steps into this one.")
    return str(name), fields
