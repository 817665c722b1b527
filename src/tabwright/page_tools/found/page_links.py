"""Tools that go to other pages of a list or a document, and to the sections of this page."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from tabwright.errors import NotFound
from tabwright.page_tools.found.builder import Run, ToolBuilder, describe, index_schema, without_arguments
from tabwright.page_tools.found.facts import ItemList, Option, Pagination
from tabwright.page_tools.found.naming import join_name
from tabwright.page_tools.found.parameters import object_schema
from tabwright.page_tools.found.words import slug
from tabwright.page_tools.run import tool_runs
from tabwright.page_tools.tool import Outcome, PageTool, press_always

# Tables of contents by purpose: the name of the tool, and what it says.
CONTENTS: Final = {
    "contents": ("go_to_section", "Go to one of {} sections of this page; 0 is the first."),
    "headings": ("go_to_section", "Scroll to one of {} headings of this page; 0 is the first."),
    "chapters": ("open_chapter", "Open one of {} parts of this document; 0 is the first."),
}


def pagination_tools(builder: ToolBuilder, pagination: Pagination) -> Iterator[PageTool]:
    """Return the tools that go to another page of a list or a document."""
    ways = (
        ("next_page", pagination.next, pagination.next_address, "Go to the next page."),
        ("previous_page", pagination.previous, pagination.previous_address, "Go to the previous page."),
    )
    for name, number, address, text in ways:
        if run := _page_run(builder, name, number, address):
            presses = press_always(number)
            yield builder.tool(name, "pages", pagination, description=text, run=run, presses=presses)
    if len(pagination.pages) >= 2:
        yield _numbered_page_tool(builder, pagination)
    for place in pagination.places:
        yield _place_tool(builder, pagination, place)


def _page_run(builder: ToolBuilder, name: str, number: int, address: str) -> Run | None:
    """Return what presses a link, or else goes to the address that the page declares, if there is one."""
    if number:
        label = name.replace("_", " ")
        return without_arguments(partial(tool_runs.press, builder.filler, name, number, label))
    if address and builder.frame.parent is None:
        return without_arguments(partial(tool_runs.go_to_declared, builder.filler, address))
    return None


def _place_tool(builder: ToolBuilder, pagination: Pagination, place: Option) -> PageTool:
    noun = slug(place.label)
    name = "go_up" if noun == "up" else join_name("open", noun or "contents")
    run = without_arguments(partial(tool_runs.press, builder.filler, name, place.ref, place.label))
    text = "Go to another part of the document."
    presses = press_always(place.ref)
    return builder.tool(name, "places", pagination, description=text, run=run, presses=presses)


def contents_tool(builder: ToolBuilder, contents: ItemList) -> PageTool:
    """Return the tool that follows a link of a table of contents, or scrolls to a heading."""
    refs = contents.openers or ()
    name, text = CONTENTS[contents.purpose]

    async def run(arguments: Mapping[str, Any]) -> Outcome:
        index = int(arguments["index"])
        if contents.purpose == "headings":
            return await tool_runs.show_item(builder.filler, refs, index)
        return await tool_runs.press_item(builder.filler, name, refs, index, "")

    return builder.tool(
        name,
        "chapters" if contents.purpose == "chapters" else "contents",
        contents,
        description=describe(text.format(len(refs)), ", ".join(contents.first) + ", …"),
        schema=object_schema(index_schema(len(refs)), ["index"]),
        run=run,
        presses=lambda arguments: (refs[int(arguments["index"])],),
        read_only=contents.purpose == "headings",
    )


def _numbered_page_tool(builder: ToolBuilder, pagination: Pagination) -> PageTool:
    refs = dict(reversed(pagination.pages))

    async def run(arguments: Mapping[str, Any]) -> Outcome:
        page = int(arguments["page"])
        if page not in refs:
            known = ", ".join(map(str, sorted(refs)))
            raise NotFound(f"There is no link to page {page} here.", hint=f"Linked pages: {known}.")
        return await tool_runs.press(builder.filler, "go_to_page", refs[page], f"page {page}")

    schema = object_schema({"page": {"type": "integer", "minimum": 1}}, ["page"])
    text = "Go to a page by its number."
    return builder.tool(
        "go_to_page",
        "pages",
        pagination,
        description=text,
        schema=schema,
        run=run,
        presses=lambda arguments: (refs.get(int(arguments["page"]), 0),),
    )
