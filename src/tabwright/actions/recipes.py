"""Recipes: what is done in a session, recorded as a tool of the site."""

from typing import Annotated

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.errors import Blocked, InvalidArgs, NotFound
from tabwright.home import Home
from tabwright.page_tools.recipes.record import Recorder
from tabwright.sessions.session import Session
from tabwright.text import format_count


class StartRecording(Args):
    """Arguments of `start_recording`."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{1,47}$")] = Field(
        description="Name of the tool to be: small letters, digits and underscores."
    )
    site: str = Field(
        min_length=1,
        max_length=300,
        description="Host that it is for, such as shop.example.com or *.example.com.",
    )
    describe: str = Field("", max_length=200, description="What it does, for whoever is to use it.")
    replace: bool = Field(False, description="Take the place of a recipe of that name.")


class Recording(Result):
    """A recording that goes on."""

    name: str = Field(description="Name of the tool to be.")

    def __str__(self) -> str:
        return f"Recording {self.name}. Act on the site, then stop_recording."


class StopRecording(Args):
    """Arguments of `stop_recording`."""

    discard: bool = Field(False, description="Keep nothing of it.")


class Saved(Result):
    """A recording that ended."""

    name: str = Field(description="Name of the tool.")
    file: str = Field(description="Its recipe; empty when nothing was kept.")
    steps: int = Field(description="How many steps it has.")
    left_out: list[str] = Field(description="Actions that were run meanwhile and cannot be part of it.")

    def __str__(self) -> str:
        if not self.file:
            return f"The recording of {self.name} is discarded."
        without = f" Not part of it: {', '.join(self.left_out)}." if self.left_out else ""
        steps = format_count(self.steps, "step")
        return f"{self.name} is a tool of its site now: {steps}, in {self.file}.{without}"


@action(Effect.ACT, group="Recipes", scope="admin")
async def start_recording(session: Session, args: StartRecording) -> Recording:
    """Record what is done in this session from now on as a page tool; what is typed becomes parameters."""
    if session.recorder is not None:
        raise Blocked("This session is being recorded already.", hint="stop_recording ends it.")
    path = Home.find().recipes / f"{args.name}.toml"
    if path.exists() and not args.replace:
        raise InvalidArgs(
            f"There is a recipe {args.name} already: {path}.",
            hint="Choose another name, or say replace.",
        )
    session.recorder = Recorder(args.name, args.site, args.describe)
    return Recording(name=args.name)


@action(Effect.ACT, group="Recipes", scope="admin")
async def stop_recording(session: Session, args: StopRecording) -> Saved:
    """End the recording of this session and keep it as a recipe."""
    recorder = session.recorder
    if not isinstance(recorder, Recorder):
        raise NotFound("This session is not being recorded.", hint="start_recording begins it.")
    path = "" if args.discard else str(recorder.save(Home.find().recipes))
    session.recorder = None
    missed = [f"{name} ({times})" if times > 1 else name for name, times in recorder.left_out.items()]
    return Saved(name=recorder.name, file=path, steps=len(recorder), left_out=missed)
