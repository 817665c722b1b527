"""The tree of a tab's frames, kept up to date by the events of every session of the tab."""

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tabwright.browser.page.frame import MAIN_WORLD, Frame, WorldKey
from tabwright.browser.page.isolated_world import WORLD
from tabwright.cdp import CdpSession, Params
from tabwright.errors import InvalidArgs, NotFound, Stale
from tabwright.text import quote_line

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab


class FrameTree:
    """All frames of the tab; one of them can be chosen as the scope of selectors, snapshots and scripts."""

    def __init__(self, tab: "Tab", main_id: str, session: CdpSession) -> None:
        self._tab = tab
        self._main = Frame(tab, main_id, None, session)
        self._by_id = {main_id: self._main}
        self._numbers = itertools.count(1)
        self._chosen: Frame | None = None

    @property
    def main(self) -> Frame:
        """The main frame, which holds all others."""
        return self._main

    def __iter__(self) -> Iterator[Frame]:
        return self.main.walk()

    def get(self, frame_id: str) -> Frame | None:
        """Return the frame with that id, if it still exists."""
        return self._by_id.get(frame_id)

    @property
    def chosen(self) -> Frame:
        """The frame for selectors, snapshots and scripts: the main one, unless another was chosen.

        Raises:
            Stale: the chosen frame was removed from the page.
        """
        if self._chosen is None:
            return self.main
        if self._by_id.get(self._chosen.id) is not self._chosen:
            raise Stale(
                f"The chosen frame {self._chosen.key} is gone.",
                hint="Go back to the main frame, or choose another.",
            )
        return self._chosen

    @property
    def chosen_key(self) -> str:
        """The key of the chosen frame, even if it is gone; "" for the whole page."""
        return self._chosen.key if self._chosen else ""

    def choose(self, frame: Frame | None) -> None:
        """Use a frame for selectors, snapshots and scripts until the page navigates; None: the whole page."""
        self._chosen = None if frame is self.main else frame

    def find(self, name: str) -> Frame:
        """Return the frame with that key (f2) or that name.

        Raises:
            NotFound: there is none.
            InvalidArgs: several have that name.
        """
        by_key = [frame for frame in self if frame.key == name]
        found = by_key or [frame for frame in self if frame.name and frame.name == name]
        if len(found) > 1:
            keys = ", ".join(frame.key for frame in found[:20])
            raise InvalidArgs(
                f"{len(found)} frames are named {name!r:.100}: {keys}.", hint="Use the id of one."
            )
        if not found:
            known = ", ".join(
                f"{frame.key} {quote_line(frame.name, 60)}" if frame.name else frame.key
                for frame in list(self)[:20]
            )
            raise NotFound(f"There is no frame {name!r:.100}; frames: {known}.", hint="Choose one of them.")
        return found[0]

    def attach(self, session: CdpSession) -> None:
        """Follow the frames and worlds that this session reports."""
        session.on("Page.frameAttached", lambda event: self._on_attached(session, event))
        session.on("Page.frameNavigated", lambda event: self._on_navigated(session, event["frame"]))
        session.on("Page.navigatedWithinDocument", self._on_moved_within)
        session.on("Page.frameDetached", self._on_detached)
        session.on("Runtime.executionContextCreated", self._on_context_created)
        session.on(
            "Runtime.executionContextDestroyed", lambda event: self._on_context_destroyed(session, event)
        )
        session.on("Runtime.executionContextsCleared", lambda _: self._on_contexts_cleared(session))
        session.start("Page.getFrameTree").add_done_callback(
            lambda answer: (
                None
                if answer.cancelled() or answer.exception()
                else self._merge(session, answer.result()["frameTree"])
            )
        )

    def adopt(self, frame_id: str, session: CdpSession) -> None:
        """Note that a frame now runs in its own process, and so has its own session."""
        frame = self._by_id.get(frame_id)
        if frame is not None:
            frame.session = session
            frame.contexts.clear()

    def _merge(self, session: CdpSession, tree: Params) -> None:
        """Merge a whole tree, for targets that existed before we attached."""
        waiting = [tree]
        while waiting:
            branch = waiting.pop()
            described = branch["frame"]
            if "parentId" in described:
                self._on_attached(
                    session, {"frameId": described["id"], "parentFrameId": described["parentId"]}
                )
            frame = self._by_id.get(described["id"])
            if frame is not None and not frame.loader_id:
                self._update(frame, described)
            waiting.extend(reversed(branch.get("childFrames", ())))

    def _on_attached(self, session: CdpSession, event: Params) -> None:
        parent = self._by_id.get(event["parentFrameId"])
        if parent is None or event["frameId"] in self._by_id:
            return
        frame = Frame(self._tab, event["frameId"], parent, session, next(self._numbers))
        parent.children.append(frame)
        self._by_id[frame.id] = frame

    def _on_navigated(self, session: CdpSession, described: Params) -> None:
        frame = self._by_id.get(described["id"])
        if frame is None:
            return
        frame.session = session
        if frame is self.main:
            self._chosen = None
        for child in tuple(frame.children):
            self._remove(child)
        self._update(frame, described)

    def _update(self, frame: Frame, described: Params) -> None:
        frame.url = described.get("unreachableUrl") or described["url"] + described.get("urlFragment", "")
        frame.name = described.get("name", "")
        frame.loader_id = described["loaderId"]

    def _on_moved_within(self, event: Params) -> None:
        if (frame := self._by_id.get(event["frameId"])) is not None:
            frame.url = event["url"]

    def _on_detached(self, event: Params) -> None:
        frame = self._by_id.get(event["frameId"])
        # "swap": the frame stays, its document moves to another process.
        if frame is not None and event.get("reason") != "swap":
            self._remove(frame)

    def _remove(self, frame: Frame) -> None:
        for gone in tuple(frame.walk()):
            self._by_id.pop(gone.id, None)
        if frame.parent is not None and frame in frame.parent.children:
            frame.parent.children.remove(frame)

    def _on_context_created(self, event: Params) -> None:
        context = event["context"]
        details = context.get("auxData", {})
        frame = self._by_id.get(details.get("frameId", ""))
        if frame is not None:
            world = MAIN_WORLD if details.get("isDefault") else context["name"]
            frame.contexts[world] = context["id"]
            frame.world_keys[world] = WorldKey(context["uniqueId"], context["origin"])
            if world == WORLD:
                frame.on_new_world()
            self._tab.changed.fire()

    def _on_context_destroyed(self, session: CdpSession, event: Params) -> None:
        for frame in self:
            if frame.session is session:
                frame.contexts = {
                    world: context
                    for world, context in frame.contexts.items()
                    if context != event["executionContextId"]
                }

    def _on_contexts_cleared(self, session: CdpSession) -> None:
        for frame in self:
            if frame.session is session:
                frame.contexts.clear()
