"""Which tab the user brings to the front: reported by the page, or by the browser where it can."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tabwright.browser.page.isolated_world import WORLD, script
from tabwright.cdp import CdpSession, Params

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

_BINDING = "__tabwrightFront"


class UserFocus:
    """Reports when the user brings a tab to the front. The page can then see when it is in the background."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._on_focus: Callable[[Tab], None] | None = None
        by_browser = tab.context.browser.focus_callbacks
        if by_browser is None:
            tab.include(self)
        else:
            by_browser[tab.target_id] = self._focused

    def follow(self, on_focus: "Callable[[Tab], None]") -> None:
        """Call back from now on."""
        self._on_focus = on_focus

    def attach(self, session: CdpSession) -> None:
        """Listen in the page itself; its frames come to the front with it."""
        if session is not self._tab.session:
            return
        session.on("Runtime.bindingCalled", self._on_binding)
        # Otherwise every tab counts as focused.
        session.post("Emulation.setFocusEmulationEnabled", enabled=False)
        session.post("Runtime.addBinding", name=_BINDING, executionContextName=WORLD)
        session.post(
            "Page.addScriptToEvaluateOnNewDocument",
            source=script("standalone/focus.js"),
            worldName=WORLD,
            runImmediately=True,
        )

    def _on_binding(self, event: Params) -> None:
        if event["name"] == _BINDING:
            self._focused()

    def _focused(self) -> None:
        if self._on_focus is not None and not self._tab.closed.is_set():
            self._on_focus(self._tab)
