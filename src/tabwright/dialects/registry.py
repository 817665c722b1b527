"""Chooses a dialect by its name, or several together."""

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
    """All dialects over one catalogue, and the default for clients that choose none."""

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
        self._cache: dict[tuple[str, bool], Dialect] = {}
        self._factories: dict[str, Callable[[bool], Dialect]] = {
            Browser.name: lambda dotted: Browser(catalog, dotted=dotted, limits=limits),
            Browsion.name: lambda _: Browsion(catalog, limits=limits),
            Plain.name: lambda _: Plain(catalog),
            Tabs.name: lambda _: Tabs(catalog),
            AgentBrowser.name: lambda _: AgentBrowser(catalog),
        }

    def choose(self, options: Mapping[str, Any]) -> Dialect:
        """Return the dialect for a client's options: `dialect` (one, or several with commas), `tool_names`.

        Raises:
            InvalidArgs: a dialect or the form of names is unknown.
        """
        names = [name.strip() for name in str(options.get("dialect") or self._default).split(",")]
        unknown = [name for name in names if name not in self._factories]
        if unknown:
            known = ", ".join(self._factories)
            raise InvalidArgs(f"Unknown dialect {unknown[0]!r:.100}.", hint=f"Choose one of: {known}.")
        form = options.get("tool_names") or ("dotted" if self._dotted else "plain")
        if form not in ("plain", "dotted"):
            raise InvalidArgs(f"Unknown form of tool names {form!r:.100}.", hint="Choose plain or dotted.")
        return self._combine(list(dict.fromkeys(names)), form == "dotted")

    def refusal(self, options: Mapping[str, Any]) -> str:
        """Return why these options are wrong; "" when they are right."""
        try:
            self.choose(options)
        except InvalidArgs as error:
            return str(error)
        return ""

    def _combine(self, names: list[str], dotted: bool) -> Dialect:
        key = (",".join(names), dotted)
        if key not in self._cache:
            each = [self._factories[name](dotted) for name in names]
            live = any(isinstance(one, LiveDialect) for one in each)
            self._cache[key] = (
                each[0] if len(each) == 1 else (CombinedLiveDialect if live else CombinedDialect)(each)
            )
        return self._cache[key]
