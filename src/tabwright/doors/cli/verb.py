"""What a verb is: words that mean an action of the catalogue, or something beside it."""

from collections.abc import Callable
from typing import NamedTuple

from tabwright.doors.cli.commands import Field
from tabwright.doors.cli.verb_handlers import Ask, Given


class Verb(NamedTuple):
    """One verb.

    `places` are its words in order, fields of the action: `path:output?` is called path, means the field
    output, and may be missing. `flags` are other names of fields: `-s/--selector:target`. What is `fixed`
    goes along.
    """

    name: str
    action: str = ""
    places: str = ""
    flags: str = ""
    fixed: Given = {}  # noqa: RUF012 - a field of a tuple, shared by nobody who changes it
    shown: str = ""
    asks: Callable[[Given], Ask] | None = None
    summary: str = ""
    fields: tuple[Field, ...] = ()
    differs: str = ""

    def ask(self, given: Given) -> Ask:
        """Return what the given fields ask for."""
        if self.asks is not None:
            return self.asks({**self.fixed, **given})
        return Ask(self.action, {**self.fixed, **given}, self.shown)
