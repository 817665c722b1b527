"""Elements whose clicks a script handles; the markup need not show it. Found ones are given to our world.

One call returns the listeners of a whole document, in about 1 ms for 10,000 elements and 5 ms for 1,000
listeners.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tabwright.browser.page.frame import MAIN_WORLD, DocumentGone, Frame, Handle, ignore_failure
from tabwright.browser.page.isolated_world import script
from tabwright.cdp import CdpError, Params

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# A mouse cannot cause touch events, and an element that reacts to hovering need not react to a click.
_CLICKS = frozenset(
    (
        *("click", "dblclick", "auxclick", "contextmenu", "mousedown", "mouseup"),
        *("pointerdown", "pointerup", "dragstart", "drop"),
    )
)
# The root of a framework listens to everything, for all elements in it.
_MAX_TYPES = 20
# To resolve a node takes about 0.05 ms.
_MAX_NODES = 1_000
_NO_HANDLERS: Params = {"selectors": [], "elements": [], "count": 0}


@dataclass(slots=True)
class _Document:
    """One document: our world in it, its object in Chrome, and the nodes registered in our world."""

    world: int
    object_id: str
    registered: set[int] = field(default_factory=set)
    delegated: list[str] = field(default_factory=list)
    has_shadow: bool = False
    # Whether a framework handles elements without a listener on them.
    handled: bool = False
    # Whether the last answer held nothing new.
    steady: bool = False


Asked = tuple["asyncio.Future[Params]", "asyncio.Future[Params]"]


class ClickListeners:
    """The listeners of a tab's documents."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._documents: dict[str, _Document] = {}

    async def update(self, frame: Frame, asked: "Asked | None" = None, *, has_shadow: bool = False) -> bool:
        """Register the elements of a frame that listen to clicks; return whether that changes a walk.

        `asked` are questions sent before. Shadow roots are searched once a walk has met one.
        """
        try:
            document = await self._document(frame)
            if document is None or (has_shadow and document.has_shadow):
                return False
            document.has_shadow |= has_shadow
            listeners, handlers = await _answers(frame, asked or _ask(frame, document))
            changed = await self._register_handlers(frame, document, handlers)
            document.steady = not await self._register(frame, document, listeners) and not changed
        except (CdpError, DocumentGone):
            return False  # the document is gone, or its nodes are; the walk will notice
        return not document.steady

    async def _register_handlers(self, frame: Frame, document: _Document, handlers: Params) -> bool:
        """Register what frameworks handle; return whether that may change a walk.

        Elements are known by their position, so each walk needs them anew.
        """
        selectors, changed = _texts(handlers["selectors"]), False
        if selectors != document.delegated:
            await frame.call_here("registerDelegated", selectors)
            document.delegated, changed = selectors, True
        if handlers["elements"] or document.handled:
            await frame.call_here("registerHandled", handlers["elements"], handlers["count"])
            document.handled, changed = bool(handlers["elements"]), True
        return changed

    def ask_ahead(self, frame: Frame) -> "Asked | None":
        """Send the questions of `update` without waiting, so that the walk shares their round trip.

        None if the walk should wait for the answers, because they are likely to be new.
        """
        known = self._documents.get(frame.id)
        if known is None or not known.steady or known.world != frame.known_world():
            return None
        return _ask(frame, known) if MAIN_WORLD in frame.contexts else None

    async def _document(self, frame: Frame) -> _Document | None:
        """Return the frame's document. Chrome crashes if it is given the object of an isolated world."""
        if MAIN_WORLD not in frame.contexts:
            return None
        world = await frame.world()
        known = self._documents.get(frame.id)
        if known is None or known.world != world:
            found = await frame.ask(
                "Runtime.evaluate", expression="document", contextId=frame.contexts[MAIN_WORLD]
            )
            self._documents = {
                each: one for each, one in self._documents.items() if self._tab.frames.get(each)
            }
            known = self._documents[frame.id] = _Document(world, found["result"]["objectId"])
        return known

    async def _register(self, frame: Frame, document: _Document, nodes: list[int]) -> bool:
        if document.has_shadow:
            inner = await self._nodes_in_frames(frame)
            nodes = [node for node in nodes if node not in inner]
        current = set(nodes)
        if current == document.registered:
            return False
        added = [node for node in nodes if node not in document.registered]
        found = await asyncio.gather(
            *(
                frame.session.start("DOM.resolveNode", backendNodeId=node, executionContextId=document.world)
                for node in added
            ),
            return_exceptions=True,
        )
        handles = {
            node: Handle(each["object"]["objectId"])
            for node, each in zip(added, found, strict=True)
            if not isinstance(each, BaseException)
        }
        concerned = await frame.call_here("registerListeners", nodes, list(handles), *handles.values())
        document.registered = current
        return bool(concerned)

    async def _nodes_in_frames(self, frame: Frame) -> set[int]:
        """Return the nodes of the frames in a frame, which Chrome finds together with shadow roots.

        They must not be resolved in the world of another frame: they would be no elements in their own.
        """
        nodes: set[int] = set()
        for child in tuple(frame.children):
            if child.session is frame.session and (document := await self._document(child)):
                answer = await frame.ask(
                    "DOMDebugger.getEventListeners", objectId=document.object_id, depth=-1, pierce=True
                )
                nodes.update(_clickable_nodes(answer["listeners"]))
        return nodes


def _ask(frame: Frame, document: _Document) -> Asked:
    """Ask for the listeners, and for what frameworks handle without one; see delegated_handlers.js."""
    frame.tab.require_responsive(frame.session)
    asked = (
        frame.session.start(
            "DOMDebugger.getEventListeners",
            objectId=document.object_id,
            depth=-1,
            pierce=document.has_shadow,
        ),
        frame.session.start(
            "Runtime.evaluate",
            expression=script("standalone/delegated_handlers.js"),
            contextId=frame.contexts[MAIN_WORLD],
            returnByValue=True,
            throwOnSideEffect=True,
        ),
    )
    for answer in asked:
        answer.add_done_callback(ignore_failure)
    return asked


async def _answers(frame: Frame, asked: Asked) -> tuple[list[int], Params]:
    listeners, delegated = asked
    nodes = _clickable_nodes((await frame.wait_for(listeners))["listeners"])
    found = (await frame.wait_for(delegated))["result"].get("value")
    return nodes, found if isinstance(found, dict) and _NO_HANDLERS.keys() == found.keys() else _NO_HANDLERS


def _texts(found: object) -> list[str]:
    """Return the texts of a list that a page may have made up."""
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def _clickable_nodes(listeners: Iterable[Params]) -> list[int]:
    """Return the nodes that listen to clicks, in document order."""
    types: dict[int, set[str]] = defaultdict(set)
    for listener in listeners:
        if "backendNodeId" in listener:
            types[listener["backendNodeId"]].add(listener["type"])
    nodes = [node for node, names in types.items() if names & _CLICKS and len(names) <= _MAX_TYPES]
    return nodes[:_MAX_NODES]
