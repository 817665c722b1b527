"""The tabs that one session works in through the extension: attached to, told to the engine, and lost."""

import logging
from collections import defaultdict
from collections.abc import Callable

import anyio

from tabwright.browser.user_chrome.link import ExtensionLink
from tabwright.browser.user_chrome.tab_memory import TabMemory
from tabwright.browser.user_chrome.tab_ownership import ChromeTab
from tabwright.cdp import CdpError, Params
from tabwright.errors import TabwrightError

log = logging.getLogger(__name__)

_FAILED = -32000


class RelayTabs:
    """Tabs of a link by target and by session.

    Args:
        link: the Chrome that they are in.
        seat: what their session keeps of them; the extension knows it by its name.
        tell: hands the engine an event of the browser.
    """

    def __init__(self, link: ExtensionLink, seat: TabMemory, tell: Callable[[str, Params], None]) -> None:
        self._link = link
        self._seat = seat
        self._tell = tell
        # The tab of each session of the protocol: a page's own, and those of its frames and workers.
        self.sessions: dict[str, int] = {}
        # What to call when the user brings one of the tabs to the front, by target.
        self.fronted: dict[str, Callable[[], None]] = {}
        self._targets: dict[int, str] = {}
        # Tabs that were attached to, and not yet told of.
        self._untold: dict[int, Params] = {}
        self._turns: defaultdict[int, anyio.Lock] = defaultdict(anyio.Lock)

    async def begin(self, tabs: list[ChromeTab]) -> None:
        """Attach to tabs all at once, and tell of them in their order."""
        async with anyio.create_task_group() as group:
            for tab in tabs:
                group.start_soon(self._take, tab.id)
        for tab in tabs:
            self._announce(tab.id, tab.opener)

    async def attach(self, tab_id: int, opener: int | None = None) -> None:
        """Attach to a tab and tell of it, unless that is done."""
        await self._take(tab_id)
        self._announce(tab_id, opener)

    async def open(self, url: str) -> str:
        """Open a tab behind the one that the user looks at; return its target.

        Raises:
            CdpError: it cannot be, or may not.
        """
        answer = await self._link.call("openTab", url=url, focus=False, holder=self._seat.name)
        tab_id = self._link.opened(answer["tab"])
        await self.attach(tab_id)
        if tab_id not in self._targets:
            raise CdpError("openTab", _FAILED, "the tab could not be attached to")
        return self._targets[tab_id]

    def of_target(self, target_id: str) -> int:
        """Return the tab of a target.

        Raises:
            CdpError: there is none.
        """
        for tab_id, known in self._targets.items():
            if known == target_id:
                return tab_id
        raise CdpError("Target", _FAILED, "No target with given id found")

    def attend(self, tab_id: int) -> None:
        """Call whoever follows a tab: the user brought it to the front."""
        if (follow := self.fronted.get(self._targets.get(tab_id, ""))) is not None:
            follow()

    def lose(self, tab_id: int, reason: str) -> None:
        """Tell the engine that a tab is gone, and why."""
        target = self._targets.pop(tab_id, None)
        self._untold.pop(tab_id, None)
        self.sessions = {session: of for session, of in self.sessions.items() if of != tab_id}
        if target is not None:
            self.fronted.pop(target, None)
            parted = {"sessionId": session_of(tab_id), "targetId": target, "reason": reason}
            self._tell("Target.detachedFromTarget", parted)

    async def _take(self, tab_id: int) -> None:
        async with self._turns[tab_id]:
            if tab_id in self._targets or tab_id in self._untold:
                return
            try:
                self._untold[tab_id] = target = await self._link.attach(tab_id, self._seat.name)
                self._seat.find(self._link.chrome, tab_id, target["targetId"])
            except (CdpError, TabwrightError) as error:
                log.info("tab %d of %r cannot be used: %s", tab_id, self._link, error)
                self._link.holding.let_go(tab_id)

    def _announce(self, tab_id: int, opener: int | None) -> None:
        target = self._untold.pop(tab_id, None)
        if target is None:
            return
        self._targets[tab_id] = target["targetId"]
        self.sessions[session_of(tab_id)] = tab_id
        about = {**target, "type": "page", "openerId": self._targets.get(opener or 0, "")}
        self._tell("Target.attachedToTarget", {"sessionId": session_of(tab_id), "targetInfo": about})


def session_of(tab_id: int) -> str:
    """The id of the session of a tab's page, as the engine knows it."""
    return f"tab-{tab_id}"
