"""Our isolated world: the scripts that live in every frame beside the page's own, unseen by it."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

WORLD = "tabwright"

# In the order in which they stand on each other.
SCRIPTS = (
    "page.js",
    "dom.js",
    "hygiene.js",
    "visibility.js",
    "roles.js",
    "names.js",
    "refs.js",
    "states.js",
    "rows.js",
    "snapshot.js",
    "locate.js",
    "act.js",
    "fields.js",
    "scroll.js",
    "wait.js",
    "picture.js",
    "storage.js",
    "state.js",
    "effects.js",
)
# Come only where page tools are asked for.
PAGE_TOOLS = (
    "page_tools_sight.js",
    "page_tools_fields.js",
    "page_tools_groups.js",
    "page_tools_lists.js",
    "page_tools.js",
)

# Calls `tabwright.<name>(...args)` in the world it is sent to.
CALL = (
    "function (name, ...args) { if (!globalThis.tabwright?.done) throw 0; return tabwright[name](...args) }"
)
# What it throws when the scripts are not all there.
UNFINISHED = 0
_FINISH = "tabwright.done = true;"


@cache
def world_source() -> str:
    """Return all scripts that every world has, as one."""
    return "\n".join([_joined(SCRIPTS), _FINISH])


@cache
def page_tools_source() -> str:
    """Return the scripts that look for page tools, as one."""
    return _joined(PAGE_TOOLS)


def _joined(names: Sequence[str]) -> str:
    folder = files("tabwright.browser") / "js"
    return "\n".join(_lean((folder / name).read_text(encoding="utf-8")) for name in names)


def _lean(source: str) -> str:
    """Drop comments and indentation and write ASCII only: Chrome reads that in two thirds of the time."""
    lines = (line.lstrip() for line in source.splitlines())
    lean = "\n".join(line for line in lines if not line.startswith("//"))
    return lean.encode("ascii", "backslashreplace").decode("ascii")
