"""The output of a command: answers on standard output, everything else on standard error.

Colour and the progress line are for a terminal only.
"""

import itertools
import os
import sys
from typing import Any, TextIO

_COLOURS = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "dim": "2", "bold": "1"}
_FRAMES = "|/-\\"
# Text of a page may contain control characters; a terminal never gets them.
_CONTROL_CHARACTERS = dict.fromkeys([*range(9), *range(11, 32), *range(127, 160)])


class Terminal:
    """The two streams of a command."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self._out = out or sys.stdout
        self._err = err or sys.stderr
        self._frames = itertools.cycle(_FRAMES)
        self._drawn = False

    @property
    def live(self) -> bool:
        """Whether standard error is a terminal."""
        return self._err.isatty()

    @property
    def width(self) -> int:
        """Columns to write in."""
        try:
            return min(os.get_terminal_size(self._out.fileno()).columns or 80, 100)
        except (OSError, ValueError):
            return 80

    def say(self, text: str) -> None:
        """Print trusted text."""
        self.clear()
        print(text, file=self._out, flush=True)

    def show(self, text: str, colour: str = "") -> None:
        """Print text that may be a page's, without control characters."""
        text = text.translate(_CONTROL_CHARACTERS) if self._out.isatty() else text
        self.say(self.paint(text, colour) if colour else text)

    def note(self, text: str) -> None:
        """Print a message to standard error."""
        self.clear()
        print(text, file=self._err, flush=True)

    def ask(self, question: str) -> str:
        """Ask a person on the terminal; return the answer, "" at the end of the input."""
        self.clear()
        self._err.write(question)
        self._err.flush()
        return sys.stdin.readline().strip()

    def fail(self, where: str, message: str, hint: str = "") -> None:
        """Print an error: the fact, then the next step."""
        message, hint = message.translate(_CONTROL_CHARACTERS), hint.translate(_CONTROL_CHARACTERS)
        self.note(f"{self._paint(where, 'red', self._err)}: {message}" + (f"\n{hint}" if hint else ""))

    def progress(self, message: str) -> None:
        """Update the progress line, on a terminal."""
        if self.live:
            room = self.width - 4
            self._err.write(f"\r\x1b[K{next(self._frames)} {message.translate(_CONTROL_CHARACTERS)[:room]}")
            self._err.flush()
            self._drawn = True

    def clear(self) -> None:
        """Remove the progress line."""
        if self._drawn:
            self._err.write("\r\x1b[K")
            self._err.flush()
            self._drawn = False

    def paint(self, text: str, colour: str) -> str:
        """Return text in a colour, where standard output shows colours."""
        return self._paint(text, colour, self._out)

    def _paint(self, text: str, colour: str, stream: TextIO) -> str:
        environment: Any = os.environ  # noqa: TID251 - NO_COLOR and TERM describe the terminal, they are not settings
        if not stream.isatty() or environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
            return text
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m"
