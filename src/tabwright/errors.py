"""Every failure a caller can see. One class per thing the caller can do next.

TabwrightError
├── InvalidArgs   fix the arguments
├── NotFound      list, then choose
├── Stale         take a snapshot again
├── Blocked       clear what is in the way (a dialog, an overlay)
├── Denied        stop, or ask the human
├── TimedOut      wait, or retry with more time
├── PageFailed    the site's fault; read the message
├── BrowserGone   retry; a new browser starts
└── Internal      report it, with the log id
"""

import math


class TabwrightError(Exception):
    """A fact (`message`) and the caller's next step (`hint`)."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()

    def as_json(self) -> dict[str, str]:
        """Return the error as every door sends it; programs decide by its class."""
        return {"class": self.kind.__name__, "message": self.message, "hint": self.hint}

    @property
    def kind(self) -> "type[TabwrightError]":
        """Which of the nine classes this error belongs to."""
        return next(kind for kind in type(self).__mro__ if TabwrightError in kind.__bases__)


class InvalidArgs(TabwrightError):
    """The arguments cannot be right, whatever the page shows."""


class NotFound(TabwrightError):
    """The thing named is not there."""


class Stale(TabwrightError):
    """The thing named was there and is not any more."""


class Blocked(TabwrightError):
    """Something stands in the way: a dialog, an overlay, a disabled control."""


class Denied(TabwrightError):
    """A rule forbids it."""


class TimedOut(TabwrightError):
    """It took longer than the caller allowed."""


class PageFailed(TabwrightError):
    """The page or its server failed: an exception, a crash, a refused connection."""


class BrowserGone(TabwrightError):
    """The browser process or the connection to it ended."""


class Internal(TabwrightError):
    """Our own fault."""


def require_between(what: str, value: float, least: float, most: float) -> float:
    """Return `value` if it is a number in the range.

    Raises:
        InvalidArgs: it is not.
    """
    if not (math.isfinite(value) and least <= value <= most):
        raise InvalidArgs(f"Invalid {what} {value:g}.", hint=f"Use {least:g} to {most:g}.")
    return value
