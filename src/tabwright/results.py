"""Results that many actions share."""

from bisect import bisect_left
from collections.abc import Callable
from functools import cache
from typing import Self

from pydantic import Field, SkipValidation

from tabwright.action import Result
from tabwright.browser.snapshot.fold import Folding
from tabwright.browser.snapshot.snapshot import Snapshot
from tabwright.budget import tokens

# Runs of similar elements longer than this are folded; lower limits are tried until the text fits.
_MAX_RUNS = (1_000, 500, 200, 100, 70, 50, 35, 25, 18, 12, 8, 5)


class Done(Result):
    """What was done, and to which target."""

    deed: str = Field(description="What was done.")
    target: str = Field(description="Role and name of the element, or another target.")

    def __str__(self) -> str:
        return f"{self.deed} {self.target}."


class PageText(Result):
    """The text of a page's snapshot, for agents."""

    own_lines = 1

    url: str = Field(description="URL of the page.")
    title: str = Field(description="Its title.")
    text: str = Field(description="The page as text, with refs to act on.")
    snapshot: SkipValidation[Snapshot] = Field(exclude=True, repr=False, description="The tree itself.")
    interactive_only: bool = Field(False, exclude=True, description="Whether only controls are shown.")
    compact: bool = Field(True, exclude=True, description="Whether wrappers are left out.")
    depth: int | None = Field(None, exclude=True, description="Maximum depth.")

    @classmethod
    def from_snapshot(
        cls,
        taken: Snapshot,
        *,
        interactive_only: bool = False,
        compact: bool = True,
        depth: int | None = None,
    ) -> Self:
        """Render a snapshot."""
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
        text, fits = self.fold_until(lambda text: tokens(text) <= max_tokens)
        return text if fits else None

    def fold_until(self, fits: Callable[[str], bool]) -> tuple[str, bool]:
        """Return the text with runs folded no further than it takes to fit, and whether it then fits.

        To render a long page takes time, so only a few limits of those that might do are tried.
        """
        folding = Folding(self.snapshot.nodes)
        longest = folding.longest_run(_MAX_RUNS[0])
        limits = [max_run for max_run in _MAX_RUNS if max_run < longest]  # a higher limit folds nothing
        text = cache(lambda max_run: self._render_folded(folding, max_run))
        step = bisect_left(limits, 1, key=lambda max_run: fits(text(max_run)))
        if step < len(limits):
            return text(limits[step]), True
        return (text(limits[-1]), False) if limits else (self.text, fits(self.text))

    def _render_folded(self, folding: Folding, max_run: int) -> str:
        folded = self.snapshot.with_nodes(folding.fold(max_run))
        return folded.render(interactive_only=self.interactive_only, compact=self.compact, depth=self.depth)
