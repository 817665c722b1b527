"""Which program answers the verbs of agent-browser: the one that is named, the one installed, or our own."""

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tabwright.errors import NotFound

NAME = "agent-browser"
_OURS = "tabwright"


class Program(NamedTuple):
    """A program as it is started; ours takes any word behind `--` for a value."""

    command: tuple[str, ...]
    ours: bool = False


# Not from the folder that it runs in, which is the client's and may hold modules of any name.
OWN = Program((sys.executable, "-P", "-m", "tabwright"), ours=True)


def found(environment: Mapping[str, str], folder: Path) -> Program:
    """Return the program: AGENT_BROWSER_BIN, else agent-browser on the search path, else our own.

    Raises:
        NotFound: the one that is named is not there; another in its place would not be what was asked for.
    """
    named, path = environment.get("AGENT_BROWSER_BIN", ""), environment.get("PATH", "")
    if named == _OURS:
        return OWN
    # What has a slash is looked for where the client is, not where we are.
    place = str(folder / named) if "/" in named else named
    where = shutil.which(place or NAME, path=path)
    if where is not None:
        return Program((str(Path(where).absolute()),))
    if named:
        raise NotFound(
            f"AGENT_BROWSER_BIN is {named[:200]}, and no such program is there.",
            hint=f"Name one that is, or {_OURS} for our own command line.",
        )
    return OWN
