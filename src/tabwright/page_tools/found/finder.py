"""Finds the tools of a page by inspecting its frames; sites need not declare anything."""

from collections.abc import Iterator, Sequence
from itertools import islice

from tabwright.browser.page.frame import Frame
from tabwright.browser.page.isolated_world import WORLD
from tabwright.browser.tab import Tab
from tabwright.cdp import CdpSession, Params
from tabwright.page_tools.found.builder import ToolBuilder
from tabwright.page_tools.found.control_tools import (
    button_tools,
    choice_tool,
    list_tools,
    table_tools,
)
from tabwright.page_tools.found.facts import FrameFacts
from tabwright.page_tools.found.form_tools import group_tool, has_search, single_field_tool, site_search_tool
from tabwright.page_tools.found.frame_query import is_shown, preload_scripts, read_facts
from tabwright.page_tools.found.page_links import pagination_tools
from tabwright.page_tools.tool import PageTool

_MAX_FRAMES = 30


class ToolFinder:
    """Finds the tools of a tab's page."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        tab.include(self)

    def attach(self, session: CdpSession) -> None:
        """Load our scripts into the documents of a session, now and in the future."""
        session.on("Runtime.executionContextCreated", self._on_context_created)
        for frame in self._frames():
            if frame.session is session:
                preload_scripts(frame)

    def _on_context_created(self, event: Params) -> None:
        context = event["context"]
        frame = self._tab.frames.get(context.get("auxData", {}).get("frameId", ""))
        if frame is not None and context["name"] == WORLD and frame in self._frames():
            preload_scripts(frame)

    def _frames(self) -> Sequence[Frame]:
        return list(islice(self._tab.frames, _MAX_FRAMES))

    async def tools(self) -> Sequence[PageTool]:
        """Inspect every visible frame and return its tools."""
        found: list[PageTool] = []
        for frame in self._frames():
            facts = await read_facts(frame)
            tools = list(build_tools(frame, facts)) if facts is not None else []
            if tools and (frame.parent is None or await is_shown(frame)):
                found += tools
        return found


def build_tools(frame: Frame, facts: FrameFacts) -> Iterator[PageTool]:
    """Build the tools of one frame."""
    builder = ToolBuilder(frame)
    seen: set[object] = set()
    for group in facts.groups:
        if not group.consent:
            # The same form at the top and at the bottom of a page.
            purpose = (group.action, *((field.kind, field.name) for field in group.fields))
            yield group_tool(builder, group, minor=bool(group.action) and purpose in seen)
            seen.add(purpose)
    for single in facts.single_fields:
        if not single.consent:
            yield single_field_tool(builder, single)
    yield from button_tools(builder, facts.buttons, searchable=has_search(facts.groups))
    yield from list_tools(builder, facts.lists)
    yield from table_tools(builder, facts.tables)
    yield from pagination_tools(builder, facts.pagination)
    for choices in facts.choice_sets:
        yield choice_tool(builder, choices)
    declares_search = facts.search_template or facts.open_search
    if declares_search and frame.parent is None and not has_search(facts.groups):
        yield site_search_tool(builder, facts)
