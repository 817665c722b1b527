"""What a page tool is, whoever found it, and what running one gives."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Schema = dict[str, Any]
Origin = Literal["site", "page", "recipe"]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What running a tool gave: a sentence of ours, then what the page said, a line each."""

    deed: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PageTool:
    """One tool of a page.

    `element` is the number of the form or control that it is about, 0 when it is about none; with `frame`
    (its id) it tells that two sources speak of the same thing. `rank` is higher for what matters more.
    """

    name: str
    description: str
    schema: Schema
    source: Origin
    frame: str
    run: Callable[[Mapping[str, Any]], Awaitable[Outcome]] = field(compare=False, repr=False)
    read_only: bool = False
    element: int = 0
    rank: float = 0.0


class Source(Protocol):
    """Whoever finds tools on the page of one tab."""

    async def tools(self) -> Sequence[PageTool]:
        """Return the tools of the page as it is now."""
