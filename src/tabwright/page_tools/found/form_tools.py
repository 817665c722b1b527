"""Tools that fill in fields: forms, single fields, forms repeated in a list, and the site's own search."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from tabwright.errors import Blocked
from tabwright.page_tools.found.builder import (
    ToolBuilder,
    describe,
    index_schema,
    parameters_of,
    schema_for,
)
from tabwright.page_tools.found.facts import FrameFacts, Group, ItemList, Position, SingleField
from tabwright.page_tools.found.minor import is_minor_label
from tabwright.page_tools.found.naming import label_of, name_group, name_single_field, search_field
from tabwright.page_tools.found.parameters import key_of, object_schema, schema_of
from tabwright.page_tools.found.site_search import search_by_address
from tabwright.page_tools.found.words import is_search
from tabwright.page_tools.run import tool_runs
from tabwright.page_tools.run.tool_runs import Parameter
from tabwright.page_tools.tool import Outcome, PageTool, press_always, press_nothing

_DESCRIPTIONS: Final = {
    "log_in": "Fill in and submit the log-in form.",
    "sign_up": "Fill in and submit the sign-up form.",
    "search": "Search.",
    "entry": "Fill in and submit the form.",
    "form": "Fill in and submit the form.",
}


def group_tool(builder: ToolBuilder, group: Group, *, minor: bool = False) -> PageTool:
    """Return the tool that fills in and submits a form."""
    name, term = name_group(group), search_field(group)
    parameters = parameters_of(group, term)
    searches = term is not None or name.partition("_")[0] == "search"
    kind = "search" if searches else "entry" if name in ("log_in", "sign_up") else "form"

    async def run(arguments: Mapping[str, Any]) -> Outcome:
        return await tool_runs.submit(builder.filler, name, group, parameters, arguments, searches=searches)

    return builder.tool(
        name,
        kind,
        group,
        description=describe(_DESCRIPTIONS.get(name, _DESCRIPTIONS[kind]), _title(group)),
        schema=schema_for(parameters),
        run=run,
        element=group.ref,
        parameters=parameters,
        presses=press_always(group.submit.ref) if group.submit else press_nothing,
        minor=minor,
    )


def item_form_tool(builder: ToolBuilder, items: ItemList, groups: Sequence[Group | None]) -> PageTool:
    """Return one tool for the small forms that the items of a list have."""
    first = next(group for group in groups if group is not None)
    parameters = parameters_of(first, None, taken=("index",))
    name = name_group(first)

    async def run(arguments: Mapping[str, Any]) -> Outcome:
        group = groups[index := int(arguments["index"])]
        if group is None:
            raise Blocked(f"Item {index} has no such form.", hint="Choose another item.")
        own = [replace(one, field=field) for one, field in zip(parameters, group.fields, strict=True)]
        return await tool_runs.submit(builder.filler, name, group, own, arguments)

    def presses(arguments: Mapping[str, Any]) -> list[int]:
        group = groups[int(arguments["index"])]
        pairs = zip(parameters, group.fields, strict=True) if group else ()
        given = [own.ref for one, own in pairs if one.key in arguments]
        return [*given, *([group.submit.ref] if group and group.submit else [])]

    text = f"Fill in and submit the form of one of {items.count} items; 0 is the first."
    return builder.tool(
        name,
        "item",
        items,
        description=describe(text, _title(first)),
        schema=schema_for(parameters, index_schema(len(groups))),
        run=run,
        parameters=parameters,
        presses=presses,
    )


def single_field_tool(builder: ToolBuilder, single: SingleField) -> PageTool:
    """Return the tool that sets a field which takes effect by itself."""
    field, name = single.field, name_single_field(single)
    searches = name.startswith(("search", "filter"))
    key = "query" if searches else key_of(field)
    parameter = Parameter(key, field)

    async def run(arguments: Mapping[str, Any]) -> Outcome:
        return await tool_runs.set_single_field(builder.filler, name, parameter, arguments, searches=searches)

    text = "Search." if searches else "Set a control of the page."
    return builder.tool(
        name,
        "search" if searches else "field",
        single,
        description=describe(text, field.label or field.near),
        schema=object_schema({key: schema_of(field)}, [key]),
        run=run,
        element=field.ref,
        parameters=[parameter],
        minor=not label_of(field) or (field.kind == "check" and is_minor_label(label_of(field))),
    )


def has_search(groups: Iterable[Group]) -> bool:
    """Whether one of the forms is a search form."""
    return any(is_search(name_group(group).replace("_", " ")) for group in groups)


def site_search_tool(builder: ToolBuilder, facts: FrameFacts) -> PageTool:
    """Return the tool that searches at the address that the site declares."""
    return builder.tool(
        "search",
        "search",
        Position(onscreen=False),
        description="Search this site at the address it declares.",
        schema=object_schema({"query": {"type": "string", "minLength": 1}}, ["query"]),
        run=partial(search_by_address, builder.frame, facts.search_template, facts.open_search),
    )


def _title(group: Group) -> str:
    """Return the page's name for a group and the label of its submit button."""
    title = next((title for title in group.titles.values() if title), "")
    label = group.submit.label if group.submit else ""
    return "; ".join(part for part in dict.fromkeys((title, label)) if part)
