"""Tools that a page declares itself, by attributes of its forms or by script: the source "site".

Chrome's WebMCP domain tells of them where the browser has it, in every session of the tab; where it has not,
pages find a `document.modelContext` of ours. Switched on for a tab when its tools are first asked for.
"""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import anyio

from tabwright.browser.page.frame import DocumentGone, Frame, Handle
from tabwright.browser.tab import Tab
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import TabwrightError
from tabwright.page_tools.found.words import slug
from tabwright.page_tools.tool import Outcome, PageTool
from tabwright.page_tools.webmcp import polyfill
from tabwright.page_tools.webmcp.invoke import PATIENCE, Invocations
from tabwright.page_tools.webmcp.schema import Declared, declared

log = logging.getLogger(__name__)

# Above all that we find by looking, a dialog in front of the page included.
RANK = 140.0
_MOST_TOOLS = 100
# A form is told of again with every field that the parser comes to.
_REST = 0.15
_MOST_REST = 1.5
_ENABLING = 2.0

# Session, frame and name: frames of a page may give the same name to different tools.
_Key = tuple[str, str, str]


class SiteTools:
    """The tools that the pages of one tab declare. `mark` is another whenever they may be others."""

    def __init__(self, tab: Tab, *, patience: float = PATIENCE) -> None:
        self._tab = tab
        self._patience = patience
        self.mark = 0
        self._declared: dict[_Key, Declared] = {}
        self._elements: dict[tuple[str, int], int] = {}
        self._native: dict[str, tuple[str, bool]] = {}
        self._forms: dict[tuple[str, int], Declared] = {}
        self._enabled: dict[CdpSession, asyncio.Future[Params] | None] = {}
        self._stirred = 0.0
        self._running = Invocations(tab, patience)
        tab.include(self)

    def attach(self, session: CdpSession) -> None:
        """Follow what the documents of a session declare."""
        session.on("WebMCP.toolsAdded", lambda event: self._added(session, event["tools"]))
        session.on("WebMCP.toolsRemoved", lambda event: self._removed(session, event["tools"]))
        session.on("WebMCP.toolResponded", self._running.answered)
        session.on("Page.frameNavigated", lambda event: self._left(session, event["frame"]["id"]))
        session.on("Runtime.bindingCalled", self._bound)
        polyfill.install(session)
        self._enable(session)

    def _enable(self, session: CdpSession) -> None:
        """Have a session told of; Chrome tells of all that is declared already before it answers."""
        # Asked of a page that crashed, it would be answered by the next one, which then tells nothing.
        self._enabled[session] = None if self._tab.crashed else session.start("WebMCP.enable")

    async def tools(self) -> list[PageTool]:
        """Return what the page declares now, once it is done declaring."""
        await self._at_rest()
        found: list[PageTool] = []
        self._forms.clear()
        for frame in tuple(self._tab.frames):
            found += [
                self._offered(frame, tool, await self._element(frame, tool)) for tool in self._of(frame)
            ]
            if not await self._has_native(frame):
                found += [self._offered(frame, tool) for tool in await polyfill.offered(frame)]
                self._forms |= await polyfill.forms(frame)
        return found

    def christened(self, tools: Iterable[PageTool]) -> list[PageTool]:
        """Give tools that were found by looking the names that their forms declare, where Chrome does not."""
        return [
            replace(tool, name=_name(told.name), description=told.description, source="site", rank=RANK)
            if (told := self._forms.get((tool.frame, tool.element)))
            else tool
            for tool in tools
        ]

    def _of(self, frame: Frame) -> Iterator[Declared]:
        for (session, frame_id, _), tool in tuple(self._declared.items()):
            if session == frame.session.id and frame_id == frame.id:
                yield tool

    def _offered(self, frame: Frame, tool: Declared, element: int | None = None) -> PageTool:
        return PageTool(
            name=_name(tool.name),
            description=tool.description,
            schema=tool.schema,
            source="site",
            frame=frame.id,
            element=element or 0,
            rank=RANK,
            read_only=tool.read_only,
            run=partial(self._run, frame, tool, element),
        )

    async def _run(
        self, frame: Frame, tool: Declared, element: int | None, arguments: Mapping[str, Any]
    ) -> Outcome:
        self._tab.require_answering(frame.session)
        self._tab.pin.require(frame)
        if element is None:
            return await polyfill.run(frame, tool, dict(arguments), self._patience)
        return await self._running.run(frame, tool, element, dict(arguments))

    async def _at_rest(self) -> None:
        """Wait until all sessions have told, and none has told anything new for a moment."""
        self._tab.require_answering()
        self._enabled = {session: asked for session, asked in self._enabled.items() if session.lost is None}
        for session in tuple(self._enabled):
            await self._told(session)
        with anyio.move_on_after(_MOST_REST):
            while (left := self._stirred + _REST - anyio.current_time()) > 0:  # noqa: ASYNC110 - nothing tells of silence
                await anyio.sleep(left)

    async def _told(self, session: CdpSession) -> None:
        """Wait until a session has told what was declared when we began to listen."""
        if (enabling := self._enabled[session]) is None:
            return
        try:
            with anyio.move_on_after(_ENABLING):
                await asyncio.shield(enabling)  # others wait for it too
        except (CdpError, TabwrightError):
            self._tab.require_answering()
            log.debug("%r tells of no tools", session)  # its frame is gone, or it has no WebMCP

    async def _has_native(self, frame: Frame) -> bool:
        """Whether the browser has WebMCP for a frame's document; our own world sees no page's pretence."""
        document, native = self._native.get(frame.id, ("", False))
        if document == frame.loader_id:
            return native
        try:
            answer = await frame.ask(
                "Runtime.evaluate",
                expression='"modelContext" in Document.prototype',
                contextId=await frame.world(),
            )
        except (CdpError, DocumentGone, TabwrightError):
            self._tab.require_answering()
            return True
        native = bool(answer["result"].get("value"))
        self._native[frame.id] = (frame.loader_id, native)
        return native

    async def _element(self, frame: Frame, tool: Declared) -> int:
        """Return the number of the form that a tool is, 0 for a tool that is none."""
        place = (frame.session.id, tool.node)
        if tool.is_form and place not in self._elements:
            try:
                self._elements[place] = await self._numbered(frame, tool.node)
            except (CdpError, DocumentGone, TabwrightError):
                self._tab.require_answering()
        return self._elements.get(place, 0)

    async def _numbered(self, frame: Frame, node: int) -> int:
        resolved = await frame.ask(
            "DOM.resolveNode", backendNodeId=node, executionContextId=await frame.world()
        )
        number = int(await self._tab.refs.call(frame, "refOf", Handle(resolved["object"]["objectId"])))
        self._tab.refs.give(frame, number)
        return number

    def _added(self, session: CdpSession, tools: list[Params]) -> None:
        for told in tools[:_MOST_TOOLS]:
            key = (session.id, told["frameId"], told["name"])
            if key in self._declared or sum(known[1] == key[1] for known in self._declared) < _MOST_TOOLS:
                self._declared[key] = declared(told)
        if (enabling := self._enabled[session]) and enabling.done():  # not what was there before we listened
            self._stir()

    def _removed(self, session: CdpSession, tools: list[Params]) -> None:
        for told in tools:
            self._declared.pop((session.id, told["frameId"], told["name"]), None)
        self._stir()

    def _left(self, session: CdpSession, frame_id: str) -> None:
        """Forget what a document declared that is gone: Chrome does not say so."""
        if self._enabled.get(session, session) is None:
            self._enable(session)
        gone = [key for key in self._declared if key[1] == frame_id or not self._tab.frames.get(key[1])]
        for key in gone:
            del self._declared[key]
        self._elements.clear()
        if gone:
            self._stir()

    def _bound(self, event: Params) -> None:
        if event["name"] == polyfill.BINDING:
            self._stir()

    def _stir(self) -> None:
        self._stirred = anyio.current_time()
        self.mark += 1
        self._tab.changed.fire()


def _name(name: str) -> str:
    """Return a site's name of a tool as ours are written."""
    plain = slug(name, identifier=True)
    return plain if plain[:1].isalpha() else f"site_{plain}".rstrip("_")
