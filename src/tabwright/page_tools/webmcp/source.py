"""The source "site": tools that a page declares itself, by attributes of its forms or by script.

Where the browser has a WebMCP domain, Chrome reports them in every session of the tab; elsewhere pages get
our own `document.modelContext`. Enabled for a tab when its tools are first listed.
"""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import anyio

from tabwright.browser.page.frame import MAIN_WORLD, DocumentGone, Frame, Handle
from tabwright.browser.tab import Tab
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import TabwrightError
from tabwright.page_tools.found.words import site_name
from tabwright.page_tools.tool import Outcome, PageTool
from tabwright.page_tools.webmcp import polyfill
from tabwright.page_tools.webmcp.invoke import TIMEOUT, Invocations
from tabwright.page_tools.webmcp.schema import DeclaredTool, parse_declared

log = logging.getLogger(__name__)

# Above every tool that `ToolFinder` finds, even in a dialog in front of the page.
RANK = 140.0
_MAX_TOOLS = 100
# Chrome reports a form again for every field that the parser reaches.
_SETTLE_TIME = 0.15
_MAX_SETTLE_TIME = 1.5
_ENABLE_TIMEOUT = 2.0

# Session, frame and name: frames of a page may give the same name to different tools.
_Key = tuple[str, str, str]


class SiteTools:
    """The tools that the pages of one tab declare. `revision` increases whenever they may have changed."""

    def __init__(self, tab: Tab, *, timeout: float = TIMEOUT) -> None:
        self._tab = tab
        self._timeout = timeout
        self.revision = 0
        self._declared: dict[_Key, DeclaredTool] = {}
        self._form_numbers: dict[tuple[str, int], int] = {}
        self._native_support: dict[str, tuple[str, bool]] = {}
        self._forms: dict[tuple[str, int], DeclaredTool] = {}
        self._enabled: dict[CdpSession, asyncio.Future[Params] | None] = {}
        self._changed_at = 0.0
        self._invocations = Invocations(tab, timeout)
        tab.include(self)

    def attach(self, session: CdpSession) -> None:
        """Follow the declarations in the documents of a session."""
        session.on("WebMCP.toolsAdded", lambda event: self._on_tools_added(session, event["tools"]))
        session.on("WebMCP.toolsRemoved", lambda event: self._on_tools_removed(session, event["tools"]))
        session.on("WebMCP.toolResponded", self._invocations.on_tool_responded)
        session.on(
            "Page.frameNavigated", lambda event: self._on_frame_navigated(session, event["frame"]["id"])
        )
        session.on("Runtime.bindingCalled", self._on_binding_called)
        polyfill.install(session)
        self._enable(session)

    def _enable(self, session: CdpSession) -> None:
        """Enable WebMCP in a session; Chrome reports the tools declared so far before it answers."""
        # A crashed page does not answer; the next document would, without reporting its tools.
        self._enabled[session] = None if self._tab.crashed else session.start("WebMCP.enable")

    async def tools(self) -> list[PageTool]:
        """Return the tools that the page declares, once it has stopped adding to them."""
        await self._wait_until_settled()
        found: list[PageTool] = []
        self._forms.clear()
        for frame in tuple(self._tab.frames):
            found += [
                self._page_tool(frame, tool, await self._form_number(frame, tool))
                for tool in self._declared_by(frame)
            ]
            if not await self._has_native(frame):
                found += [self._page_tool(frame, tool) for tool in await polyfill.list_offered(frame)]
                self._forms |= await polyfill.list_forms(frame)
        return found

    def apply_declared_names(self, tools: Iterable[PageTool]) -> list[PageTool]:
        """Give found tools the names that their forms declare, in browsers without WebMCP."""
        return [
            replace(tool, name=site_name(form.name), description=form.description, source="site", rank=RANK)
            if (form := self._forms.get((tool.frame, tool.element)))
            else tool
            for tool in tools
        ]

    def _declared_by(self, frame: Frame) -> Iterator[DeclaredTool]:
        for (session, frame_id, _), tool in tuple(self._declared.items()):
            if session == frame.session.id and frame_id == frame.id:
                yield tool

    def _page_tool(self, frame: Frame, tool: DeclaredTool, element: int | None = None) -> PageTool:
        return PageTool(
            name=site_name(tool.name),
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
        self, frame: Frame, tool: DeclaredTool, element: int | None, arguments: Mapping[str, Any]
    ) -> Outcome:
        self._tab.require_responsive(frame.session)
        permissions = self._tab.call_permissions
        key = permissions.origin_guard.require_world(frame, MAIN_WORLD)
        # Chrome's own command names a frame, which may show another document by then.
        if element is None or permissions.secrets:
            return await polyfill.run(frame, tool, dict(arguments), self._timeout, key)
        return await self._invocations.run(frame, tool, element, dict(arguments))

    async def _wait_until_settled(self) -> None:
        """Wait until all sessions are enabled and none has reported anything new for a moment."""
        self._tab.require_responsive()
        self._enabled = {session: call for session, call in self._enabled.items() if session.lost is None}
        for session in tuple(self._enabled):
            await self._wait_until_enabled(session)
        with anyio.move_on_after(_MAX_SETTLE_TIME):
            while (left := self._changed_at + _SETTLE_TIME - anyio.current_time()) > 0:  # noqa: ASYNC110 - silence has no event
                await anyio.sleep(left)

    async def _wait_until_enabled(self, session: CdpSession) -> None:
        """Wait until a session has reported the tools declared so far."""
        if (enabling := self._enabled[session]) is None:
            return
        try:
            with anyio.move_on_after(_ENABLE_TIMEOUT):
                await asyncio.shield(enabling)  # others wait for it too
        except (CdpError, TabwrightError):
            self._tab.require_responsive()
            log.debug("no WebMCP in %r", session)  # or its frame is gone

    async def _has_native(self, frame: Frame) -> bool:
        """Whether the browser has WebMCP for a frame's document, checked where the page cannot fake it."""
        document, native = self._native_support.get(frame.id, ("", False))
        if document == frame.loader_id:
            return native
        try:
            answer = await frame.ask(
                "Runtime.evaluate",
                expression='"modelContext" in Document.prototype',
                contextId=await frame.world(),
            )
        except (CdpError, DocumentGone, TabwrightError):
            self._tab.require_responsive()
            return True
        native = bool(answer["result"].get("value"))
        self._native_support[frame.id] = (frame.loader_id, native)
        return native

    async def _form_number(self, frame: Frame, tool: DeclaredTool) -> int:
        """Return the ref number of a tool's form, 0 if it has none."""
        place = (frame.session.id, tool.node)
        if tool.is_form and place not in self._form_numbers:
            try:
                self._form_numbers[place] = await self._number(frame, tool.node)
            except (CdpError, DocumentGone, TabwrightError):
                self._tab.require_responsive()
        return self._form_numbers.get(place, 0)

    async def _number(self, frame: Frame, node: int) -> int:
        resolved = await frame.ask(
            "DOM.resolveNode", backendNodeId=node, executionContextId=await frame.world()
        )
        number = int(await self._tab.refs.call(frame, "refOf", Handle(resolved["object"]["objectId"])))
        self._tab.refs.give(frame, number)
        return number

    def _on_tools_added(self, session: CdpSession, tools: list[Params]) -> None:
        for payload in tools[:_MAX_TOOLS]:
            key = (session.id, payload["frameId"], payload["name"])
            if key in self._declared or sum(known[1] == key[1] for known in self._declared) < _MAX_TOOLS:
                self._declared[key] = parse_declared(payload)
        if (enabling := self._enabled[session]) and enabling.done():  # not those declared before enabling
            self._note_change()

    def _on_tools_removed(self, session: CdpSession, tools: list[Params]) -> None:
        for payload in tools:
            self._declared.pop((session.id, payload["frameId"], payload["name"]), None)
        self._note_change()

    def _on_frame_navigated(self, session: CdpSession, frame_id: str) -> None:
        """Forget the tools of a document that is gone; Chrome does not report their removal."""
        if self._enabled.get(session, session) is None:
            self._enable(session)
        gone = [key for key in self._declared if key[1] == frame_id or not self._tab.frames.get(key[1])]
        for key in gone:
            del self._declared[key]
        self._form_numbers.clear()
        if gone:
            self._note_change()

    def _on_binding_called(self, event: Params) -> None:
        if event["name"] == polyfill.BINDING:
            self._note_change()

    def _note_change(self) -> None:
        self._changed_at = anyio.current_time()
        self.revision += 1
        self._tab.changed.fire()
