"""What an alias is: another name for an action, with its own names, units and defaults for the arguments.

Tools of dialects and verbs of the command line are tables of aliases. `alias_table` derives tools from them,
`doors/cli/verbs` commands. This module imports nothing heavy, because every command reads its table.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tabwright.action import Effect

Arguments = dict[str, Any]
Meaning = tuple[str, Arguments]
Render = Callable[[Any], dict[str, Any]]

# One millisecond in seconds, the unit of durations in the catalogue.
MS = 0.001
# Special defaults: that of the action, and none, because the argument is required.
INHERITED, REQUIRED = object(), object()


class Param(NamedTuple):
    """One argument, as the client writes it.

    Args:
        name: what the client calls it.
        field: the argument of the action, where its name differs; `pause.seconds` belongs to another action.
        text: its description; "" for none.
        default: in the client's unit; None: it may be left out, and no default is listed.
        unit: how much one of the client's unit is in the action's.
        type: its own type, where the action has no such argument or takes more values.
        flag: how a command line writes it, such as `-s/--selector`; "" for a word by its position.
        typed: whether a command line must not take it for a flag, whatever it begins with.
    """

    name: str
    field: str = ""
    text: str = ""
    default: Any = INHERITED
    unit: float = 1
    type: Any = None
    flag: str = ""
    typed: bool = False

    @property
    def target(self) -> str:
        """The argument of the action."""
        return self.field.rpartition(".")[2] or self.name

    def convert(self, value: Any) -> Any:
        """Convert a value to the action's unit; what is not a number is left for the action to refuse."""
        if self.unit == 1 or isinstance(value, bool):
            return value
        try:
            return float(value) * self.unit
        except (TypeError, ValueError):
            return value


class Alias(NamedTuple):
    """One tool or verb.

    Args:
        name: what the client calls it.
        action: what it means; "" where `translate` decides.
        text: its description; "" for the action's own.
        params: its arguments, in the order in which they are listed.
        fixed: arguments of the action that the client cannot choose.
        translate: chooses the action, where that depends on the arguments; gets them by the action's names.
        also: further actions that `translate` may choose.
        effect: what it does; None for the effect of the action.
        destructive: whether it may change or delete what cannot be brought back; None: as its actions.
        session: description of the argument that names the session; None: it has no such argument.
        route: its HTTP route, such as `POST click`; several are separated by commas.
        render: makes the whole answer from the result, where that is a structure.
        second: a second in the unit of durations of the action's arguments, where no param gives them.
        shown: field of the result that the command line prints alone.
        differs: how the verb differs from agent-browser's, for its document.
    """

    name: str
    action: str = ""
    text: str = ""
    params: tuple[Param, ...] = ()
    fixed: Mapping[str, Any] = MappingProxyType({})
    translate: Callable[[Arguments], Meaning] | None = None
    also: tuple[str, ...] = ()
    effect: "Effect | None" = None
    destructive: bool | None = None
    session: str | None = ""
    route: str = ""
    render: Render | None = None
    second: float = 1
    shown: str = ""
    differs: str = ""

    def meaning(self, given: Mapping[str, Any]) -> Meaning:
        """Return the action and its arguments; what no param names is passed on by its own name."""
        rest, args = dict(given), dict(self.fixed)
        for param in self.params:
            value = rest.pop(param.name, param.default)
            if value is not None and value is not INHERITED and value is not REQUIRED:
                args[param.target] = param.convert(value)
        args.update(rest)
        return (self.action, args) if self.translate is None else self.translate(args)
