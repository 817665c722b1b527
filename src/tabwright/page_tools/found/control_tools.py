"""Tools that press something (buttons, items of lists, tabs, menus, trees) or read a table."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from tabwright.page_tools.found.builder import ToolBuilder, describe, index_schema, without_arguments
from tabwright.page_tools.found.facts import Button, ChoiceSet, ItemList, Position, Table
from tabwright.page_tools.found.form_tools import item_form_tool
from tabwright.page_tools.found.minor import is_minor_label, is_site_label
from tabwright.page_tools.found.naming import join_name, name_button, name_choice_set, name_item_list
from tabwright.page_tools.found.page_links import CONTENTS, contents_tool
from tabwright.page_tools.found.parameters import object_schema
from tabwright.page_tools.found.words import first_words, is_search, search_subject, slug
from tabwright.page_tools.run import tool_runs
from tabwright.page_tools.tool import Outcome, PageTool, Schema, press_always
from tabwright.text import format_count

# So many buttons of the same name become one tool with an index.
_MIN_REPEATED = 3
_MAX_CONSENT_BUTTONS = 4
_MAX_TABLES = 4
# Lists that lead through the site or to other services.
_MINOR_PURPOSES = frozenset({"navigation", "sharing"})
_CHOICE_DESCRIPTIONS: Final = {
    "tabs": "Show a tab.",
    "menu": "Choose from a menu.",
    "tree": "Open a tree item.",
    "buttons": "Press one of several buttons.",
    "sort": "Sort the table by a column.",
}
_CHOICE_KEYS: Final = {"tabs": "tab", "sort": "column"}


def button_tools(
    builder: ToolBuilder, buttons: Sequence[Button], *, searchable: bool = False
) -> Iterator[PageTool]:
    """Return a tool for each button; several buttons of the same name become one tool.

    `searchable`: the page has a search form, so that a button to open one says nothing new.
    """
    consent = [button for button in buttons if button.consent]
    offered = [button for button in buttons if not button.consent] + consent[:_MAX_CONSENT_BUTTONS]
    counts = Counter(slug(button.label) for button in offered)
    menus = sum(_opens_menu(button) for button in offered)
    done: set[str] = set()
    for button in offered:
        key, name = slug(button.label), name_button(button.label)
        if counts[key] < _MIN_REPEATED:
            minor = _is_minor_button(button, menus=menus)
            minor = minor or key in done or (searchable and _opens_search(button.label))
            yield _button_tool(builder, name, button, minor=minor)
        elif key not in done:
            refs = [other.ref for other in offered if slug(other.label) == key]
            verb, minor = "Press this button of", is_minor_label(button.label)
            yield _indexed_tool(
                builder, name, "item", button, verb=verb, label=button.label, refs=refs, minor=minor
            )
        done.add(key)


def _opens_search(label: str) -> bool:
    return is_search(label) and not search_subject(label)


def _opens_menu(button: Button) -> bool:
    return button.landmark in ("nav", "header") and button.expanded is not None


def _is_minor_button(button: Button, *, menus: int) -> bool:
    """Whether a button is one of several that open menus, or belongs to the site rather than to the page."""
    at_top = button.landmark in ("nav", "header")
    return (
        (_opens_menu(button) and menus > 1)
        or (at_top and is_site_label(button.label))
        or is_minor_label(button.label)
    )


def _button_tool(builder: ToolBuilder, name: str, button: Button, *, minor: bool) -> PageTool:
    text = "Press a button." if button.pressed is None else "Press a toggle button."
    run = without_arguments(partial(tool_runs.press, builder.filler, name, button.ref, button.label))
    return builder.tool(
        name,
        "button",
        button,
        description=describe(text, button.label),
        run=run,
        element=button.ref,
        presses=press_always(button.ref),
        minor=minor,
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
    first: str = "",
    minor: bool,
) -> PageTool:
    """Return a tool that presses the same thing in one of several items; `first` names the first ones."""

    async def run(arguments: Mapping[str, Any]) -> Outcome:
        return await tool_runs.press_item(builder.filler, name, refs, int(arguments["index"]), label)

    text = f"{verb} one of {len(refs)} items; 0 is the first."
    schema = object_schema(index_schema(len(refs)), ["index"])
    description = describe(text, ": ".join(part for part in (label, first) if part))
    return builder.tool(
        name,
        kind,
        position,
        description=description,
        schema=schema,
        run=run,
        presses=lambda arguments: (refs[int(arguments["index"])],),
        minor=minor,
    )


def list_tools(builder: ToolBuilder, lists: Sequence[ItemList]) -> Iterator[PageTool]:
    """Return the tools of all lists; of lists with the same items, only the first is not minor.

    Lists that are a part of a text have none.
    """
    titles = Counter(items.title for items in lists if items.title)
    seen: set[tuple[str, ...]] = set()
    for items in (items for items in lists if items.purpose != "text"):
        if items.purpose in CONTENTS:
            yield contents_tool(builder, items)
            continue
        # A title that many lists have ("See also") is that of a part of each section.
        again = items.first in seen or titles[items.title] >= _MIN_REPEATED
        yield from _item_tools(builder, items, again=again)
        seen.add(items.first)


def _item_tools(builder: ToolBuilder, items: ItemList, *, again: bool) -> Iterator[PageTool]:
    """Return the tools that open, select or act on one item of a list."""
    aside = again or items.purpose in _MINOR_PURPOSES or items.landmark in ("header", "nav", "footer")
    if items.openers is not None:
        yield _open_tool(builder, items, items.openers, minor=aside)
    if items.checkboxes is not None:
        yield _select_tool(builder, items, items.checkboxes)
    for button in items.buttons:
        name, verb = name_button(button.label), "Press this button of"
        label, minor = button.label, aside or is_minor_label(button.label)
        first = _first_items(items)
        yield _indexed_tool(
            builder, name, "item", items, verb=verb, label=label, refs=button.refs, first=first, minor=minor
        )
    if items.groups is not None:
        yield item_form_tool(builder, items, items.groups)


def _open_tool(builder: ToolBuilder, items: ItemList, openers: Sequence[int], *, minor: bool) -> PageTool:
    """Return the tool that opens an item; its description names the list and the first items."""
    return _indexed_tool(
        builder,
        name_item_list(items, "open"),
        "open",
        items,
        verb="Open",
        label=items.title,
        refs=openers,
        first=_first_items(items),
        minor=minor,
    )


def _first_items(items: ItemList) -> str:
    return ", ".join(items.first) + (", …" if items.first and items.count > len(items.first) else "")


def _select_tool(builder: ToolBuilder, items: ItemList, checkboxes: Sequence[int]) -> PageTool:
    async def run(arguments: Mapping[str, Any]) -> Outcome:
        return await tool_runs.check_item(builder.filler, checkboxes, int(arguments["index"]))

    text = f"Select one of {items.count} items; 0 is the first."
    schema = object_schema(index_schema(len(checkboxes)), ["index"])
    description = describe(text, items.title)
    return builder.tool(
        "select_item",
        "select",
        items,
        description=description,
        schema=schema,
        run=run,
        presses=lambda arguments: (checkboxes[int(arguments["index"])],),
    )


def table_tools(builder: ToolBuilder, tables: Sequence[Table]) -> Iterator[PageTool]:
    """Return the tools that read tables; where there are many, the text is about something else."""
    largest = max((table.rows for table in tables), default=0)
    for table in tables:
        yield _table_tool(builder, table, minor=len(tables) > _MAX_TABLES and table.rows < largest)


def _table_tool(builder: ToolBuilder, table: Table, *, minor: bool) -> PageTool:
    return builder.tool(
        join_name("read", slug(first_words(table.title)) or "table"),
        "table",
        table,
        description=describe(f"Read a table of {format_count(table.rows, 'row')}.", table.title),
        run=without_arguments(partial(tool_runs.read_table, builder.filler, table.ref)),
        element=table.ref,
        read_only=True,
        minor=minor,
    )


def choice_tool(builder: ToolBuilder, choices: ChoiceSet) -> PageTool:
    """Return the tool that shows a tab, or presses an item of a menu, a tree or a set of buttons."""
    key = _CHOICE_KEYS.get(choices.kind, "item")
    labels = list(dict.fromkeys(item.label for item in choices.items if item.label))
    choice: Schema = {"type": "string", "enum": labels}
    selected = [item.label for item in choices.items if item.selected]
    if selected and choices.kind in ("tabs", "buttons"):
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
        presses=lambda arguments: (
            [choices.ref]
            if choices.popup
            else [item.ref for item in choices.items if item.label == arguments[key]][:1]
        ),
    )
