"""Reading the page: snapshot, search in it, and reading on in long answers."""

import re

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.tab import Tab
from tabwright.budget import page, tokens
from tabwright.errors import InvalidArgs
from tabwright.results import Seen
from tabwright.sessions.session import Session
from tabwright.text import format_count, quote

_CONTEXT = 1


class TakeSnapshot(Args):
    """Arguments of `snapshot`."""

    target: str | None = Field(
        None, min_length=1, max_length=2_000, description="Only what is inside this element (@e7, CSS)."
    )
    interactive_only: bool = Field(False, description="Only what can be acted on.")
    compact: bool = Field(True, description="Leave out what only groups; false tells every element.")
    depth: int | None = Field(None, ge=1, le=1_000, description="Levels to tell at most.")


class LookAtPage(Args):
    """Arguments of `get_page_state`."""

    most_nodes: int = Field(
        100, ge=10, le=100_000, description="Lines of the tree to tell at most; the rest is for `more`."
    )


class PageState(Seen):
    """A page in short: address, title, and a tree of few lines."""

    own_lines = 0

    most_nodes: int = Field(100, exclude=True, description="Lines to tell at most.")

    def __str__(self) -> str:
        return self._headed(self.text)

    @property
    def too_long(self) -> bool:
        return self._exceeds(self.text)

    def shortened(self, most_tokens: int) -> str | None:
        """Fold what repeats as far as needed, then cut."""
        most_tokens -= tokens(self._headed(""))
        folded = next((text for text in self.folded() if self._fits(text, most_tokens)), None)
        if folded is None:
            lines = list(self.folded())[-1].splitlines()[: self.most_nodes + 1]
            folded = page(lines, most_tokens=most_tokens).text
        return self._headed(folded)

    def _headed(self, text: str) -> str:
        return f"{self.url} {quote(self.title)}\n{text}"

    def _fits(self, text: str, most_tokens: int) -> bool:
        return tokens(text) <= most_tokens and not self._exceeds(text)

    def _exceeds(self, text: str) -> bool:
        return text.count("\n") > self.most_nodes  # its first line names the site


class Find(Args):
    """Arguments of `find`."""

    text: str = Field(
        min_length=1, max_length=1_000, description="Text to look for, or a regular expression."
    )
    regex: bool = Field(False, description="Take the text as a regular expression.")


class Found(Result):
    """Lines of the page that match."""

    own_lines = 1

    count: int = Field(description="How many lines match.")
    text: str = Field(description="The lines, each with a little around it.")

    def __str__(self) -> str:
        return f"{format_count(self.count, 'match')}\n{self.text}" if self.count else "No match."


class ReadOn(Args):
    """Arguments of `more`."""

    cursor: str = Field(pattern=r"^o\d+(:\d+)?$", description="Cursor of a shortened answer, such as o3:120.")
    tokens: int = Field(2_000, ge=50, le=100_000, description="How much to read, in tokens.")


class Part(Result):
    """A part of a long answer."""

    own_lines = 0

    text: str = Field(description="The part.")
    cursor: str = Field("", description="Where the next part begins.")

    def __str__(self) -> str:
        return f"{self.text}\n[Next part: more {self.cursor}]" if self.cursor else self.text


@action(Effect.READ, group="Reading")
async def snapshot(tab: Tab, args: TakeSnapshot) -> Seen:
    """Tell what is on the page as text, with refs (@e7) to act on. Start here."""
    root = await tab.element(args.target).ref() if args.target is not None else None
    taken = await tab.snapshot(root=root)
    return Seen.of(taken, interactive_only=args.interactive_only, compact=args.compact, depth=args.depth)


@action(Effect.READ, group="Reading")
async def get_page_state(tab: Tab, args: LookAtPage) -> PageState:
    """Tell address, title and a short tree of the page, with refs (@e7) to act on; `more` tells the rest."""
    return PageState.of(await tab.snapshot()).model_copy(update={"most_nodes": args.most_nodes})


@action(Effect.READ, group="Reading")
async def find(tab: Tab, args: Find) -> Found:
    """Search the page by text or regular expression; matches come with refs."""
    try:
        pattern = re.compile(args.text if args.regex else re.escape(args.text), re.IGNORECASE)
    except re.error as error:
        raise InvalidArgs(
            f"{args.text!r} is not a regular expression: {error}.", hint="Correct it."
        ) from error
    lines = str(await tab.snapshot()).splitlines()[1:]
    matches = [number for number, line in enumerate(lines) if pattern.search(line)]
    near = sorted(
        {
            at
            for number in matches
            for at in range(number - _CONTEXT, number + _CONTEXT + 1)
            if 0 <= at < len(lines)
        }
    )
    return Found(count=len(matches), text="\n".join(lines[number] for number in near))


@action(Effect.READ, group="Reading")
async def more(session: Session, args: ReadOn) -> Part:
    """Read on in an answer that was shortened."""
    name, _, start = args.cursor.partition(":")
    part = page(session.kept(name), start=int(start or 0), most_tokens=args.tokens)
    return Part(text=part.text, cursor=f"{name}:{part.next_line}" if part.next_line is not None else "")
