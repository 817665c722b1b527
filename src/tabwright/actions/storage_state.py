"""Saving cookies and storage to a file, and loading them into another session."""

import base64
from pathlib import Path
from typing import Annotated

import anyio
from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.artifacts import Artifact
from tabwright.browser.saved_state.capture import capture
from tabwright.browser.saved_state.playwright_file import load, parse, render
from tabwright.errors import InvalidArgs
from tabwright.fields import FileToRead
from tabwright.sessions.session import Session
from tabwright.text import format_count

_MAX_SIZE = 20_000_000


class LoadState(Args):
    """Arguments of `load_state`."""

    path: Annotated[str, FileToRead()] = Field(
        min_length=1, max_length=4_000, description="File that save_state wrote, in your folder."
    )


class Saved(Result):
    """Cookies and storage in a file."""

    state: Artifact = Field(description="The file; it contains logins.")
    cookies: int = Field(description="Number of cookies.")
    origins: int = Field(description="Number of origins with storage.")

    def __str__(self) -> str:
        return f"State of {_describe(self.cookies, self.origins)}."


class Loaded(Result):
    """Cookies and storage loaded from a file."""

    cookies: int = Field(description="Number of cookies in it.")
    origins: int = Field(description="Number of origins with storage in it.")
    troubles: list[str] = Field(description="What could not be loaded.")

    def __str__(self) -> str:
        return "\n".join([f"Loaded {_describe(self.cookies, self.origins)}.", *self.troubles])


def _describe(cookies: int, origins: int) -> str:
    return f"{format_count(cookies, 'cookie')} and the storage of {format_count(origins, 'origin')}"


@action(Effect.READ, does=("read_data",), group="Storage", patient=True)
async def save_state(session: Session, args: Args) -> Saved:
    """Save cookies, localStorage and sessionStorage of the session to a file, in Playwright's format."""
    state = await capture(session.context, before=session.state, active=session.current)
    content = render(state)
    saved = parse(content)
    file = Artifact.of("state.json", "application/json", base64.b64encode(content).decode())
    return Saved(state=file, cookies=len(saved.cookies), origins=len(saved.origins))


@action(Effect.ACT, does=("change_data",), group="Storage", patient=True)
async def load_state(session: Session, args: LoadState) -> Loaded:
    """Add cookies and storage from a state file to the session."""
    path = anyio.Path(Path(args.path))
    if (await path.stat()).st_size > _MAX_SIZE:
        raise InvalidArgs(
            f"{args.path} is too large for a state file.", hint="Use a file that save_state wrote."
        )
    saved = parse(await path.read_bytes())
    troubles = await load(session.context, await session.tab(), saved)
    return Loaded(cookies=len(saved.cookies), origins=len(saved.origins), troubles=troubles)
