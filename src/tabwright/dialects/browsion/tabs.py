"""Browsion's tools for tabs, frames, dialogs and what a tab pretends to be."""

from typing import Any, Literal

from pydantic import Field

from tabwright.action import Effect
from tabwright.dialects.browsion.call import InBrowser, Timeout, Tools


class ListTabs(InBrowser):
    """List the tabs. Other tools work in the current one."""

    effect, action = Effect.READ, "list_tabs"


class NewTab(InBrowser):
    """Open a tab and make it the current one."""

    action = "new_tab"
    url: str = Field("about:blank", min_length=1, max_length=100_000)


class OnTab(InBrowser):
    """A call on one tab."""

    target_id: str = Field(min_length=1, max_length=20, description="Id of the tab: t2")


class SwitchTab(OnTab):
    """Make a tab the current one. Each keeps its refs, console and network log."""

    action = "switch_tab"


class CloseTab(OnTab):
    """Close a tab."""

    effect, action = Effect.DESTROY, "close_tab"


class WaitForNewTab(InBrowser):
    """Wait for a tab that the page opens: call it beside the click, or after it; then switch_tab."""

    effect, action = Effect.READ, "wait_for_tab"
    timeout_ms: Timeout = 5_000


class GetFrames(InBrowser):
    """List the frames of the page, and which of them selectors, page state and scripts are in."""

    effect, action = Effect.READ, "list_frames"


class SwitchFrame(InBrowser):
    """Work in one frame: selectors, page state and scripts, until main_frame or the next page."""

    action, words = "switch_frame", {"frame_id": "frame"}
    frame_id: str = Field(min_length=1, max_length=1_000, description="Id of get_frames (f2), or its name")


class MainFrame(InBrowser):
    """Work in the whole page again."""

    action = "main_frame"


class HandleDialog(InBrowser):
    """Answer the alert, confirm or prompt that is open."""

    action = "answer_dialog"
    decision: Literal["accept", "dismiss"] = Field(alias="action")
    prompt_text: str | None = Field(None, max_length=10_000)

    def arguments(self) -> dict[str, Any]:
        return {"accept": self.decision == "accept", "text": self.prompt_text}


class Emulate(InBrowser):
    """Pretend another screen, user agent or place; only what is given changes."""

    action, words = "emulate", {"device_scale_factor": "scale"}
    width: int | None = Field(None, ge=1, le=10_000, description="CSS pixels; with height")
    height: int | None = Field(None, ge=1, le=10_000)
    device_scale_factor: float | None = Field(None, ge=0.1, le=10)
    mobile: bool | None = None
    user_agent: str | None = Field(None, max_length=1_000)
    latitude: float | None = Field(None, ge=-90, le=90)
    longitude: float | None = Field(None, ge=-180, le=180)
    accuracy: float | None = Field(None, ge=0, le=10_000_000, description="Metres")


TABS: Tools = {
    "list_tabs": ListTabs,
    "new_tab": NewTab,
    "switch_tab": SwitchTab,
    "close_tab": CloseTab,
    "wait_for_new_tab": WaitForNewTab,
}
DIALOGS: Tools = {"handle_dialog": HandleDialog}
EMULATION: Tools = {"emulate": Emulate}
FRAMES: Tools = {
    "get_frames": GetFrames,
    "switch_frame": SwitchFrame,
    "main_frame": MainFrame,
}
