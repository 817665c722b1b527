"""What a page tool is, where tools come from, and what running one returns."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Schema = dict[str, Any]
Origin = Literal["site", "page", "recipe"]


# Returns the ref numbers of what a tool presses with some arguments.
Presses = Callable[[Mapping[str, Any]], Sequence[int]]


def press_nothing(arguments: Mapping[str, Any]) -> Sequence[int]:
    """Return nothing: the tool presses only what it sets."""
    del arguments
    return ()


def press_always(*numbers: int) -> Presses:
    """Return that a tool presses the same things with all arguments."""
    return lambda _: numbers


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The result of running a tool: our summary, then lines of text from the page."""

    summary: str
    page_lines: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PageTool:
    """One tool of a page.

    `element` is the ref number of its form or control, 0 if it has none; together with `frame` (a frame
    id) it shows that two sources describe the same thing. `controls` are the ref numbers of the controls
    that its arguments set, by key; `presses` returns those of what it presses with some arguments. A
    higher `rank` is listed earlier. Few tools of one `kind` are shown at first, and none that is `minor`,
    which few people come for.
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
    presses: Presses = field(default=press_nothing, compare=False, repr=False)
    rank: float = 0.0
    kind: str = ""
    minor: bool = False


class Source(Protocol):
    """Finds tools on the page of one tab."""

    async def tools(self) -> Sequence[PageTool]:
        """Return the tools that the page has now."""
