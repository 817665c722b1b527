"""Windows that nobody asked for: Chrome's headless shell lets pages open them, and here they may not."""

from functools import cache
from importlib.resources import files

from tabwright.cdp import CdpSession


class PopupBlocker:
    """Refuses `window.open` in the pages of one tab, as Chrome does, unless a person just acted there."""

    def attach(self, session: CdpSession) -> None:
        """Have it in every document of a session, from its birth."""
        session.post("Page.addScriptToEvaluateOnNewDocument", source=_script(), runImmediately=True)


@cache
def _script() -> str:
    return (files("tabwright.browser") / "js" / "popups.js").read_text(encoding="utf-8")
