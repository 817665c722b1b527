"""Logins carried from one session to another: cookies and storage in a file."""

import base64
from pathlib import Path
from typing import Annotated

import anyio
from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.artifacts import Artifact
from tabwright.browser.saved_state.capture import capture
from tabwright.browser.saved_state.playwright_file import parse, put, written
from tabwright.errors import InvalidArgs
from tabwright.fields import FileToRead
from tabwright.sessions.session import Session
from tabwright.text import format_count

_LARGEST = 20_000_000


class StateFile(Args):
    """Arguments of `load_state`."""

    path: Annotated[str, FileToRead()] = Field(
        min_length=1, max_length=4_000, description="File that save_state wrote, in your folder."
    )


class Saved(Result):
    """Cookies and storage in a file."""

    state: Artifact = Field(description="The file, which whoever has it can log in with.")
    cookies: int = Field(description="How many cookies are in it.")
    origins: int = Field(description="Of how many origins there is storage in it.")

    def __str__(self) -> str:
        return f"State of {_held(self.cookies, self.origins)}."


class Loaded(Result):
    """Cookies and storage that came out of a file."""

    cookies: int = Field(description="How many cookies were in it.")
    origins: int = Field(description="Of how many origins there was storage in it.")
    troubles: list[str] = Field(description="What could not be put into the session.")

    def __str__(self) -> str:
        return "\n".join([f"Loaded {_held(self.cookies, self.origins)}.", *self.troubles])


def _held(cookies: int, origins: int) -> str:
    return f"{format_count(cookies, 'cookie')} and the storage of {format_count(origins, 'origin')}"


@action(Effect.READ, group="Storage", patient=True)
async def save_state(session: Session, args: Args) -> Saved:
    """Save cookies, localStorage and sessionStorage of the session to a file, in the form of Playwright."""
    state = await capture(session.context, before=session.state, active=session.current)
    content = written(state)
    carried = parse(content)
    file = Artifact.of("state.json", "application/json", base64.b64encode(content).decode())
    return Saved(state=file, cookies=len(carried.cookies), origins=len(carried.origins))


@action(Effect.ACT, group="Storage", patient=True)
async def load_state(session: Session, args: StateFile) -> Loaded:
    """Add cookies and storage of a state file to the session."""
    path = anyio.Path(Path(args.path))
    if (await path.stat()).st_size > _LARGEST:
        raise InvalidArgs(f"{args.path} is too large for a state.", hint="Give a file that save_state wrote.")
    carried = parse(await path.read_bytes())
    troubles = await put(session.context, await session.tab(), carried)
    return Loaded(cookies=len(carried.cookies), origins=len(carried.origins), troubles=troubles)
