"""Reading the page: snapshots, searching them, and the rest of long answers."""

import re

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.snapshot.landmarks import ShownLandmarks
from tabwright.browser.snapshot.search import search
from tabwright.browser.tab import Tab
from tabwright.budget import page, tokens
from tabwright.errors import InvalidArgs
from tabwright.results import PageText
from tabwright.sessions.session import Session
from tabwright.text import format_count, quote


class TakeSnapshot(Args):
    """Arguments of `snapshot`."""

    target: str | None = Field(
        None, min_length=1, max_length=2_000, description="Only inside this element (@e7, CSS)."
    )
    interactive_only: bool = Field(False, description="Only interactive elements.")
    compact: bool = Field(True, description="Leave out wrappers; false shows every element.")
    depth: int | None = Field(None, ge=1, le=1_000, description="Maximum depth.")


class GetPageState(Args):
    """Arguments of `get_page_state`."""

    most_nodes: int = Field(
        100, ge=10, le=100_000, description="Maximum lines of the tree; `more` returns the rest."
    )


class PageState(PageText):
    """A short form of a page: URL, title, and a tree of few lines."""

    own_lines = 0

    most_nodes: int = Field(100, exclude=True, description="Maximum lines.")

    def __str__(self) -> str:
        return self._with_heading(self.text)

    @property
    def too_long(self) -> bool:
        return self._exceeds(self.text)

    def shorten(self, max_tokens: int) -> str | None:
        """Fold repeated structures as far as needed, then cut."""
        max_tokens -= tokens(self._with_heading(""))
        folded, fits = self.fold_until(lambda text: self._fits(text, max_tokens))
        if not fits:
            folded = page(folded.splitlines()[: self.most_nodes + 1], max_tokens=max_tokens).text
        return self._with_heading(folded)

    def _with_heading(self, text: str) -> str:
        part = " [Only its beginning: the page is too large]" if self.snapshot.left_out.truncated else ""
        return f"{self.url} {quote(self.title)}{part}\n{text}"

    def _fits(self, text: str, max_tokens: int) -> bool:
        return tokens(text) <= max_tokens and not self._exceeds(text)

    def _exceeds(self, text: str) -> bool:
        return text.count("\n") > self.most_nodes  # its first line names the site


class Find(Args):
    """Arguments of `find`."""

    text: str = Field(min_length=1, max_length=1_000, description="Text or regular expression to find.")
    regex: bool = Field(False, description="Treat the text as a regular expression.")


class Found(Result):
    """Lines of the page that match."""

    own_lines = 1

    count: int = Field(description="Number of matching lines.")
    text: str = Field(description="The lines, with some context.")
    whole: bool = Field(True, description="Whether the whole page was searched.")

    def __str__(self) -> str:
        part = "" if self.whole else " in the part that was searched; the page is too large to search whole"
        if not self.count:
            return f"No match{part}."
        return f"{format_count(self.count, 'match')}{part}\n{self.text}"


class More(Args):
    """Arguments of `more`."""

    cursor: str = Field(pattern=r"^o\d+(:\d+)?$", description="Cursor of a shortened answer, such as o3:120.")
    tokens: int = Field(2_000, ge=50, le=100_000, description="How much to read, in tokens.")


class Part(Result):
    """A part of a long answer."""

    own_lines = 0

    text: str = Field(description="Its text.")
    cursor: str = Field("", description="Where the next part begins.")

    def __str__(self) -> str:
        return f"{self.text}\n[Next part: more {self.cursor}]" if self.cursor else self.text


@action(Effect.READ, does=("look",), group="Reading")
async def snapshot(tab: Tab, args: TakeSnapshot) -> PageText:
    """Return the page as text, with refs (@e7) to act on. Start here."""
    taken = await tab.snapshot(root=args.target, everything=not args.compact)
    if args.target is None and args.compact and not args.interactive_only:
        taken = tab.component(ShownLandmarks).fold(taken)
    return PageText.from_snapshot(
        taken, interactive_only=args.interactive_only, compact=args.compact, depth=args.depth
    )


@action(Effect.READ, does=("look",), group="Reading")
async def get_page_state(tab: Tab, args: GetPageState) -> PageState:
    """Return the URL, title and a short tree of the page, with refs (@e7); `more` returns the rest."""
    return PageState.from_snapshot(await tab.snapshot(start=True)).model_copy(
        update={"most_nodes": args.most_nodes}
    )


@action(Effect.READ, does=("look",), group="Reading")
async def find(tab: Tab, args: Find) -> Found:
    """Search the page by text or regular expression; matches have refs."""
    try:
        pattern = re.compile(args.text if args.regex else re.escape(args.text), re.IGNORECASE)
    except re.error as error:
        raise InvalidArgs(
            f"Invalid regular expression {args.text!r}: {error}.", hint="Correct it."
        ) from error
    found = await search(tab, pattern)
    return Found(count=found.count, text="\n".join(found.lines), whole=found.whole)


@action(Effect.READ, does=("look",), group="Reading")
async def more(session: Session, args: More) -> Part:
    """Return the next part of a shortened answer."""
    name, _, start = args.cursor.partition(":")
    part = page(session.output(name), start=int(start or 0), max_tokens=args.tokens)
    return Part(text=part.text, cursor=f"{name}:{part.next_line}" if part.next_line is not None else "")
