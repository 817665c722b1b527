"""Comparing two states of a page, or two pages, by element."""

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.snapshot.element_tree import MAX_ELEMENTS, ElementTree, capture_elements
from tabwright.browser.snapshot.page_diff import Difference, compare_pages
from tabwright.browser.tab import Tab
from tabwright.errors import NotFound
from tabwright.fields import Url
from tabwright.results import Done
from tabwright.text import format_count, quote_name

_MAX_MARKS = 10


class MarkPage(Args):
    """Arguments of `mark_page`."""

    name: str = Field("before", min_length=1, max_length=100, description="Name of the mark.")


class Compare(Args):
    """Arguments of `compare`."""

    before: str = Field(
        "before", min_length=1, max_length=100, description="Name of the mark to compare with."
    )


class CompareUrls(Args):
    """Arguments of `compare_urls`."""

    before: Url = Field(description="URL of the first page.")
    after: Url = Field(description="URL of the second page.")


class Comparison(Result):
    """What differs, by element."""

    own_lines = 1

    differences: list[str] = Field(
        description="The elements that differ: added, removed, changed, moved, restyled."
    )
    counts: dict[str, int] = Field(description="How many of each kind.")
    left_out: int = Field(
        0, description=f"Elements beyond the first {MAX_ELEMENTS:,} that were not compared."
    )

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {kind}" for kind, count in self.counts.items())
        head = f"Differences: {counts}." if self.counts else "No differences."
        if self.left_out:
            head += f" Not compared: {format_count(self.left_out, 'element')}."
        return "\n".join((head, *self.differences))


class _Marks:
    """The marked states of a tab's pages."""

    def __init__(self, tab: Tab) -> None:
        self.trees: dict[str, ElementTree] = {}

    def add(self, name: str, tree: ElementTree) -> None:
        self.trees.pop(name, None)
        self.trees[name] = tree
        while len(self.trees) > _MAX_MARKS:
            del self.trees[next(iter(self.trees))]

    def get(self, name: str) -> ElementTree:
        if name not in self.trees:
            raise NotFound(f"Unknown mark {name!r}.", hint="Mark the page with mark_page first.")
        return self.trees[name]


@action(Effect.READ, does=("look",), group="Assertions")
async def mark_page(tab: Tab, args: MarkPage) -> Done:
    """Remember how the page is now, to compare it later; the last 10 marks of a tab are kept."""
    tree = await capture_elements(tab.frames.chosen)
    tab.component(_Marks).add(args.name, tree)
    count = format_count(len(tree.elements), "element")
    return Done(deed=f"Marked {count} as", target=quote_name(args.name))


@action(Effect.READ, does=("look",), group="Assertions")
async def compare(tab: Tab, args: Compare) -> Comparison:
    """Compare the page with a mark, by element: added, removed, changed, moved, restyled."""
    before = tab.component(_Marks).get(args.before)
    return _result(before, await capture_elements(tab.frames.chosen))


@action(Effect.ACT, does=("look", "navigate"), group="Assertions", observed=False, patient=True)
async def compare_urls(tab: Tab, args: CompareUrls) -> Comparison:
    """Compare two pages by element, in a separate tab that is closed again."""
    other = await tab.context.new_tab()
    try:
        await other.goto(args.before, wait_until="load")
        before = await capture_elements(other.main_frame)
        await other.goto(args.after, wait_until="load")
        return _result(before, await capture_elements(other.main_frame))
    finally:
        await other.close()


def _result(before: ElementTree, after: ElementTree) -> Comparison:
    differences = compare_pages(before, after)
    return Comparison(
        differences=[str(difference) for difference in differences],
        counts=_count(differences),
        left_out=max(before.left_out, after.left_out),
    )


def _count(differences: list[Difference]) -> dict[str, int]:
    kinds = [difference.kind for difference in differences]
    return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
