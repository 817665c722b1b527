"""The page of a tab whose extension declares tools, and relays nothing else of the page."""

from collections.abc import Callable, Mapping
from typing import Any

from tabwright.browser.user_chrome.link import ExtensionLink, OnAnswer
from tabwright.browser.user_chrome.tab_ownership import ChromeTab
from tabwright.cdp import Params
from tabwright.errors import Denied

REFUSAL = "This tab belongs to an extension that offers its own page tools only."
_HINT = (
    "Use its page tools (list_page_tools, call_page_tool), or ask the user to load Tabwright's own "
    "extension: tabwright extension"
)


class DeclaredPage:
    """What the extension says about one tab. `revision` increases whenever that changes."""

    def __init__(self, link: ExtensionLink, tab: ChromeTab) -> None:
        self._link = link
        self._tab = tab
        self.revision = 0
        # Called when it changes.
        self.on_change: Callable[[], None] = lambda: None

    @property
    def title(self) -> str:
        """The title of the tab."""
        return self._tab.title

    @property
    def url(self) -> str:
        """The URL of the tab."""
        return self._tab.url

    @property
    def tools(self) -> tuple[Params, ...]:
        """The declared tools, unchecked."""
        return self._tab.tools

    @property
    def connected(self) -> bool:
        """Whether the extension is connected."""
        return self._link.ended_at is None

    def update(self, tab: ChromeTab) -> None:
        """Store what the extension says now."""
        if tab != self._tab:
            self._tab = tab
            self.revision += 1
            self.on_change()

    def call(self, name: str, arguments: Mapping[str, Any], on_answer: OnAnswer) -> Callable[[], None]:
        """Call a tool; `on_answer` gets the extension's message. Returns a function that gives up waiting.

        Raises:
            TypeError: JSON cannot encode the arguments.
        """
        return self._link.request(
            "callTool", on_answer, tabId=self._tab.id, toolName=name, args=dict(arguments)
        )


def refusal_error() -> Denied:
    """Return the error for what only Tabwright's own extension can do."""
    return Denied(REFUSAL, hint=_HINT)
