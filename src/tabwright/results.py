"""Results that many actions share."""

from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from typing import Self

from pydantic import Field, SkipValidation

from tabwright.action import Result
from tabwright.browser.snapshot.fold import Folding
from tabwright.browser.snapshot.snapshot import Snapshot
from tabwright.budget import tokens

# Runs of like things longer than this are folded, the longest first, until the text fits.
_FOLDS = (1_000, 500, 200, 100, 70, 50, 35, 25, 18, 12, 8, 5)


class Done(Result):
    """What was done to what."""

    deed: str = Field(description="What was done.")
    target: str = Field(description="Role and name of the element, or another target.")

    def __str__(self) -> str:
        return f"{self.deed} {self.target}."


class Seen(Result):
    """A page as an agent reads it."""

    own_lines = 1

    url: str = Field(description="URL of the page.")
    title: str = Field(description="Its title.")
    text: str = Field(description="The page as text, with refs to act on.")
    snapshot: SkipValidation[Snapshot] = Field(exclude=True, repr=False, description="The tree itself.")
    interactive_only: bool = Field(False, exclude=True, description="Whether only controls are shown.")
    compact: bool = Field(True, exclude=True, description="Whether wrappers are left out.")
    depth: int | None = Field(None, exclude=True, description="Maximum depth.")

    @classmethod
    def of(
        cls,
        taken: Snapshot,
        *,
        interactive_only: bool = False,
        compact: bool = True,
        depth: int | None = None,
    ) -> Self:
        """Write a snapshot down."""
        text = taken.render(interactive_only=interactive_only, compact=compact, depth=depth)
        return cls(
            url=taken.url,
            title=taken.title,
            text=text,
            snapshot=taken,
            interactive_only=interactive_only,
            compact=compact,
            depth=depth,
        )

    def __str__(self) -> str:
        return self.text

    def shorten(self, max_tokens: int) -> str | None:
        """Fold repeated structures, the longest first, until the text fits."""
        folding = Folding(self.snapshot.nodes)
        longest = folding.longest_run(_FOLDS[0])
        folds = [most for most in _FOLDS if most < longest]  # others fold nothing
        text = cache(lambda most: self._folded(folding, most))
        step = bisect_left(folds, 1, key=lambda most: tokens(text(most)) <= max_tokens)
        return text(folds[step]) if step < len(folds) else None

    def folded(self) -> Iterator[str]:
        """Yield its text with ever more folded."""
        folding = Folding(self.snapshot.nodes)
        return (self._folded(folding, most) for most in _FOLDS)

    def _folded(self, folding: Folding, most: int) -> str:
        few = self.snapshot.with_nodes(folding.fold(most))
        return few.render(interactive_only=self.interactive_only, compact=self.compact, depth=self.depth)
