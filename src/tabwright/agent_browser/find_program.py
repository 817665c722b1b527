"""Finds the program for agent-browser's commands: AGENT_BROWSER_BIN, the installed one, or our own."""

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tabwright.errors import NotFound

NAME = "agent-browser"
_OURS = "tabwright"


class Program(NamedTuple):
    """How a program is started; ours takes every word after `--` as a value."""

    command: tuple[str, ...]
    ours: bool = False


# -P: do not import from the folder it runs in, which is the client's.
OWN = Program((sys.executable, "-P", "-m", "tabwright"), ours=True)


def find_program(environment: Mapping[str, str], folder: Path) -> Program:
    """Return the program: AGENT_BROWSER_BIN, else agent-browser on the search path, else our own.

    Raises:
        NotFound: the named program does not exist; another one would not be what the user chose.
    """
    named, path = environment.get("AGENT_BROWSER_BIN", ""), environment.get("PATH", "")
    if named == _OURS:
        return OWN
    # A path with a slash is relative to the client's folder, not to ours.
    place = str(folder / named) if "/" in named else named
    where = shutil.which(place or NAME, path=path)
    if where is not None:
        return Program((str(Path(where).absolute()),))
    if named:
        raise NotFound(
            f"AGENT_BROWSER_BIN is {named[:200]}, but there is no such program.",
            hint=f"Set it to a program, or to {_OURS} for our own command line.",
        )
    return OWN
