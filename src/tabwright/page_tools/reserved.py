"""Names that page tools do not take: those of every action and of every tool of a dialect."""

from functools import cache
from importlib.resources import files


@cache
def reserved_names() -> frozenset[str]:
    """Return the names, as `make gen` wrote them down."""
    return frozenset((files("tabwright.page_tools") / "reserved.txt").read_text(encoding="ascii").split())
