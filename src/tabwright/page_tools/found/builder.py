"""Builds the tools of one frame: what all kinds of tools have in common."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from tabwright.browser.page.frame import Frame
from tabwright.page_tools.found.facts import Field, Group, Position
from tabwright.page_tools.found.naming import make_unique
from tabwright.page_tools.found.parameters import key_of, object_schema, quote_page_text, schema_of
from tabwright.page_tools.found.rank import rank
from tabwright.page_tools.run.fill_field import FieldFiller
from tabwright.page_tools.run.tool_runs import Parameter
from tabwright.page_tools.tool import Outcome, PageTool, Presses, Schema, press_nothing

_MAX_DESCRIPTION_LENGTH = 200

Run = Callable[[Mapping[str, Any]], Awaitable[Outcome]]


class ToolBuilder:
    """Builds tools of one frame; `filler` is what their runs use."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.filler = FieldFiller(frame)

    def tool(
        self,
        name: str,
        kind: str,
        position: Position,
        *,
        description: str,
        run: Run,
        schema: Schema | None = None,
        element: int = 0,
        parameters: Sequence[Parameter] = (),
        presses: Presses = press_nothing,
        read_only: bool = False,
        minor: bool = False,
    ) -> PageTool:
        """Return a tool of this frame, ranked by its kind and position."""
        return PageTool(
            name=name,
            description=description,
            schema=schema or object_schema({}, []),
            source="page",
            frame=self.frame.id,
            run=run,
            rank=rank(kind, position, inner=self.frame.parent is not None),
            element=element,
            controls={one.key: one.field.ref for one in parameters},
            presses=presses,
            read_only=read_only,
            kind=kind,
            minor=minor,
        )


def describe(text: str, page_text: str) -> str:
    """Return our description followed by the page's own text, quoted and marked as such."""
    quoted = quote_page_text(page_text, _MAX_DESCRIPTION_LENGTH - len(text) - 22)
    return f"{text} From the page: {quoted}" if quoted else text


def without_arguments(run: Callable[[], Awaitable[Outcome]]) -> Run:
    """Return a run that ignores its (empty) arguments."""

    async def ignore(arguments: Mapping[str, Any]) -> Outcome:
        del arguments
        return await run()

    return ignore


def index_schema(count: int) -> dict[str, Schema]:
    """Return the property that selects one of `count` items, counted from 0 as in the tab-server document."""
    return {"index": {"type": "integer", "minimum": 0, "maximum": count - 1}}


def parameters_of(group: Group, search_field: Field | None, taken: Sequence[str] = ()) -> list[Parameter]:
    """Return the fields of a group with unique keys, none of which is in `taken`."""
    keys = make_unique(("query" if field is search_field else key_of(field) for field in group.fields), taken)
    return [Parameter(key, field) for key, field in zip(keys, group.fields, strict=True)]


def schema_for(parameters: Sequence[Parameter], first: Mapping[str, Schema] | None = None) -> Schema:
    """Return the schema of a form's arguments; the properties in `first` come first and are required."""
    required = [*(first or {}), *(one.key for one in parameters if one.field.required)]
    return object_schema({**(first or {}), **{one.key: schema_of(one.field) for one in parameters}}, required)
