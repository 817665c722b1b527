"""Names that page tools must not take: those of all actions and of all dialects' tools."""

from functools import cache
from importlib.resources import files


@cache
def reserved_names() -> frozenset[str]:
    """Return the reserved names, read from the file that `make gen` writes."""
    return frozenset((files("tabwright.page_tools") / "reserved.txt").read_text(encoding="ascii").split())
