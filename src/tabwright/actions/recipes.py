"""Recipes: actions of a session recorded as a tool of the site."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.errors import Blocked, InvalidArgs, NotFound
from tabwright.page_tools.recipes.record import Recorder
from tabwright.sessions.session import Session
from tabwright.text import format_count


class StartRecording(Args):
    """Arguments of `start_recording`."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{1,47}$")] = Field(
        description="Name of the new tool: lower-case letters, digits, underscores."
    )
    site: str = Field(
        min_length=1,
        max_length=300,
        description="Host to use it on, such as shop.example.com or *.example.com.",
    )
    describe: str = Field("", max_length=200, description="What it does, for its users.")
    replace: bool = Field(False, description="Replace a recipe of that name.")


class Recording(Result):
    """A recording in progress."""

    name: str = Field(description="Name of the new tool.")

    def __str__(self) -> str:
        return f"Recording {self.name}. Use the site, then call stop_recording."


class StopRecording(Args):
    """Arguments of `stop_recording`."""

    discard: bool = Field(False, description="Discard the recording.")


class Saved(Result):
    """A finished recording."""

    name: str = Field(description="Name of the tool.")
    file: str = Field(description="Its recipe file; empty if discarded.")
    steps: int = Field(description="Number of steps.")
    left_out: list[str] = Field(description="Actions that could not be recorded.")

    def __str__(self) -> str:
        if not self.file:
            return f"Discarded the recording of {self.name}."
        without = f" Not recorded: {', '.join(self.left_out)}." if self.left_out else ""
        steps = format_count(self.steps, "step")
        return f"{self.name} is now a tool of its site: {steps}, in {self.file}.{without}"


@action(Effect.ACT, does=("configure",), group="Recipes", scope="admin")
async def start_recording(session: Session, args: StartRecording) -> Recording:
    """Record the actions of this session as a page tool; typed text becomes its parameters."""
    if session.recorder is not None:
        raise Blocked("This session is already being recorded.", hint="Call stop_recording first.")
    path = _folder(session) / f"{args.name}.toml"
    if path.exists() and not args.replace:
        raise InvalidArgs(
            f"The recipe {args.name} already exists: {path}.",
            hint="Choose another name, or set replace.",
        )
    session.record_with(Recorder(args.name, args.site, args.describe))
    return Recording(name=args.name)


@action(Effect.ACT, does=("configure",), group="Recipes", scope="admin")
async def stop_recording(session: Session, args: StopRecording) -> Saved:
    """Stop recording this session and save it as a recipe."""
    recorder = session.recorder
    if not isinstance(recorder, Recorder):
        raise NotFound("This session is not being recorded.", hint="Call start_recording first.")
    path = "" if args.discard else str(recorder.save(_folder(session)))
    session.stop_recording()
    missed = [f"{name} ({times})" if times > 1 else name for name, times in recorder.left_out.items()]
    return Saved(name=recorder.name, file=path, steps=len(recorder), left_out=missed)


def _folder(session: Session) -> Path:
    folder = session.context.recipe_folder
    if folder is None:
        raise Blocked("There is no folder for recipes here.", hint="Use the hub: `tabwright hub`.")
    return folder
