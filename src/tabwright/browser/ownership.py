"""Whose browser it is, which decides what we may do to it."""

from enum import StrEnum


class Ownership(StrEnum):
    """How we got a browser."""

    LAUNCHED = "launched"  # by us, for sessions that share nothing
    PROFILE = "profile"  # by us, in the folder of a profile, which it writes when it exits
    ATTACHED = "attached"  # the user started it and opened a debugging port
    EXTENSION = "extension"  # the user's own Chrome, in the tabs that they share

    @property
    def of_user(self) -> bool:
        """Whether the user started it and uses it too: we close only what we opened there."""
        return self in (Ownership.ATTACHED, Ownership.EXTENSION)
