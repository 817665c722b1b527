"""Our isolated world: the scripts that run in every frame, invisible to the page's own scripts."""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from tabwright.hygiene import javascript_pattern

WORLD = "tabwright"

# In the order in which they depend on each other.
SCRIPTS = (
    "core/page.js",
    "core/scheduled.js",
    "core/dom.js",
    "core/hygiene.js",
    "core/paint.js",
    "core/visibility.js",
    "core/internals.js",
    "core/visible_text.js",
    "core/roles.js",
    "core/counters.js",
    "core/generated.js",
    "core/labels.js",
    "core/names.js",
    "core/refs.js",
    "core/tables.js",
    "core/guesses.js",
    "core/listeners.js",
    "core/shown_values.js",
    "core/states.js",
    "snapshot/rows.js",
    "snapshot/usable.js",
    "snapshot/covers.js",
    "snapshot/look.js",
    "snapshot/place.js",
    "snapshot/hidden_texts.js",
    "snapshot/identity.js",
    "snapshot/cards.js",
    "snapshot/naming.js",
    "snapshot/snapshot.js",
    "act/locate.js",
    "act/actionability.js",
    "act/retarget.js",
    "act/prefer.js",
    "act/approved.js",
    "act/widgets.js",
    "act/calendar.js",
    "act/fields.js",
    "act/secrets.js",
    "act/drag.js",
    "act/scroll.js",
    "act/wait.js",
    "act/picture.js",
    "act/storage.js",
    "act/state.js",
    "snapshot/scene.js",
    "snapshot/compare.js",
    "snapshot/changes.js",
    "snapshot/watch.js",
    "snapshot/transitions.js",
    "snapshot/effects.js",
)
# Only `read` needs them.
_READING_SCRIPTS = (
    "read/parts.js",
    "read/candidates.js",
    "read/cleaning.js",
    "read/clutter.js",
    "read/main_text.js",
    "read/reading.js",
)

# Calls `tabwright.<name>(...args)` in the world it is sent to.
CALL = (
    "function (name, ...args) { if (!globalThis.tabwright?.done) throw 0; return tabwright[name](...args) }"
)
# What it throws when the scripts are not all loaded.
UNFINISHED = 0
_FINISH = "tabwright.done = true;"


@cache
def world_source() -> str:
    """Return the scripts of every isolated world, joined."""
    pattern = f"tabwright.invisiblePattern = {json.dumps(javascript_pattern())};"
    return "\n".join([join_scripts(SCRIPTS[:1]), pattern, join_scripts(SCRIPTS[1:]), _FINISH])


@cache
def reading_source() -> str:
    """Return the scripts of `read`, joined; they do nothing in a world that has them."""
    return f"if (!tabwright.readPage) {{ {join_scripts(_READING_SCRIPTS)} }}"


def join_scripts(names: Sequence[str], package: str = "tabwright.browser") -> str:
    """Return scripts from the folder `js` of a package, joined and minified."""
    return "\n".join(_minify(script(name, package)) for name in names)


@cache
def script(name: str, package: str = "tabwright.browser") -> str:
    """Return the source of one script from the folder `js` of a package."""
    return (files(package) / "js" / name).read_text(encoding="utf-8")


def _minify(source: str) -> str:
    """Drop comments and indentation and write ASCII only: Chrome parses it in two thirds of the time."""
    lines = (line.lstrip() for line in source.splitlines())
    code = "\n".join(line for line in lines if not line.startswith("//"))
    return code.encode("ascii", "backslashreplace").decode("ascii")
