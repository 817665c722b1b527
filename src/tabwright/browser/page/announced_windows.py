"""Windows that pages open: Chrome announces each before its tab appears."""

from tabwright.cdp import CdpSession, Params


class AnnouncedWindows:
    """Counts the windows that the pages of one tab open for the user."""

    def __init__(self) -> None:
        self.count = 0

    def attach(self, session: CdpSession) -> None:
        """Follow the announcements of a session."""
        session.on("Page.windowOpen", self._on_window_open)

    def _on_window_open(self, event: Params) -> None:
        self.count += bool(event["userGesture"])  # others may be blocked as popups
