"""Roles and states that custom elements have through ElementInternals, which only Chrome's own tree shows.

To ask about an element takes about 0.2 ms. One without a role is asked about once, the others each time.
"""

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio

from tabwright.browser.ownership import Ownership
from tabwright.browser.page.frame import DocumentGone, Frame
from tabwright.browser.page.isolated_world import CALL
from tabwright.cdp import CdpError, Params

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

# Roles that say no more than our own rules.
_PLAIN = frozenset({"generic", "none", "presentation", "Unknown", ""})
_STATES = frozenset({"checked", "selected", "expanded", "pressed", "disabled"})

# Seconds for Chrome to build its tree; without it, the page is shown by our own rules.
_TIMEOUT = 2.0

# Index in our world, role, states.
Entry = tuple[int, str, dict[str, str]]


@dataclass(slots=True)
class _Document:
    """One document: our world in it, how many elements were asked about, and those with a role, by index."""

    world: int
    asked: int = 0
    elements: dict[int, str] = field(default_factory=dict)


class ElementInternals:
    """The internals of the custom elements in a tab's documents."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._documents: dict[str, _Document] = {}

    def are_used(self, frame: Frame) -> bool:
        """Whether a custom element of the frame has a role by its internals, as far as we know."""
        document = self._documents.get(frame.id)
        return document is not None and bool(document.elements) and document.world == frame.known_world()

    async def refresh(self, frame: Frame) -> None:
        """Read the states of the elements that are known to have a role."""
        if not self.are_used(frame):
            return
        try:
            await self._register(frame, self._documents[frame.id].elements)
        except (CdpError, DocumentGone):
            return  # the walk will notice

    async def update(self, frame: Frame) -> bool:
        """Ask about the elements that the last walk met; return whether it would show them differently."""
        if self._tab.context.browser.ownership is Ownership.EXTENSION:
            return False  # the extension does not pass these commands on
        try:
            world = await frame.world()
            document = self._documents.get(frame.id)
            if document is None or document.world != world:
                self._documents = {
                    each: one for each, one in self._documents.items() if self._tab.frames.get(each)
                }
                document = self._documents[frame.id] = _Document(world)
            handles = await _take_elements(frame, world)
            new = dict(enumerate(handles, document.asked))
            document.asked += len(handles)
            entries = await self._register(frame, new)
        except (CdpError, DocumentGone):
            return False
        document.elements |= {index: new[index] for index, _, _ in entries}
        return bool(entries)

    async def _register(self, frame: Frame, elements: dict[int, str]) -> list[Entry]:
        """Give our world what Chrome says about elements; return the entries of those with a role."""
        frame.tab.require_responsive(frame.session)
        # Enabled for a moment: otherwise Chrome builds its tree anew for each call. Calls that still wait for
        # the tree when it is disabled are never answered.
        frame.session.post("Accessibility.enable")
        answers: list[Params | BaseException] = []
        try:
            with anyio.move_on_after(_TIMEOUT):
                calls = (_ask(frame, handle) for handle in elements.values())
                answers = await asyncio.gather(*calls, return_exceptions=True)
        finally:
            frame.session.post("Accessibility.disable")
        entries = [
            entry
            for index, answer in zip(elements, answers, strict=False)
            if not isinstance(answer, BaseException) and (entry := _entry(index, answer)) is not None
        ]
        if entries:
            await frame.call_here("registerInternals", entries)
        return entries


def _ask(frame: Frame, handle: str) -> "asyncio.Future[Params]":
    return frame.session.start("Accessibility.getPartialAXTree", objectId=handle, fetchRelatives=False)


async def _take_elements(frame: Frame, world: int) -> list[str]:
    """Return handles of the custom elements that the last walk met."""
    answer = await frame.ask(
        "Runtime.callFunctionOn",
        functionDeclaration=CALL,
        executionContextId=world,
        arguments=[{"value": "takeCustomElements"}],
    )
    listed = await frame.ask(
        "Runtime.getProperties", objectId=answer["result"]["objectId"], ownProperties=True
    )
    return [
        each["value"]["objectId"]
        for each in listed["result"]
        if each["enumerable"] and "objectId" in each.get("value", {})
    ]


def _entry(index: int, answer: Params) -> Entry | None:
    node = answer["nodes"][0]
    role = str(node.get("role", {}).get("value", ""))
    if node["ignored"] or role in _PLAIN:
        return None
    properties: list[dict[str, Any]] = node.get("properties", [])
    states = {
        each["name"]: str(each["value"].get("value", "")).lower()
        for each in properties
        if each["name"] in _STATES
    }
    return index, role, states
