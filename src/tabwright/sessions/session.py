"""A session: a browser context, its current tab, and the lock that keeps calls on it in order."""

import itertools
from collections import OrderedDict

import anyio

from tabwright.browser.context import Context
from tabwright.browser.tab import Tab, TabId
from tabwright.errors import NotFound

# The session of a client that named none: it ends with the client, and other clients do not see it.
UNNAMED = "auto-"
_OUTPUTS_KEPT = 20


class Session:
    """What one client works in. Calls on it queue for `lock`, in order."""

    def __init__(self, name: str, owner: str, context: Context) -> None:
        self.name = name
        self.owner = owner
        self.context = context
        self.lock = anyio.Lock()
        self.used = anyio.current_time()
        self._current: TabId | None = None
        self._outputs: OrderedDict[str, list[str]] = OrderedDict()
        self._output_numbers = itertools.count(1)

    def __repr__(self) -> str:
        return f"<Session {self.name} of {self.owner}>"

    @property
    def alive(self) -> bool:
        """Whether its browser still runs."""
        return self.context.browser.alive

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """The open tabs, oldest first."""
        return tuple(self.context.tabs.values())

    async def tab(self, tab_id: str | None = None) -> Tab:
        """Return the tab of that id, else the current one; a session without tabs gets one."""
        if tab_id is not None:
            return self.context.tab(tab_id)
        current = self.context.tabs.get(self._current) if self._current else None
        if current is None:
            current = self.tabs[-1] if self.tabs else await self.context.new_tab()
            self._current = current.id
        return current

    def choose(self, tab: Tab) -> None:
        """Make a tab the current one."""
        self._current = tab.id

    def keep(self, lines: list[str]) -> str:
        """Keep a long output for reading on; return its name."""
        name = f"o{next(self._output_numbers)}"
        self._outputs[name] = lines
        while len(self._outputs) > _OUTPUTS_KEPT:
            self._outputs.popitem(last=False)
        return name

    def kept(self, name: str) -> list[str]:
        """Return a kept output."""
        if name not in self._outputs:
            raise NotFound(f"Output {name} is not kept any more.", hint="Run the action again.")
        return self._outputs[name]

    async def close(self) -> None:
        """Close the context and all its tabs."""
        await self.context.close()
