"""The clipboard of the session."""

from typing import Literal

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.results import Done
from tabwright.sessions.session import Session
from tabwright.text import format_count


class ReadClipboard(Args):
    """Arguments of `read_clipboard`."""

    format: Literal["text", "html"] = Field("text", description="Plain text, or the same as HTML.")


class WriteClipboard(Args):
    """Arguments of `write_clipboard`."""

    text: str = Field(max_length=1_000_000, description="Text to paste later with Control+v.")
    html: str = Field("", max_length=1_000_000, description="The same as HTML, for rich text editors.")


class Clipboard(Result):
    """What is in the clipboard."""

    own_lines = 0

    text: str = Field(description="The text, empty if nothing was copied.")

    def __str__(self) -> str:
        return self.text or "The clipboard is empty."


@action(Effect.READ, does=("read_data",), group="Clipboard")
async def read_clipboard(session: Session, args: ReadClipboard) -> Clipboard:
    """Read the clipboard: what a page of the session copied, or what was written to it."""
    mime_type = "text/html" if args.format == "html" else "text/plain"
    return Clipboard(text=session.context.clipboard.read(mime_type))


@action(Effect.ACT, does=("change_data",), group="Clipboard", idempotent=True)
async def write_clipboard(session: Session, args: WriteClipboard) -> Done:
    """Write text to the clipboard; then paste it with Control+v."""
    session.context.clipboard.write(args.text, html=args.html)
    return Done(deed=f"Wrote {format_count(len(args.text), 'character')} to", target="the clipboard")
