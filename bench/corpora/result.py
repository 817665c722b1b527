"""The result of one part: figures with their targets, and every miss."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.table import align_columns


@dataclass(frozen=True)
class Figure:
    """One share between 0 and 1, and the least it should be."""

    name: str
    value: float
    target: float | None = None
    cases: int = 0
    """How many cases the share is taken over."""

    @property
    def verdict(self) -> str:
        """Whether the target is met; "" without a target."""
        if self.target is None:
            return ""
        return "met" if self.value >= self.target else "missed"


@dataclass
class Measured:
    """What one part found."""

    figures: list[Figure] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)
    """One line each: the page, the element, what was expected and what was found."""

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def json(self) -> list[dict[str, Any]]:
        """Every figure; misses quote other people's pages and are not stored."""
        return [asdict(figure) for figure in self.figures]

    def _lines(self) -> Iterator[str]:
        rows = [["", "share", "cases", "target", ""]]
        for figure in self.figures:
            target = "" if figure.target is None else f"≥ {figure.target:g}"
            rows.append([figure.name, f"{figure.value:.3f}", str(figure.cases), target, figure.verdict])
        yield from align_columns(rows)
        yield from (f"  miss: {miss}" for miss in self.misses)
