"""The browsion dialect: 71 tools for people who run many browser identities."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tabwright.action import Catalog
from tabwright.call import Call
from tabwright.dialects.alias import Param
from tabwright.dialects.alias_table import AliasTable, PictureLimits
from tabwright.dialects.browsion import interaction, profiles, reading
from tabwright.dialects.browsion.cookie_files import COOKIE_FILES
from tabwright.dialects.browsion.routes import Endpoint, endpoints_of
from tabwright.dialects.dialect import RenderError, Tool
from tabwright.dialects.names import BROWSION
from tabwright.sessions.session import DEFAULT

TOOLS = (
    *profiles.PROFILES,
    *interaction.NAVIGATION,
    *interaction.MOUSE,
    *interaction.KEYBOARD_AND_FORMS,
    *interaction.SCROLLING_AND_WAITING,
    *reading.OBSERVING,
    *interaction.REFS,
    *reading.SCRIPTS,
    *profiles.TABS,
    *reading.COOKIES_AND_STORAGE,
    *reading.CONSOLE_AND_NETWORK,
    *interaction.DIALOGS_AND_EMULATION,
    *interaction.TOUCH,
    *reading.PRINTING,
    *profiles.FRAMES,
)


class Browsion:
    """The browsion dialect: its tools, and the same calls as HTTP routes."""

    name = BROWSION
    instructions = (
        "Real browsers. Without profile_id the tools work in a session of your own; with it, in the browser "
        "of that profile, which keeps its logins. Read the page with get_page_state, act on its refs (e5), "
        "and read in each reply what changed. Long answers are shortened: if one ends with `more o3:120`, "
        "get_page_text with that cursor reads on."
    )

    def __init__(self, catalog: Catalog, *, limits: PictureLimits | None = None) -> None:
        session = Param("profile_id", "session", "Profile; your own session if omitted")
        self._catalog = catalog
        self._table = AliasTable(catalog, TOOLS, session, limits=limits)

    def tools(self) -> list[Tool]:
        """Return the tools, by category."""
        return self._table.tools()

    def request(self, tool: str, arguments: Mapping[str, Any]) -> Call | None:
        """Translate a call of a tool; None when there is no such tool."""
        call = self._table.request(tool, arguments)
        return None if call is None else _in_profile(call)

    def error_renderer(self, tool: str) -> RenderError | None:
        """Return None: errors are text."""
        return None

    def endpoints(self) -> list[Endpoint]:
        """Return the HTTP routes whose actions are in the catalogue."""
        rows = (*TOOLS, *interaction.ROUTES_ONLY, *COOKIE_FILES)
        offered = (alias for alias in rows if alias.action in self._catalog)
        return [endpoint for alias in offered for endpoint in endpoints_of(self._table, alias)]

    def call(self, endpoint: Endpoint, arguments: Mapping[str, Any]) -> Call:
        """Translate a call of a route."""
        return _in_profile(self._table.call(endpoint.alias, arguments))


def _in_profile(call: Call) -> Call:
    """Return a call that works in a profile; no profile can be `default`, the caller's own session."""
    if call.session == DEFAULT:
        return replace(call, session=None)
    return replace(call, in_profile=call.session is not None)
