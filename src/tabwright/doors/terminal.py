"""Where a command speaks: answers on standard output, everything else on standard error.

Colour and the progress line are for a terminal only.
"""

import itertools
import os
import sys
from typing import Any, TextIO

_COLOURS = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "dim": "2", "bold": "1"}
_FRAMES = "|/-\\"
# What a page says may hold characters that steer a terminal: none of them gets there.
_STEERING = dict.fromkeys([*range(9), *range(11, 32), *range(127, 160)])


class Terminal:
    """The two streams of a command."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self._out = out or sys.stdout
        self._err = err or sys.stderr
        self._frames = itertools.cycle(_FRAMES)
        self._drawn = False

    @property
    def live(self) -> bool:
        """Whether somebody watches standard error."""
        return self._err.isatty()

    @property
    def width(self) -> int:
        """Columns to write in."""
        try:
            return min(os.get_terminal_size(self._out.fileno()).columns or 80, 100)
        except (OSError, ValueError):
            return 80

    def say(self, text: str) -> None:
        """Print words of our own."""
        self.clear()
        print(text, file=self._out, flush=True)

    def show(self, text: str, colour: str = "") -> None:
        """Print words that may be a page's."""
        text = text.translate(_STEERING) if self._out.isatty() else text
        self.say(self.painted(text, colour) if colour else text)

    def note(self, text: str) -> None:
        """Print what is beside the answer."""
        self.clear()
        print(text, file=self._err, flush=True)

    def fail(self, where: str, message: str, hint: str = "") -> None:
        """Print an error: the fact, then the next step."""
        message, hint = message.translate(_STEERING), hint.translate(_STEERING)
        self.note(f"{self._painted(where, 'red', self._err)}: {message}" + (f"\n{hint}" if hint else ""))

    def progress(self, message: str) -> None:
        """Show on one line that work goes on."""
        if self.live:
            room = self.width - 4
            self._err.write(f"\r\x1b[K{next(self._frames)} {message.translate(_STEERING)[:room]}")
            self._err.flush()
            self._drawn = True

    def clear(self) -> None:
        """Take the progress line away."""
        if self._drawn:
            self._err.write("\r\x1b[K")
            self._err.flush()
            self._drawn = False

    def painted(self, text: str, colour: str) -> str:
        """Return text in a colour, where standard output shows colours."""
        return self._painted(text, colour, self._out)

    def _painted(self, text: str, colour: str, stream: TextIO) -> str:
        environment: Any = os.environ  # noqa: TID251 - NO_COLOR and TERM tell of the terminal, not of us
        if not stream.isatty() or environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
            return text
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m"
