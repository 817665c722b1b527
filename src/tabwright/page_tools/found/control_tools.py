"""Tools that press something (buttons, items of lists, pages, tabs, menus, trees) or read a table."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from tabwright.errors import NotFound
from tabwright.page_tools.found.builder import ToolBuilder, describe, index_schema, without_arguments
from tabwright.page_tools.found.facts import Button, ChoiceSet, ItemList, Pagination, Position, Table
from tabwright.page_tools.found.form_tools import item_form_tool
from tabwright.page_tools.found.naming import join_name, name_button, name_choice_set, name_item_list
from tabwright.page_tools.found.parameters import object_schema
from tabwright.page_tools.found.words import first_words, slug
from tabwright.page_tools.run import tool_runs
from tabwright.page_tools.tool import Outcome, PageTool, Schema
from tabwright.text import format_count

# So many buttons of the same name become one tool with an index.
_MIN_REPEATED = 3
_MAX_CONSENT_BUTTONS = 4
_CHOICE_DESCRIPTIONS: Final = {
    "tabs": "Show a tab.",
    "menu": "Choose from a menu.",
    "tree": "Open a tree item.",
    "buttons": "Press one of many buttons.",
}


def button_tools(builder: ToolBuilder, buttons: Sequence[Button]) -> Iterator[PageTool]:
    """Return a tool for each button; several buttons of the same name become one tool."""
    consent = [button for button in buttons if button.consent]
    offered = [button for button in buttons if not button.consent] + consent[:_MAX_CONSENT_BUTTONS]
    counts = Counter(slug(button.label) for button in offered)
    done: set[str] = set()
    for button in offered:
        key, name = slug(button.label), name_button(button.label)
        if counts[key] < _MIN_REPEATED:
            yield _button_tool(builder, name, button)
        elif key not in done:
            done.add(key)
            refs = [other.ref for other in offered if slug(other.label) == key]
            verb = "Press this button of"
            yield _indexed_tool(builder, name, "item", button, verb=verb, label=button.label, refs=refs)


def _button_tool(builder: ToolBuilder, name: str, button: Button) -> PageTool:
    text = "Press a button." if button.pressed is None else "Press a toggle button."
    run = without_arguments(partial(tool_runs.press, builder.filler, name, button.ref, button.label))
    return builder.tool(
        name, "button", button, description=describe(text, button.label), run=run, element=button.ref
    )


def _indexed_tool(
    builder: ToolBuilder,
    name: str,
    kind: str,
    position: Position,
    *,
    verb: str,
    label: str,
    refs: Sequence[int],
) -> PageTool:
    """Return a tool that presses the same thing in one of several items."""

    async def run(arguments: Mapping[str, Any]) -> Outcome:
        return await tool_runs.press_item(builder.filler, name, refs, int(arguments["index"]), label)

    text = f"{verb} one of {len(refs)} items; 1 is the first."
    schema = object_schema(index_schema(len(refs)), ["index"])
    return builder.tool(name, kind, position, description=describe(text, label), schema=schema, run=run)


def list_tools(builder: ToolBuilder, items: ItemList) -> Iterator[PageTool]:
    """Return the tools that open, select or act on one item of a list."""
    if items.openers is not None:
        name = name_item_list(items, "open")
        yield _indexed_tool(builder, name, "open", items, verb="Open", label=items.title, refs=items.openers)
    if items.checkboxes is not None:
        yield _select_tool(builder, items, items.checkboxes)
    for button in items.buttons:
        name, verb = name_button(button.label), "Press this button of"
        yield _indexed_tool(builder, name, "item", items, verb=verb, label=button.label, refs=button.refs)
    if items.groups is not None:
        yield item_form_tool(builder, items, items.groups)


def _select_tool(builder: ToolBuilder, items: ItemList, checkboxes: Sequence[int]) -> PageTool:
    async def run(arguments: Mapping[str, Any]) -> Outcome:
        return await tool_runs.check_item(builder.filler, checkboxes, int(arguments["index"]))

    text = f"Select one of {items.count} items; 1 is the first."
    schema = object_schema(index_schema(len(checkboxes)), ["index"])
    description = describe(text, items.title)
    return builder.tool("select_item", "select", items, description=description, schema=schema, run=run)


def table_tool(builder: ToolBuilder, table: Table) -> PageTool:
    """Return the tool that reads a table."""
    return builder.tool(
        join_name("read", slug(first_words(table.title)) or "table"),
        "table",
        table,
        description=describe(f"Read a table of {format_count(table.rows, 'row')}.", table.title),
        run=without_arguments(partial(tool_runs.read_table, builder.filler, table.ref)),
        element=table.ref,
        read_only=True,
    )


def pagination_tools(builder: ToolBuilder, pagination: Pagination) -> Iterator[PageTool]:
    """Return the tools that go to another page of a list."""
    ways = (
        ("next_page", pagination.next, "Go to the next page."),
        ("previous_page", pagination.previous, "Go to the previous page."),
    )
    for name, number, text in ways:
        if number:
            run = partial(tool_runs.press, builder.filler, name, number, name.replace("_", " "))
            yield builder.tool(name, "pages", pagination, description=text, run=without_arguments(run))
    if len(pagination.pages) >= 2:
        yield _numbered_page_tool(builder, pagination)


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
    return builder.tool("go_to_page", "pages", pagination, description=text, schema=schema, run=run)


def choice_tool(builder: ToolBuilder, choices: ChoiceSet) -> PageTool:
    """Return the tool that shows a tab, or presses an item of a menu, a tree or a set of buttons."""
    key = "tab" if choices.kind == "tabs" else "item"
    labels = list(dict.fromkeys(item.label for item in choices.items if item.label))
    choice: Schema = {"type": "string", "enum": labels}
    selected = [item.label for item in choices.items if item.selected]
    if selected and choices.kind == "tabs":
        choice["default"] = selected[0]

    async def run(arguments: Mapping[str, Any]) -> Outcome:
        return await tool_runs.choose(builder.filler, choices, str(arguments[key]))

    return builder.tool(
        name_choice_set(choices),
        choices.kind,
        choices,
        description=describe(_CHOICE_DESCRIPTIONS[choices.kind], choices.title),
        schema=object_schema({key: choice}, [key]),
        run=run,
        element=choices.ref,
    )
