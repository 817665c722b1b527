"""Frames of a page, and choosing one."""

import re

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.find.locate import frame_of_element
from tabwright.browser.page.frame import Frame
from tabwright.browser.tab import Tab
from tabwright.text import quote

# Anything else is a target of the frame's element.
_NAME = re.compile(r"[\w -]+")


class FrameLine(Result):
    """One frame."""

    id: str = Field(description="Id of the frame; f0 is the page itself.")
    name: str = Field(description="Its name, if any.")
    url: str = Field(description="Its URL.")
    parent: str = Field(description="Id of its parent frame.")
    chosen: bool = Field(description="Whether targets, snapshots and scripts use it.")

    def __str__(self) -> str:
        name = f" {quote(self.name)}" if self.name else ""
        return f"{self.id}{' (chosen)' if self.chosen else ''}{name} {self.url}"


class FrameList(Result):
    """The frames of a page."""

    own_lines = 0

    frames: list[FrameLine] = Field(description="The frames, outer ones first.")

    def __str__(self) -> str:
        return "\n".join(map(str, self.frames))


class SwitchFrame(Args):
    """Arguments of `switch_frame`."""

    frame: str = Field(
        min_length=1,
        max_length=1_000,
        description="Id of the frame (f2), its name, or its element (#embed, @e7).",
    )


class ChosenFrame(Result):
    """The frame that targets, snapshots and scripts use."""

    id: str = Field(description="Id of the frame; f0 is the page itself.")

    def __str__(self) -> str:
        if self.id == "f0":
            return "Targets, snapshots and scripts now use the whole page."
        return f"Targets, snapshots and scripts now use frame {self.id}, until main_frame or the next page."


@action(Effect.READ, does=("look",), group="Frames")
async def list_frames(tab: Tab, args: Args) -> FrameList:
    """List the frames of the page."""
    return FrameList(frames=[_line(frame, tab) for frame in tab.frames])


@action(Effect.ACT, does=("configure",), group="Frames", observed=False, idempotent=True)
async def switch_frame(tab: Tab, args: SwitchFrame) -> ChosenFrame:
    """Use one frame for targets, snapshots and scripts, until main_frame or the next page."""
    named = _NAME.fullmatch(args.frame) is not None
    frame = tab.frames.find(args.frame) if named else await frame_of_element(tab, args.frame)
    tab.frames.choose(frame)
    return ChosenFrame(id=frame.key)


@action(Effect.ACT, does=("configure",), group="Frames", observed=False, idempotent=True)
async def main_frame(tab: Tab, args: Args) -> ChosenFrame:
    """Use the whole page for targets, snapshots and scripts again."""
    tab.frames.choose(None)
    return ChosenFrame(id=tab.main_frame.key)


def _line(frame: Frame, tab: Tab) -> FrameLine:
    return FrameLine(
        id=frame.key,
        name=frame.name,
        url=frame.url,
        parent=frame.parent.key if frame.parent else "",
        chosen=frame.key == (tab.frames.chosen_key or tab.main_frame.key),
    )
