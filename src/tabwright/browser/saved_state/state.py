"""The state of a context that can be saved: cookies, storage and tabs; as JSON and back."""

import re
from dataclasses import dataclass, field
from typing import Any

from tabwright.cdp import Params

FORMAT = 1
_ID = re.compile(r"t[1-9][0-9]{0,8}")

Entries = dict[str, str]


@dataclass(frozen=True, slots=True)
class TabState:
    """One tab: its address and how the page looked. Refs and dialogs are not saved."""

    id: str
    url: str
    # The addresses that led here, oldest first; this one is the last.
    history: list[str]
    # How many history entries were left out: too far back, or ahead.
    left_out: int = 0
    session_storage: dict[str, Entries] = field(default_factory=dict)
    scroll: list[float] = field(default_factory=lambda: [0.0, 0.0])
    fields: list[Params] = field(default_factory=list)
    emulation: dict[str, Params] = field(default_factory=dict)
    next_ref: int = 1


@dataclass(frozen=True, slots=True)
class ContextState:
    """A context at the time `taken`. Storage of origins that no tab showed then is as it was last seen."""

    taken: float
    cookies: list[Params]
    local_storage: dict[str, Entries]
    tabs: list[TabState]
    active: str | None = None
    # Origins whose storage was too large to save completely.
    cut: list[str] = field(default_factory=list)
    # Whether these were all cookies: deleted ones that a killed browser left behind are then removed.
    alone: bool = False
    format: int = FORMAT

    @classmethod
    def parse(cls, content: Any) -> "ContextState":
        """Read a state from decoded JSON.

        Raises:
            ValueError, TypeError, LookupError: it is not a state of this format.
        """
        state = cls(**{**content, "tabs": [TabState(**tab) for tab in content["tabs"]]})
        if state.format != FORMAT or not all(_ID.fullmatch(tab.id) and tab.history for tab in state.tabs):
            raise ValueError(f"unknown state format {state.format}")
        return state

    def tab(self, tab_id: str) -> TabState | None:
        """Return the tab with that id."""
        return next((tab for tab in self.tabs if tab.id == tab_id), None)
