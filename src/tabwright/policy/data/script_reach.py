"""How far a caller's scripts reach: decided here, from scopes, settings and what the script itself shows.

The world that scripts run in holds by itself; what a parse shows plainly is refused before anything runs.
"""

from tabwright.action import Args
from tabwright.browser.page.script_sandbox import Level, Reach
from tabwright.errors import Denied
from tabwright.fields import Code
from tabwright.policy.callers.principal import Principal

_FULL = Reach()
_ONLY_READS = Reach(
    Level.READ, "A token without the scope act may only read: no clicks, no changes, no waiting."
)
_HINT = "Use the action for it, or ask the user to set security.block_eval to false."


class Scripts:
    """The rules for all scripts that callers hand over."""

    def __init__(self, *, block_eval: bool = True) -> None:
        self._block_eval = block_eval

    def check(self, args: Args, principal: Principal) -> tuple[Args, Reach]:
        """Return the arguments with the script as it is to run, and how far scripts of the call reach.

        Raises:
            Denied: the script clearly uses something out of its reach.
        """
        field = _code(args)
        level = self.level(principal)
        if level is Level.FULL:
            return args, _FULL
        if field is None:
            return args, _reach(level, "")
        from tabwright.policy.data.script_parser import parse  # noqa: PLC0415 - its parser costs a hub's start too much

        script = parse(getattr(args, field))
        if script.refused:
            raise Denied(f"{script.refused[0]} is out of reach of the script.", hint=script.refused[1])
        reach = _reach(level, script.obstacle)
        return (args if script.obstacle else args.model_copy(update={field: script.source})), reach

    def level(self, principal: Principal) -> Level:
        """Return how far the scripts of a caller reach at most."""
        if "evaluate" in principal.scopes and not self._block_eval:
            return Level.FULL
        return Level.GUARDED if principal.scopes & {"evaluate", "act"} else Level.READ


def _reach(level: Level, obstacle: str) -> Reach:
    """Return the reach of one script: what cannot be followed to its end may only read."""
    if level is Level.READ:
        return _ONLY_READS
    if obstacle:
        return Reach(Level.READ, f"It may change the page once written without {obstacle}.")
    return Reach(Level.GUARDED, _HINT)


def _code(args: Args) -> str | None:
    for name, field in type(args).model_fields.items():
        if any(isinstance(mark, Code) for mark in field.metadata):
            return name
    return None
