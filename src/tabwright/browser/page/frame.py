"""One frame of a tab, and calls into its worlds.

A frame of another site runs in its own process and has its own session; callers need not know. The tree of
frames is in `frame_tree`.
"""

import asyncio
import json
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabwright.browser.page.isolated_world import CALL, UNFINISHED, WORLD, world_source
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import Internal, Stale

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

MAIN_WORLD = ""
# Parts of Chrome's messages for a call to a document that is gone.
_GONE_MESSAGES = (
    "Cannot find context",
    "Execution context was destroyed",
    "navigated or closed",
    "uniqueContextId not found",
    "No frame for given id",
    "Frame with the given id was not found",
)


@dataclass(frozen=True, slots=True)
class Handle:
    """A JavaScript object of a frame's world, passed by reference in `Frame.call`."""

    object_id: str


@dataclass(frozen=True, slots=True)
class WorldKey:
    """One world of one document, for calls that must reach no other: Chrome uses the id only once.

    `origin` is that of the document, as Chrome reports it: "://" if it has none.
    """

    id: str
    origin: str


class DocumentGone(Exception):
    """The document navigated away during a call to it."""


class Frame:
    """One frame: its position in the tree, its document, its worlds."""

    def __init__(
        self, tab: "Tab", frame_id: str, parent: "Frame | None", session: CdpSession, number: int = 0
    ) -> None:
        self.tab = tab
        self.id = frame_id
        # The name for callers: the main frame is f0.
        self.key = f"f{number}"
        self.parent = parent
        self.children: list[Frame] = []
        self.session = session
        self.url = "about:blank"
        self.name = ""
        self.loader_id = ""
        self.contexts: dict[str, int] = {}
        # Of the latest documents; a key of one that is gone reaches nothing.
        self.world_keys: dict[str, WorldKey] = {}
        # The contexts of our world that have our scripts, and of which a snapshot was taken.
        self._prepared: int | None = None
        self._walked: int | None = None

    def __repr__(self) -> str:
        return f"<Frame {self.id} {self.url}>"

    async def call(self, function: str, *args: Any, hang_timeout: float | None = None) -> Any:
        """Call `tabwright.<function>(*args)` in our world and return its result; a promise is awaited.

        If the document navigates away first, the call is made once more, in the next document.
        The page may take `hang_timeout` seconds to answer before the watchdog checks it.
        """
        context = self.contexts.get(WORLD)
        try:
            return await self.call_here(function, *args, hang_timeout=hang_timeout)
        except DocumentGone:
            if self.contexts.get(WORLD) == context:  # Chrome has not reported its end yet
                self.contexts.pop(WORLD, None)
        try:
            return await self.call_here(function, *args, hang_timeout=hang_timeout)
        except DocumentGone as gone:
            raise Stale(
                "The page keeps navigating away.", hint="Wait for it to load, then try again."
            ) from gone

    async def call_here(self, function: str, *args: Any, hang_timeout: float | None = None) -> Any:
        """Like `call`, but in the current document only.

        Raises:
            DocumentGone: it navigated away first.
        """
        answer = await self._call_function(function, args, hang_timeout)
        if _is_unfinished(answer):
            await self.ask("Runtime.evaluate", expression=world_source(), contextId=await self.world())
            answer = await self._call_function(function, args, hang_timeout)
        return _value(answer)

    async def call_in(self, key: WorldKey, function: str, *args: Any) -> Any:
        """Like `call_here`, but in the document of a key of our world, whatever the frame shows now.

        Raises:
            DocumentGone: it navigated away first.
        """
        params = _call_params(function, args)
        return _value(await self.ask("Runtime.callFunctionOn", uniqueContextId=key.id, **params))

    async def _call_function(
        self, function: str, args: tuple[Any, ...], hang_timeout: float | None
    ) -> Params:
        params = {"executionContextId": await self.world(), **_call_params(function, args)}
        return await self.ask("Runtime.callFunctionOn", hang_timeout=hang_timeout, **params)

    def start(self, function: str, *args: Any) -> "asyncio.Future[Params] | None":
        """Send a call to the current document without waiting: the next call shares its round trip.

        Returns what `finish` awaits, or None if our world is not known yet.
        """
        self.tab.require_responsive(self.session)
        if (context := self.known_world()) is None:
            return None
        params = {"executionContextId": context, **_call_params(function, args)}
        answer = self.session.start("Runtime.callFunctionOn", **params)
        answer.add_done_callback(ignore_failure)
        return answer

    async def finish(self, answer: "asyncio.Future[Params]") -> Any:
        """Return the result of a call that was started.

        Raises:
            DocumentGone: the document navigated away first.
            Internal: our scripts are incomplete, or failed.
        """
        return _value(await self.wait_for(answer))

    async def wait_for(self, answer: "asyncio.Future[Params]") -> Params:
        """Wait for the answer to a call that the page's thread must answer, watched by the watchdog.

        Raises:
            DocumentGone: the document navigated away first.
        """
        try:
            with self.tab.watchdog.watch(self.session):
                return await answer
        except CdpError as error:
            _require_document(error)
            raise

    async def ask(self, method: str, *, hang_timeout: float | None = None, **params: Any) -> Params:
        """Send a call that the page's thread must answer, watched by the watchdog.

        Raises:
            DocumentGone: the document navigated away first.
        """
        self.tab.require_responsive(self.session)
        watchdog = self.tab.watchdog
        # A longer time is for the work; the page must still receive the call as soon as any other.
        reached = watchdog.watch_until_reached(self.session) if hang_timeout else nullcontext()
        try:
            with reached, watchdog.watch(self.session, hang_timeout):
                return await self.session.start(method, **params)
        except CdpError as error:
            _require_document(error)
            raise

    async def ask_to_run(self, method: str, **params: Any) -> Params:
        """Like `ask`, for a caller's script: once it runs, it may block the page as long as it likes."""
        self.tab.require_responsive(self.session)
        try:
            with self.tab.watchdog.watch_until_reached(self.session):
                return await self.session.start(method, **params)
        except CdpError as error:
            _require_document(error)
            raise

    async def world(self) -> int:
        """Return the execution context of our world in the current document, created if necessary."""
        while (context := self.known_world()) is None:
            answer = await self.ask("Page.createIsolatedWorld", frameId=self.id, worldName=WORLD)
            self.contexts[WORLD] = int(answer["executionContextId"])
        return context

    def known_world(self) -> int | None:
        """Like `world`, but None if it does not exist yet.

        Our scripts are sent just before the first call, so that unused documents do not pay for them.
        """
        context = self.contexts.get(WORLD)
        if context is not None and context != self._prepared:
            self._prepared = context
            self.session.post("Runtime.evaluate", expression=world_source(), contextId=context)
        return context

    def on_new_world(self) -> None:
        """Note that our world is new and has no scripts; another process may have used the same id before."""
        self._prepared = None
        self._walked = None

    @property
    def walked(self) -> bool:
        """Whether a snapshot of the whole current document was taken, as far as we know."""
        return self._walked is not None and self._walked == self.contexts.get(WORLD)

    def mark_walked(self) -> None:
        """Note that a snapshot of the whole document was taken."""
        self._walked = self.contexts.get(WORLD)

    async def owner(self) -> Handle:
        """Return the element that contains this frame, as an object of the parent frame's world."""
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


def _call_params(function: str, args: tuple[Any, ...]) -> Params:
    return {
        "functionDeclaration": CALL,
        "arguments": [{"value": function}, *map(_argument, args)],
        "returnByValue": True,
        "awaitPromise": True,
    }


def _value(answer: Params) -> Any:
    if "exceptionDetails" in answer:
        raise Internal(f"Our script failed in the page: {describe_exception(answer['exceptionDetails'])}.")
    return answer["result"].get("value")


def ignore_failure(answer: "asyncio.Future[Params]") -> None:
    """Retrieve the exception, so that asyncio does not log it when nothing awaits the answer."""
    if not answer.cancelled():
        answer.exception()


def _require_document(error: CdpError) -> None:
    if any(text in error.message for text in _GONE_MESSAGES):
        raise DocumentGone from error


def _argument(value: Any) -> Params:
    return {"objectId": value.object_id} if isinstance(value, Handle) else {"value": value}


def _is_unfinished(answer: Params) -> bool:
    """Whether our scripts are incomplete: the page was stopped while it ran them."""
    return (
        "exceptionDetails" in answer
        and answer["exceptionDetails"]["exception"].get("value", ...) == UNFINISHED
    )


def describe_exception(details: Params) -> str:
    """Return what a script threw, in one line."""
    exception = details.get("exception", {})
    if "description" in exception:
        return str(exception["description"]).partition("\n")[0]
    if "value" in exception:
        return json.dumps(exception["value"])
    return str(details.get("text", "unknown error"))
