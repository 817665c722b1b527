"""The page's console."""

from collections.abc import Iterator
from itertools import groupby, islice
from typing import Literal

from pydantic import Field, SkipValidation

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.page.console import Message
from tabwright.browser.tab import Tab
from tabwright.text import format_count


class ConsoleMessages(Args):
    """Arguments of `console_messages`."""

    kind: Literal["any", "log", "info", "warning", "error", "exception"] = Field(
        "any", description="Only of this kind."
    )
    all_pages: bool = Field(False, description="Also those of the pages that the tab showed before.")
    since: int = Field(0, ge=0, description="Only messages after this number, of all pages.")


class PageOfMessages(Result):
    """A page, and how many of the messages are its own."""

    url: str = Field(description="Its URL.")
    messages: int = Field(description="How many of the messages it has.")


class ConsoleLog(Result):
    """Messages of the console."""

    own_lines = 0

    messages: list[str] = Field(description="The messages, oldest first.")
    last: int = Field(description="Number of the tab's last message.")
    entries: SkipValidation[tuple[Message, ...]] = Field(
        (), exclude=True, repr=False, description="The messages in detail."
    )
    earlier: int = Field(0, description="How many such messages of earlier pages were left out.")
    pages: list[PageOfMessages] = Field([], description="The pages of the messages, with all_pages.")

    def __str__(self) -> str:
        lines = self.messages if not self.pages else list(self._by_page())
        if self.earlier:
            lines = [*(lines or ["The console of this page is empty."]), self._left_out()]
        return "\n".join(lines) or "The console is empty."

    def _by_page(self) -> Iterator[str]:
        messages = iter(self.messages)
        for page in self.pages:
            yield f"{page.url}:"
            yield from (f"  {message}" for message in islice(messages, page.messages))

    def _left_out(self) -> str:
        return f"Earlier pages: {format_count(self.earlier, 'message')}, shown with all_pages."


@action(Effect.READ, does=("look",), group="Console")
async def console_messages(tab: Tab, args: ConsoleMessages) -> ConsoleLog:
    """Read the console of the page: messages, warnings, uncaught errors."""
    kind = None if args.kind == "any" else args.kind
    known = tab.console.messages(since=args.since, kind=kind)
    of_all = args.all_pages or args.explicit("since") is not None
    shown = [message for message in known if of_all or message.page == tab.navigation.commits]
    pages = [list(group) for _, group in groupby(shown, lambda message: message.page)]
    return ConsoleLog(
        messages=[f"{message.number}. {message}" for message in shown],
        last=tab.console.count,
        earlier=len(known) - len(shown),
        pages=[PageOfMessages(url=page[-1].page_url, messages=len(page)) for page in pages]
        if args.all_pages
        else [],
        entries=tuple(shown),
    )


@action(Effect.ACT, does=("configure",), group="Console", observed=False, idempotent=True)
async def clear_console(tab: Tab, args: Args) -> ConsoleLog:
    """Clear the console, that of earlier pages included."""
    tab.console.clear()
    return ConsoleLog(messages=[], last=tab.console.count)
