"""Blocking popups in Chrome's headless shell, which has no popup blocker."""

from tabwright.browser.page.isolated_world import script
from tabwright.cdp import CdpSession, Params


class PopupBlocker:
    """Blocks the popups of one tab's pages as Chrome does, unless the user has just clicked or typed there.

    `window.open` returns null to a script that may not open a window. A link, a form or a window name may
    also address a window that exists, so those are let through, and a new window is closed.
    """

    def __init__(self) -> None:
        self._unwanted = False

    def attach(self, session: CdpSession) -> None:
        """Install it in every document of a session, before the page's scripts."""
        session.on("Page.windowOpen", self._on_window_open)
        session.post(
            "Page.addScriptToEvaluateOnNewDocument",
            source=script("standalone/popups.js"),
            runImmediately=True,
        )

    def take_unwanted(self) -> bool:
        """Return whether the window that has just opened must be closed; ask once for each window."""
        unwanted, self._unwanted = self._unwanted, False
        return unwanted

    def _on_window_open(self, event: Params) -> None:
        # This event comes before the window, whose own event does not say whether the user caused it.
        self._unwanted = not event["userGesture"]
