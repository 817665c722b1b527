"""Frames of a page, and working in one of them."""

import re

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.find.locate import frame_in
from tabwright.browser.page.frame import Frame
from tabwright.browser.tab import Tab
from tabwright.text import quote

# What looks otherwise names the frame's element.
_NAME = re.compile(r"[\w -]+")


class FrameLine(Result):
    """One frame."""

    id: str = Field(description="Id of the frame; f0 is the page itself.")
    name: str = Field(description="Its name, where it has one.")
    url: str = Field(description="Its address.")
    parent: str = Field(description="Id of the frame around it.")
    chosen: bool = Field(description="Whether targets, snapshots and scripts are in it.")

    def __str__(self) -> str:
        name = f" {quote(self.name)}" if self.name else ""
        return f"{self.id}{' (chosen)' if self.chosen else ''}{name} {self.url}"


class FrameList(Result):
    """The frames of a page."""

    own_lines = 0

    frames: list[FrameLine] = Field(description="The frames, outer ones first.")

    def __str__(self) -> str:
        return "\n".join(map(str, self.frames))


class WhichFrame(Args):
    """Arguments of `switch_frame`."""

    frame: str = Field(
        min_length=1,
        max_length=1_000,
        description="Id of the frame (f2), its name, or its element (#embed, @e7).",
    )


class Inside(Result):
    """Where targets, snapshots and scripts are now."""

    id: str = Field(description="Id of the frame; f0 is the page itself.")

    def __str__(self) -> str:
        if self.id == "f0":
            return "Targets, snapshots and scripts are in the whole page."
        return f"Targets, snapshots and scripts are in frame {self.id}, until main_frame or the next page."


@action(Effect.READ, group="Frames")
async def list_frames(tab: Tab, args: Args) -> FrameList:
    """List the frames of the page."""
    return FrameList(frames=[_line(frame, tab) for frame in tab.frames])


@action(Effect.ACT, group="Frames", observed=False, idempotent=True)
async def switch_frame(tab: Tab, args: WhichFrame) -> Inside:
    """Have targets, snapshots and scripts in one frame, until main_frame or the next page."""
    named = _NAME.fullmatch(args.frame) is not None
    frame = tab.frames.named(args.frame) if named else await frame_in(tab, args.frame)
    tab.frames.choose(frame)
    return Inside(id=frame.key)


@action(Effect.ACT, group="Frames", observed=False, idempotent=True)
async def main_frame(tab: Tab, args: Args) -> Inside:
    """Have targets, snapshots and scripts in the whole page again."""
    tab.frames.choose(None)
    return Inside(id=tab.main_frame.key)


def _line(frame: Frame, tab: Tab) -> FrameLine:
    return FrameLine(
        id=frame.key,
        name=frame.name,
        url=frame.url,
        parent=frame.parent.key if frame.parent else "",
        chosen=frame.key == (tab.frames.inside or tab.main_frame.key),
    )
