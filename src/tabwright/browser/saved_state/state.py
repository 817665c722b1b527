"""What a context holds that is worth keeping: cookies, storage, its tabs as they were; as JSON and back."""

import re
from dataclasses import dataclass, field
from typing import Any

from tabwright.cdp import Params

FORMAT = 1
_ID = re.compile(r"t[1-9][0-9]{0,8}")

Entries = dict[str, str]


@dataclass(frozen=True, slots=True)
class TabState:
    """One tab: where it was and how it looked there. Refs and dialogs are not kept."""

    id: str
    url: str
    # The addresses that led here, oldest first; this one is the last.
    history: list[str]
    # How many entries of the history were left out: too far back, or ahead.
    left_out: int = 0
    session_storage: dict[str, Entries] = field(default_factory=dict)
    scroll: list[float] = field(default_factory=lambda: [0.0, 0.0])
    fields: list[Params] = field(default_factory=list)
    emulation: dict[str, Params] = field(default_factory=dict)
    next_ref: int = 1


@dataclass(frozen=True, slots=True)
class ContextState:
    """A context at the moment `taken`. Storage of origins that are not shown then is as it was last seen."""

    taken: float
    cookies: list[Params]
    local_storage: dict[str, Entries]
    tabs: list[TabState]
    active: str | None = None
    # Origins whose storage was too large to be kept whole.
    cut: list[str] = field(default_factory=list)
    # Whether no other cookies were there: what a killed browser left of deleted ones is to go.
    alone: bool = False
    format: int = FORMAT

    @classmethod
    def parse(cls, told: Any) -> "ContextState":
        """Read what was written as JSON.

        Raises:
            ValueError, TypeError, LookupError: it is not of this kind.
        """
        state = cls(**{**told, "tabs": [TabState(**tab) for tab in told["tabs"]]})
        if state.format != FORMAT or not all(_ID.fullmatch(tab.id) and tab.history for tab in state.tabs):
            raise ValueError(f"a state of format {state.format} that is not understood")
        return state

    def tab(self, tab_id: str) -> TabState | None:
        """Return the tab of that id."""
        return next((tab for tab in self.tabs if tab.id == tab_id), None)
