"""The documents that a tab's main frame has loaded or is loading, each by its loader id.

Everything here is a fact from Chrome's events. Waiting for them is in `navigation` and `navigation_result`.
"""

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING

import anyio

from tabwright.cdp import CdpSession, Params

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# Earlier documents that are remembered: Chrome may report the failure of one late, while a caller waits.
_MAX_EARLIER = 50


@dataclass(slots=True)
class DocumentLoad:
    """How far one document has loaded."""

    reached: set[str] = field(default_factory=set)
    status: int | None = None
    status_text: str = ""
    error: str = ""
    # When its whole content was known to be there, on anyio's clock.
    usable_since: float | None = None

    @property
    def committed(self) -> bool:
        """Whether the tab shows this document."""
        return "commit" in self.reached

    def mark_usable(self) -> None:
        """Note that its content is there; scripts and images may still be missing."""
        if self.usable_since is None:
            self.usable_since = anyio.current_time()


class DocumentLoads:
    """The documents of one tab's main frame; `latest_id` is the loader id of the last navigation."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._loads: dict[str, DocumentLoad] = {}
        self.latest_id = ""
        self.commits = 0
        self.moves_within = 0

    def attach(self, session: CdpSession) -> None:
        """Follow the events of the page's own session."""
        session.on("Page.lifecycleEvent", self._on_milestone)
        session.on("Page.frameStartedNavigating", self._on_started)
        session.on("Page.frameNavigated", self._on_committed)
        session.on("Page.navigatedWithinDocument", self._on_moved_within)
        session.on("Network.responseReceived", self._on_response)
        session.on("Network.loadingFailed", self._on_failed)
        session.post("Page.setLifecycleEventsEnabled", enabled=True)

    @property
    def current(self) -> DocumentLoad:
        """The document that the tab shows."""
        return self._loads.get(self._tab.main_frame.loader_id, DocumentLoad())

    @property
    def latest(self) -> DocumentLoad:
        """The document of the last navigation, whether the tab shows it or not."""
        return self._loads.get(self.latest_id, DocumentLoad())

    @property
    def under_way(self) -> bool:
        """Whether a navigation to a new document has started and neither committed nor failed."""
        return bool(self.latest_id) and not self.latest.error and not self.latest.committed

    @property
    def awaits_server(self) -> bool:
        """Whether the navigation under way has sent its request and has no response yet."""
        requested = self.latest_id in self._tab.traffic.in_flight
        return self.under_way and requested and self.latest.status is None

    def get(self, loader_id: str) -> DocumentLoad:
        """Return the document of that loader id, added if it is new."""
        if loader_id not in self._loads:
            self._loads[loader_id] = DocumentLoad()
            self._forget_earlier()
        return self._loads[loader_id]

    def was_cancelled(self, loader_id: str) -> bool:
        """Whether a document failed to commit, and no later navigation replaced it."""
        load = self.get(loader_id)
        return bool(load.error) and not load.committed and self.latest_id == loader_id

    def _forget_earlier(self) -> None:
        needed = (self._tab.main_frame.loader_id, self.latest_id)
        earlier = [loader_id for loader_id in self._loads if loader_id not in needed]
        for loader_id in earlier[:-_MAX_EARLIER]:
            del self._loads[loader_id]

    def _on_started(self, event: Params) -> None:
        within = event["navigationType"] in ("sameDocument", "historySameDocument")
        if event["frameId"] == self._tab.main_frame.id and not within:
            self.latest_id = event["loaderId"]
            self.get(event["loaderId"])
            self._tab.changed.fire()

    def _on_committed(self, event: Params) -> None:
        frame = event["frame"]
        if "parentId" in frame:
            return
        self.commits += 1
        load = self.get(frame["loaderId"])
        load.reached.add("commit")
        if event.get("type") == "BackForwardCacheRestore":
            load.reached |= {"DOMContentLoaded", "load"}
            load.mark_usable()
        self._tab.changed.fire()

    def _on_moved_within(self, event: Params) -> None:
        if event["frameId"] == self._tab.main_frame.id:
            self.moves_within += 1
            self._tab.changed.fire()

    def _on_milestone(self, event: Params) -> None:
        if event["frameId"] == self._tab.main_frame.id:
            load = self.get(event["loaderId"])
            load.reached.add(event["name"])
            if event["name"] == "DOMContentLoaded":
                load.mark_usable()
            self._tab.changed.fire()

    def _on_response(self, event: Params) -> None:
        ours = event.get("frameId") == self._tab.main_frame.id  # frames inside it load documents too
        if ours and event["type"] == "Document" and event["requestId"] == event["loaderId"]:
            load, status = self.get(event["loaderId"]), event["response"]["status"]
            load.status = status or None
            # The standard phrase: HTTP/2 servers send none, and others send any text.
            load.status_text = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else ""
            self._tab.changed.fire()

    def _on_failed(self, event: Params) -> None:
        if (load := self._loads.get(event["requestId"])) is not None:
            load.error = event["errorText"]
            self._tab.changed.fire()
