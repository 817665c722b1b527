"""What became of a field that was filled."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Filled:
    """The value that a field has.

    `pending` says what is still to be done, when the field has the text but not the value. `note` says what
    else is worth knowing. `options` are the names and numbers of options that were chosen.
    """

    value: str
    pending: str = ""
    note: str = ""
    options: tuple[tuple[str, int], ...] = ()
