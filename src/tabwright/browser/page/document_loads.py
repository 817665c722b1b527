"""The documents of a tab's main frame, each by its loader: how far it got, what its server said."""

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING

from tabwright.cdp import CdpSession, Params

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# Documents before the one shown that are remembered: whoever waits for one may hear of its end late.
_KEPT = 50


@dataclass(slots=True)
class DocumentLoad:
    """One document on its way: how far it got."""

    reached: set[str] = field(default_factory=set)
    status: int | None = None
    status_text: str = ""
    error: str = ""

    @property
    def arrived(self) -> bool:
        """Whether the page shows this document."""
        return "commit" in self.reached


class DocumentLoads:
    """All that is known of the documents; `started` names the last one that was set out for."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._known: dict[str, DocumentLoad] = {}
        self.started = ""

    def attach(self, session: CdpSession) -> None:
        """Follow the documents of the page's own session."""
        session.on("Page.lifecycleEvent", self._milestone)
        session.on("Page.frameStartedNavigating", self._started)
        session.on("Network.responseReceived", self._response)
        session.on("Network.loadingFailed", self._failed)

    @property
    def current(self) -> DocumentLoad:
        """The document shown now."""
        return self._known.get(self._tab.main_frame.loader_id, DocumentLoad())

    @property
    def last(self) -> DocumentLoad:
        """The document that was set out for last."""
        return self._known.get(self.started, DocumentLoad())

    def of(self, loader_id: str) -> DocumentLoad:
        """Return the document of that number, known from now on."""
        if loader_id not in self._known:
            self._known[loader_id] = DocumentLoad()
            self._forget_earlier()
        return self._known[loader_id]

    def _forget_earlier(self) -> None:
        wanted = (self._tab.main_frame.loader_id, self.started)
        earlier = [loader_id for loader_id in self._known if loader_id not in wanted]
        for loader_id in earlier[:-_KEPT]:
            del self._known[loader_id]

    def _started(self, event: Params) -> None:
        within = event["navigationType"] in ("sameDocument", "historySameDocument")
        if event["frameId"] == self._tab.main_frame.id and not within:
            self.started = event["loaderId"]
            self.of(event["loaderId"])
            self._tab.changed.fire()

    def _milestone(self, event: Params) -> None:
        if event["frameId"] == self._tab.main_frame.id:
            self.of(event["loaderId"]).reached.add(event["name"])
            self._tab.changed.fire()

    def _response(self, event: Params) -> None:
        ours = event.get("frameId") == self._tab.main_frame.id  # frames inside load documents, too
        if ours and event["type"] == "Document" and event["requestId"] == event["loaderId"]:
            loader, response = self.of(event["loaderId"]), event["response"]
            loader.status = response["status"] or None
            loader.status_text = _words(response["status"])
            self._tab.changed.fire()

    def _failed(self, event: Params) -> None:
        if (loader := self._known.get(event["requestId"])) is not None:
            loader.error = event["errorText"]
            self._tab.changed.fire()


def _words(status: int) -> str:
    """Say a status as the standard does: servers send the number only, or any words that they like."""
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else ""
