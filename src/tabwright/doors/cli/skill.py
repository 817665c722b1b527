"""`tabwright skill`: prints a guide for coding agents, or installs it where they read it."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from tabwright.doors.terminal import Terminal
from tabwright.private_files import save

_BEGIN, _END = "<!-- tabwright skill -->", "<!-- end of tabwright skill -->"
# Quoted: YAML reads a colon in plain text as a key.
_ABOUT = json.dumps(
    "Drive a real browser from the shell: open pages, read them, click, fill forms, take screenshots. "
    "Use it when a task needs a web page."
)


class Place(NamedTuple):
    """A file that an agent reads in a project; `sign` shows that it is used, `head` begins the file."""

    file: str
    sign: str
    head: str = ""


PLACES = {
    "claude": Place(
        ".claude/skills/tabwright/SKILL.md",
        ".claude",
        f"---\nname: tabwright\ndescription: {_ABOUT}\n---\n\n",
    ),
    "cursor": Place(
        ".cursor/rules/tabwright.mdc", ".cursor", f"---\ndescription: {_ABOUT}\nalwaysApply: false\n---\n\n"
    ),
    "agents": Place("AGENTS.md", "AGENTS.md"),
}


def guide() -> str:
    """Read the guide."""
    return Path(__file__).with_name("skill.md").read_text()


def run(given: dict[str, Any], terminal: Terminal) -> int:
    """Print the guide, or install it."""
    if not given.get("install") and "where" not in given:
        terminal.say(guide().rstrip())
        return 0
    try:
        for place in _places(given.get("where")):
            terminal.say(install(Path(place.file), place.head))
    except (OSError, UnicodeDecodeError) as error:
        terminal.fail("tabwright skill", f"{error}.", "Name a text file that can be written.")
        return 2
    return 0


def _places(where: str | None) -> list[Place]:
    """Return the named place, or those of the agents used in this folder."""
    if where is not None:
        return [PLACES.get(where) or Place(where, where)]
    used = [place for place in PLACES.values() if Path(place.sign).exists()]
    return used or [PLACES["agents"]]


def install(path: Path, head: str) -> str:
    """Write the guide to a file: replace an older one, or append it; return what was done."""
    part = f"{_BEGIN}\n{guide().rstrip()}\n{_END}\n"
    if not path.exists():
        save(path, (head + part).encode())
        return f"Wrote {path}."
    text = path.read_text()
    before, begin, rest = text.partition(_BEGIN)
    _, ended, after = rest.partition(_END)
    if begin and not ended:
        raise OSError(f"{path} has a guide without its end marker")
    if begin:
        new, done = before + part + after.removeprefix("\n"), "Updated the guide in"
    else:
        new, done = f"{text.rstrip()}\n\n{part}" if text.strip() else head + part, "Added the guide to"
    if new == text:
        return f"{path} already has the guide."
    save(path, new.encode())
    return f"{done} {path}; the rest is unchanged."
