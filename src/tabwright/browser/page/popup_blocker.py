"""Windows that nobody asked for: Chrome's headless shell lets pages open them, and here they may not."""

from tabwright.browser.page.isolated_world import script
from tabwright.cdp import CdpSession, Params


class PopupBlocker:
    """Refuses windows to the pages of one tab, as Chrome does, unless a person just acted there.

    A script that asks for a new one is told so. What else may open one, a link or form that a script uses or
    a name, may as well lead on a window that is there: it is let through, and a new one closed.
    """

    def __init__(self) -> None:
        self._unasked = False

    def attach(self, session: CdpSession) -> None:
        """Have it in every document of a session, from its birth."""
        session.on("Page.windowOpen", self._opens)
        session.post(
            "Page.addScriptToEvaluateOnNewDocument",
            source=script("standalone/popups.js"),
            runImmediately=True,
        )

    def refuses(self) -> bool:
        """Whether the window that a page of the tab has just opened must go; asked once for each."""
        unasked, self._unasked = self._unasked, False
        return unasked

    def _opens(self, event: Params) -> None:
        # Told before the window itself, of which Chrome does not say whether anybody asked for it.
        self._unasked = not event["userGesture"]
