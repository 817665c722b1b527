"""The page's console."""

from typing import Literal

from pydantic import Field, SkipValidation

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.page.console import Message
from tabwright.browser.tab import Tab


class ConsoleMessages(Args):
    """Arguments of `console_messages`."""

    kind: Literal["any", "log", "info", "warning", "error", "exception"] = Field(
        "any", description="Only of this kind."
    )
    since: int = Field(0, ge=0, description="Only messages after this number.")


class ConsoleLog(Result):
    """Messages of the console."""

    own_lines = 0

    messages: list[str] = Field(description="The messages, oldest first.")
    last: int = Field(description="Number of the tab's last message.")
    entries: SkipValidation[tuple[Message, ...]] = Field(
        (), exclude=True, repr=False, description="The messages in detail."
    )

    def __str__(self) -> str:
        return "\n".join(self.messages) or "The console is empty."


@action(Effect.READ, does=("look",), group="Console")
async def console_messages(tab: Tab, args: ConsoleMessages) -> ConsoleLog:
    """Read the console: messages, warnings, uncaught errors."""
    kind = None if args.kind == "any" else args.kind
    messages = tab.console.messages(since=args.since, kind=kind)
    return ConsoleLog(
        messages=[f"{message.number}. {message}" for message in messages],
        last=tab.console.count,
        entries=tuple(messages),
    )


@action(Effect.ACT, does=("configure",), group="Console", observed=False, idempotent=True)
async def clear_console(tab: Tab, args: Args) -> ConsoleLog:
    """Clear the console."""
    tab.console.clear()
    return ConsoleLog(messages=[], last=tab.console.count)
