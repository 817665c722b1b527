"""The Browsion tools: 71 names for people who run many browser identities, over the one catalogue."""

from collections.abc import Mapping
from typing import Any

from tabwright.action import Catalog
from tabwright.call import Call
from tabwright.dialects.browsion import navigation as moving
from tabwright.dialects.browsion import pointer_keys as acting
from tabwright.dialects.browsion import profiles, reading, tabs
from tabwright.dialects.browsion import storage_network as keeping
from tabwright.dialects.browsion.call import Tools
from tabwright.dialects.dialect import Tool
from tabwright.dialects.tool_call import Bounds, requested, tool_of

TOOLS: Tools = {
    **profiles.TOOLS,
    **moving.NAVIGATION,
    **acting.MOUSE,
    **acting.KEYBOARD_AND_FORMS,
    **moving.SCROLLING_AND_WAITING,
    **reading.OBSERVING,
    **acting.REFS,
    **reading.SCRIPTS,
    **tabs.TABS,
    **keeping.COOKIES,
    **keeping.STORAGE,
    **keeping.CONSOLE,
    **keeping.NETWORK,
    **tabs.DIALOGS,
    **tabs.EMULATION,
    **acting.TOUCH,
    **reading.PRINTING,
    **tabs.FRAMES,
}


class Browsion:
    """The browsion dialect."""

    name = "browsion"
    instructions = (
        "Real browsers. Without profile_id the tools work in a session of your own; with it, in the browser "
        "of that profile, which keeps its logins. Read the page with get_page_state, act on its refs (e5), "
        "and read in each reply what changed. Long answers are shortened: where one says `more o3:120`, "
        "get_page_text with that cursor reads on."
    )

    def __init__(self, catalog: Catalog, *, bounds: Bounds | None = None) -> None:
        self._catalog = catalog
        self._bounds = bounds or Bounds()

    def tools(self) -> list[Tool]:
        """The tools, by category."""
        return [tool_of(name, call, last="profile_id") for name, call in TOOLS.items()]

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Call | None:
        """Check the arguments, and say the call in the catalogue's words."""
        call = TOOLS.get(tool)
        return None if call is None else requested(self._catalog, call, arguments, self._bounds)
