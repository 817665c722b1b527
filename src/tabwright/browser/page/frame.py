"""Frames of a tab: the tree as Chrome tells it, and calls into each frame's worlds.

A frame of another site lives in a process of its own and has a session of its own; the tree hides that.
"""

import asyncio
import itertools
import json
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabwright.browser.page.isolated_world import CALL, UNFINISHED, WORLD, world_source
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import Internal, InvalidArgs, NotFound, Stale
from tabwright.text import quote_line

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

MAIN_WORLD = ""
# Chrome's words for "the document that you spoke to is not there any more".
_GONE = (
    "Cannot find context",
    "Execution context was destroyed",
    "navigated or closed",
    "uniqueContextId not found",
    "No frame for given id",
    "Frame with the given id was not found",
)


@dataclass(frozen=True, slots=True)
class Handle:
    """A live object of a frame's world, passed by reference in `Frame.call`."""

    object_id: str


class DocumentGone(Exception):
    """The document navigated away in the middle of a call to it."""


class Frame:
    """One frame: its place in the tree, its document, its worlds."""

    def __init__(
        self, tab: "Tab", frame_id: str, parent: "Frame | None", session: CdpSession, number: int = 0
    ) -> None:
        self.tab = tab
        self.id = frame_id
        # What callers name it by: the main frame is f0.
        self.key = f"f{number}"
        self.parent = parent
        self.children: list[Frame] = []
        self.session = session
        self.url = "about:blank"
        self.name = ""
        self.loader_id = ""
        self.contexts: dict[str, int] = {}
        self._furnished: int | None = None
        self._walked: int | None = None

    def __repr__(self) -> str:
        return f"<Frame {self.id} {self.url}>"

    async def call(self, function: str, *args: Any, patience: float | None = None) -> Any:
        """Call `tabwright.<function>(*args)` in our world and return its result; a promise is awaited.

        When the document goes away before it answers, the call is put to the one that follows, once.
        `patience` is how long the page may take to answer before it counts as stuck.
        """
        context = self.contexts.get(WORLD)
        try:
            return await self.call_here(function, *args, patience=patience)
        except DocumentGone:
            if self.contexts.get(WORLD) == context:  # the news of its end is on its way
                self.contexts.pop(WORLD, None)
        try:
            return await self.call_here(function, *args, patience=patience)
        except DocumentGone as gone:
            raise Stale(
                "The page keeps navigating away.", hint="Wait for it to load, then try again."
            ) from gone

    async def call_here(self, function: str, *args: Any, patience: float | None = None) -> Any:
        """As `call`, but put to the present document only.

        Raises:
            DocumentGone: it navigated away before it answered.
        """
        answer = await self._called(function, args, patience)
        if _is_unfinished(answer):
            await self.ask("Runtime.evaluate", expression=world_source(), contextId=await self.world())
            answer = await self._called(function, args, patience)
        return _value(answer)

    async def _called(self, function: str, args: tuple[Any, ...], patience: float | None) -> Params:
        params = _call_params(await self.world(), function, args)
        return await self.ask("Runtime.callFunctionOn", patience=patience, **params)

    def start(self, function: str, *args: Any) -> "asyncio.Future[Params] | None":
        """Send a call to the current document without waiting: what is sent next shares its round trip.

        Returns what `finish` awaits, or None while our world is not known.
        """
        self.tab.require_answering(self.session)
        if (context := self.known_world()) is None:
            return None
        answer = self.session.start("Runtime.callFunctionOn", **_call_params(context, function, args))
        answer.add_done_callback(_ignore_failure)
        return answer

    async def finish(self, answer: "asyncio.Future[Params]") -> Any:
        """Return the result of a call that was started.

        Raises:
            DocumentGone: the document navigated away before it answered.
            Internal: our scripts were not all there, or failed.
        """
        try:
            with self.tab.watch.over(self.session):
                return _value(await answer)
        except CdpError as error:
            _require_document(error)
            raise

    async def ask(self, method: str, *, patience: float | None = None, **params: Any) -> Params:
        """Send a call that the page's own thread must answer, and watch that it does.

        Raises:
            DocumentGone: the document navigated away first.
        """
        self.tab.require_answering(self.session)
        watch = self.tab.watch
        # Given more time, the page must still get to the call as soon as to any other.
        reached = watch.until_reached(self.session) if patience else nullcontext()
        try:
            with reached, watch.over(self.session, patience):
                return await self.session.start(method, **params)
        except CdpError as error:
            _require_document(error)
            raise

    async def entrust(self, method: str, **params: Any) -> Params:
        """As `ask`, for a script of the caller's: once it runs, it may hold the page as long as it likes."""
        self.tab.require_answering(self.session)
        try:
            with self.tab.watch.until_reached(self.session):
                return await self.session.start(method, **params)
        except CdpError as error:
            _require_document(error)
            raise

    async def world(self) -> int:
        """Return the execution context of our world in the current document, made if need be."""
        while (context := self.known_world()) is None:
            answer = await self.ask("Page.createIsolatedWorld", frameId=self.id, worldName=WORLD)
            self.contexts[WORLD] = int(answer["executionContextId"])
        return context

    def known_world(self) -> int | None:
        """As `world`, when it is there already.

        Our scripts are sent ahead of the first call to it: documents that nobody looks at do without them.
        """
        context = self.contexts.get(WORLD)
        if context is not None and context != self._furnished:
            self._furnished = context
            self.session.post("Runtime.evaluate", expression=world_source(), contextId=context)
        return context

    def empty_world(self) -> None:
        """Note that our world is new, though its number may be one that another process gave before."""
        self._furnished = None
        self._walked = None

    @property
    def walked(self) -> bool:
        """Whether a snapshot of the whole current document was taken, as far as we know."""
        return self._walked is not None and self._walked == self.contexts.get(WORLD)

    def mark_walked(self) -> None:
        """Note that a snapshot of the whole document was taken."""
        self._walked = self.contexts.get(WORLD)

    async def owner(self) -> Handle:
        """Return the element that holds this frame, as an object of the parent frame's world."""
        if self.parent is None:
            raise Internal("The main frame has no owner element.")
        parent = self.parent
        found = await parent.ask("DOM.getFrameOwner", frameId=self.id)
        resolved = await parent.ask(
            "DOM.resolveNode", backendNodeId=found["backendNodeId"], executionContextId=await parent.world()
        )
        return Handle(resolved["object"]["objectId"])

    def walk(self) -> "Iterator[Frame]":
        """Yield this frame and all frames inside it, parents first."""
        waiting = [self]
        while waiting:
            frame = waiting.pop(0)
            yield frame
            waiting.extend(frame.children)


def _call_params(context: int, function: str, args: tuple[Any, ...]) -> Params:
    return {
        "functionDeclaration": CALL,
        "executionContextId": context,
        "arguments": [{"value": function}, *map(_argument, args)],
        "returnByValue": True,
        "awaitPromise": True,
    }


def _value(answer: Params) -> Any:
    if "exceptionDetails" in answer:
        raise Internal(f"Our script failed in the page: {describe_exception(answer['exceptionDetails'])}.")
    return answer["result"].get("value")


def _ignore_failure(answer: "asyncio.Future[Params]") -> None:
    """Retrieve the exception, so that asyncio does not log it when nothing awaits the answer."""
    if not answer.cancelled():
        answer.exception()


def _require_document(error: CdpError) -> None:
    if any(words in error.message for words in _GONE):
        raise DocumentGone from error


def _argument(value: Any) -> Params:
    return {"objectId": value.object_id} if isinstance(value, Handle) else {"value": value}


def _is_unfinished(answer: Params) -> bool:
    """Whether our scripts are not all there: the page was stopped while they were being installed."""
    return (
        "exceptionDetails" in answer
        and answer["exceptionDetails"]["exception"].get("value", ...) == UNFINISHED
    )


def describe_exception(details: Params) -> str:
    """Say what a script threw, in one line."""
    exception = details.get("exception", {})
    if "description" in exception:
        return str(exception["description"]).partition("\n")[0]
    if "value" in exception:
        return json.dumps(exception["value"])
    return str(details.get("text", "unknown error"))


class FrameTree:
    """All frames of one tab, kept up to date by the events of every session of the tab."""

    def __init__(self, tab: "Tab", main_id: str, session: CdpSession) -> None:
        self._tab = tab
        self.main = Frame(tab, main_id, None, session)
        self._by_id = {main_id: self.main}
        self._numbers = itertools.count(1)
        self._chosen: Frame | None = None

    def __iter__(self) -> Iterator[Frame]:
        return self.main.walk()

    def get(self, frame_id: str) -> Frame | None:
        """Return the frame of that id, if it is still there."""
        return self._by_id.get(frame_id)

    @property
    def chosen(self) -> Frame:
        """The frame that targets, snapshots and scripts are in: the main one, unless another was chosen.

        Raises:
            Stale: that one is gone, though its page is not.
        """
        if self._chosen is None:
            return self.main
        if self._by_id.get(self._chosen.id) is not self._chosen:
            raise Stale(
                f"Frame {self._chosen.key}, which was chosen, is gone.",
                hint="Go back to the main frame, or choose another.",
            )
        return self._chosen

    @property
    def inside(self) -> str:
        """The key of the frame that was chosen, though it may be gone; "" for the whole page."""
        return self._chosen.key if self._chosen else ""

    def choose(self, frame: Frame | None) -> None:
        """Have targets, snapshots and scripts in one frame, until its page goes; None: in the whole page."""
        self._chosen = None if frame is self.main else frame

    def named(self, name: str) -> Frame:
        """Return the frame of that key (f2), or of that name.

        Raises:
            NotFound: there is none.
            InvalidArgs: several have that name.
        """
        by_key = [frame for frame in self if frame.key == name]
        found = by_key or [frame for frame in self if frame.name and frame.name == name]
        if len(found) > 1:
            keys = ", ".join(frame.key for frame in found[:20])
            raise InvalidArgs(
                f"{len(found)} frames are called {name!r:.100}: {keys}.", hint="Name one by its id."
            )
        if not found:
            known = ", ".join(
                f"{frame.key} {quote_line(frame.name, 60)}" if frame.name else frame.key
                for frame in list(self)[:20]
            )
            raise NotFound(f"There is no frame {name!r:.100}; frames: {known}.", hint="Choose one of them.")
        return found[0]

    def attach(self, session: CdpSession) -> None:
        """Follow the frames and worlds that this session tells of."""
        session.on("Page.frameAttached", lambda event: self._attached(session, event))
        session.on("Page.frameNavigated", lambda event: self._navigated(session, event["frame"]))
        session.on("Page.navigatedWithinDocument", self._moved_within)
        session.on("Page.frameDetached", self._detached)
        session.on("Runtime.executionContextCreated", self._context_created)
        session.on("Runtime.executionContextDestroyed", lambda event: self._context_destroyed(session, event))
        session.on("Runtime.executionContextsCleared", lambda _: self._contexts_cleared(session))
        session.start("Page.getFrameTree").add_done_callback(
            lambda answer: (
                None
                if answer.cancelled() or answer.exception()
                else self._known(session, answer.result()["frameTree"])
            )
        )

    def adopt(self, frame_id: str, session: CdpSession) -> None:
        """Note that a frame now lives in a process, and so a session, of its own."""
        frame = self._by_id.get(frame_id)
        if frame is not None:
            frame.session = session
            frame.contexts.clear()

    def _known(self, session: CdpSession, tree: Params) -> None:
        """Merge a whole tree, for targets that existed before we looked."""
        waiting = [tree]
        while waiting:
            branch = waiting.pop()
            described = branch["frame"]
            if "parentId" in described:
                self._attached(session, {"frameId": described["id"], "parentFrameId": described["parentId"]})
            frame = self._by_id.get(described["id"])
            if frame is not None and not frame.loader_id:
                self._describe(frame, described)
            waiting.extend(reversed(branch.get("childFrames", ())))

    def _attached(self, session: CdpSession, event: Params) -> None:
        parent = self._by_id.get(event["parentFrameId"])
        if parent is None or event["frameId"] in self._by_id:
            return
        frame = Frame(self._tab, event["frameId"], parent, session, next(self._numbers))
        parent.children.append(frame)
        self._by_id[frame.id] = frame

    def _navigated(self, session: CdpSession, described: Params) -> None:
        frame = self._by_id.get(described["id"])
        if frame is None:
            return
        frame.session = session
        if frame is self.main:
            self._chosen = None
        for child in tuple(frame.children):
            self._remove(child)
        self._describe(frame, described)

    def _describe(self, frame: Frame, described: Params) -> None:
        frame.url = described.get("unreachableUrl") or described["url"] + described.get("urlFragment", "")
        frame.name = described.get("name", "")
        frame.loader_id = described["loaderId"]

    def _moved_within(self, event: Params) -> None:
        if (frame := self._by_id.get(event["frameId"])) is not None:
            frame.url = event["url"]

    def _detached(self, event: Params) -> None:
        frame = self._by_id.get(event["frameId"])
        # "swap": the frame stays, its document moves to another process.
        if frame is not None and event.get("reason") != "swap":
            self._remove(frame)

    def _remove(self, frame: Frame) -> None:
        for gone in tuple(frame.walk()):
            self._by_id.pop(gone.id, None)
        if frame.parent is not None and frame in frame.parent.children:
            frame.parent.children.remove(frame)

    def _context_created(self, event: Params) -> None:
        context = event["context"]
        about = context.get("auxData", {})
        frame = self._by_id.get(about.get("frameId", ""))
        if frame is not None:
            world = MAIN_WORLD if about.get("isDefault") else context["name"]
            frame.contexts[world] = context["id"]
            if world == WORLD:
                frame.empty_world()
            self._tab.changed.fire()

    def _context_destroyed(self, session: CdpSession, event: Params) -> None:
        for frame in self:
            if frame.session is session:
                frame.contexts = {
                    world: context
                    for world, context in frame.contexts.items()
                    if context != event["executionContextId"]
                }

    def _contexts_cleared(self, session: CdpSession) -> None:
        for frame in self:
            if frame.session is session:
                frame.contexts.clear()
