"""Which tab the user looks at: told by its window, in tabs that somebody follows."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tabwright.browser.page.isolated_world import WORLD, script
from tabwright.cdp import CdpSession, Params

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

_BINDING = "__tabwrightFront"


class UserFocus:
    """Tells when the user brings a tab to the front. The page then knows when it is behind another."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._tell: Callable[[Tab], None] | None = None
        told_by_browser = tab.context.browser.fronted
        if told_by_browser is None:
            tab.include(self)
        else:
            told_by_browser[tab.target_id] = self._came

    def follow(self, tell: "Callable[[Tab], None]") -> None:
        """Tell it from now on."""
        self._tell = tell

    def attach(self, session: CdpSession) -> None:
        """Listen in the page itself; frames come to the front with it."""
        if session is not self._tab.session:
            return
        session.on("Runtime.bindingCalled", self._called)
        # Otherwise every tab counts as being in front.
        session.post("Emulation.setFocusEmulationEnabled", enabled=False)
        session.post("Runtime.addBinding", name=_BINDING, executionContextName=WORLD)
        session.post(
            "Page.addScriptToEvaluateOnNewDocument",
            source=script("standalone/focus.js"),
            worldName=WORLD,
            runImmediately=True,
        )

    def _called(self, event: Params) -> None:
        if event["name"] == _BINDING:
            self._came()

    def _came(self) -> None:
        if self._tell is not None and not self._tab.closed.is_set():
            self._tell(self._tab)
