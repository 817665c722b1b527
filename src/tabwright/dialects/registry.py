"""Choosing a tool surface by its name, or several together."""

from collections.abc import Callable, Mapping
from typing import Any

from tabwright.action import Catalog
from tabwright.dialects.agent_browser.dialect import AgentBrowser
from tabwright.dialects.alias_table import PictureLimits
from tabwright.dialects.browser import Browser
from tabwright.dialects.browsion.dialect import Browsion
from tabwright.dialects.dialect import CombinedDialect, CombinedLiveDialect, Dialect, LiveDialect
from tabwright.dialects.plain import Plain
from tabwright.dialects.tabs.dialect import Tabs
from tabwright.errors import InvalidArgs


class Dialects:
    """All dialects over one catalogue, and the one for clients that choose none."""

    def __init__(
        self,
        catalog: Catalog,
        *,
        default: str = "browser",
        dotted: bool = False,
        limits: PictureLimits | None = None,
    ) -> None:
        self._default = default
        self._dotted = dotted
        self._made: dict[tuple[str, bool], Dialect] = {}
        self._makers: dict[str, Callable[[bool], Dialect]] = {
            Browser.name: lambda dotted: Browser(catalog, dotted=dotted, limits=limits),
            Browsion.name: lambda _: Browsion(catalog, limits=limits),
            Plain.name: lambda _: Plain(catalog),
            Tabs.name: lambda _: Tabs(catalog),
            AgentBrowser.name: lambda _: AgentBrowser(catalog),
        }

    def chosen(self, options: Mapping[str, Any]) -> Dialect:
        """Return what a client asks for: `dialect` (one, or several with commas), `tool_names`.

        Raises:
            InvalidArgs: there is no such dialect, or no such way to write names.
        """
        names = [name.strip() for name in str(options.get("dialect") or self._default).split(",")]
        unknown = [name for name in names if name not in self._makers]
        if unknown:
            known = ", ".join(self._makers)
            raise InvalidArgs(f"There is no dialect {unknown[0]!r:.100}.", hint=f"Choose of: {known}.")
        written = options.get("tool_names") or ("dotted" if self._dotted else "plain")
        if written not in ("plain", "dotted"):
            raise InvalidArgs(f"Tool names cannot be {written!r:.100}.", hint="Choose plain or dotted.")
        return self._together(list(dict.fromkeys(names)), written == "dotted")

    def refusal(self, options: Mapping[str, Any]) -> str:
        """Say why a client with these options cannot be served; "" when it can."""
        try:
            self.chosen(options)
        except InvalidArgs as error:
            return str(error)
        return ""

    def _together(self, names: list[str], dotted: bool) -> Dialect:
        key = (",".join(names), dotted)
        if key not in self._made:
            each = [self._makers[name](dotted) for name in names]
            live = any(isinstance(one, LiveDialect) for one in each)
            self._made[key] = (
                each[0] if len(each) == 1 else (CombinedLiveDialect if live else CombinedDialect)(each)
            )
        return self._made[key]
