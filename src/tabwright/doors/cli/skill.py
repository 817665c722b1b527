"""`tabwright skill`: a guide for coding agents, printed, or put where they look for it."""

from pathlib import Path
from typing import Any, NamedTuple

from tabwright.doors.terminal import Terminal
from tabwright.private_files import save

_BEGIN, _END = "<!-- tabwright skill -->", "<!-- end of tabwright skill -->"
_ABOUT = "Drive a real browser from the shell: open pages, read them, click, fill forms, take screenshots."


class Place(NamedTuple):
    """Where an agent looks, from the folder of a project, and what it wants to read first there."""

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
    """Return the guide."""
    return Path(__file__).with_name("skill.md").read_text()


def order(given: dict[str, Any], terminal: Terminal) -> int:
    """Print the guide, or install it."""
    if not given.get("install") and "where" not in given:
        terminal.say(guide().rstrip())
        return 0
    try:
        for place in _places(given.get("where")):
            terminal.say(put(Path(place.file), place.head))
    except (OSError, UnicodeDecodeError) as error:
        terminal.fail("tabwright skill", f"{error}.", "Name a text file that can be written.")
        return 2
    return 0


def _places(where: str | None) -> list[Place]:
    """The named place; without a name, those of the agents that this folder shows signs of."""
    if where is not None:
        return [PLACES.get(where) or Place(where, where)]
    used = [place for place in PLACES.values() if Path(place.sign).exists()]
    return used or [PLACES["agents"]]


def put(path: Path, head: str) -> str:
    """Write the guide into a file, in the place of an older one or after what is there; say what was done."""
    part = f"{_BEGIN}\n{guide().rstrip()}\n{_END}\n"
    if not path.exists():
        save(path, (head + part).encode())
        return f"Wrote {path}."
    held = path.read_text()
    before, begun, rest = held.partition(_BEGIN)
    _, ended, after = rest.partition(_END)
    if begun and not ended:
        raise OSError(f"{path} holds a guide without its end")
    if begun:
        whole, deed = before + part + after.removeprefix("\n"), "Renewed the guide in"
    else:
        whole, deed = f"{held.rstrip()}\n\n{part}" if held.strip() else head + part, "Added the guide to"
    if whole == held:
        return f"{path} has the guide already."
    save(path, whole.encode())
    return f"{deed} {path}; the rest of it is as it was."
