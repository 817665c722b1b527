"""What a page tool is, where tools come from, and what running one returns."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Schema = dict[str, Any]
Origin = Literal["site", "page", "recipe"]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The result of running a tool: our summary, then lines of text from the page."""

    summary: str
    page_lines: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PageTool:
    """One tool of a page.

    `element` is the ref number of its form or control, 0 if it has none; together with `frame` (a frame id)
    it shows that two sources describe the same thing. `controls` are the ref numbers of the controls that its
    arguments set, by key. A higher `rank` is listed earlier. Few tools of one `kind` are shown at first, and
    none that is `minor`, which few people come for.
    """

    name: str
    description: str
    schema: Schema
    source: Origin
    frame: str
    run: Callable[[Mapping[str, Any]], Awaitable[Outcome]] = field(compare=False, repr=False)
    read_only: bool = False
    element: int = 0
    controls: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)
    rank: float = 0.0
    kind: str = ""
    minor: bool = False


class Source(Protocol):
    """Finds tools on the page of one tab."""

    async def tools(self) -> Sequence[PageTool]:
        """Return the tools that the page has now."""
