"""What the page said on its console."""

from typing import Literal

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.tab import Tab


class Messages(Args):
    """Arguments of `console_messages`."""

    kind: Literal["any", "log", "info", "warning", "error", "exception"] = Field(
        "any", description="Only of this kind."
    )
    since: int = Field(0, ge=0, description="Only after the message of this number.")


class Said(Result):
    """Messages of the console."""

    own_lines = 0

    messages: list[str] = Field(description="The messages, oldest first.")
    last: int = Field(description="Number of the last message of the tab.")

    def __str__(self) -> str:
        return "\n".join(self.messages) or "The console is empty."


@action(Effect.READ, group="Console")
async def console_messages(tab: Tab, args: Messages) -> Said:
    """Read the console: messages, warnings, uncaught errors."""
    kind = None if args.kind == "any" else args.kind
    messages = tab.console.messages(since=args.since, kind=kind)
    return Said(messages=[f"{message.number}. {message}" for message in messages], last=tab.console.count)


@action(Effect.ACT, group="Console", observed=False, idempotent=True)
async def clear_console(tab: Tab, args: Args) -> Said:
    """Forget the messages of the console."""
    tab.console.clear()
    return Said(messages=[], last=tab.console.count)
