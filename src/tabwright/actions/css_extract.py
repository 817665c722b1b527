"""Data by CSS, and what a page offers to use."""

from bisect import bisect_right
from typing import Any, Literal

import orjson
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.page.dom_query import dom_context
from tabwright.browser.page.dom_query import extract_fields as extracted
from tabwright.browser.tab import Tab
from tabwright.budget import tokens
from tabwright.errors import InvalidArgs
from tabwright.text import format_count, quote

_FIELD = 'A field is CSS, or {"css": "a", "attr": "href", "type": "url", "all": true}.'


class How(Args):
    """How one field is read."""

    css: str = Field("", max_length=2_000)
    attr: str | None = Field(None, min_length=1, max_length=200)
    type: Literal["string", "number", "boolean", "url"] = "string"
    all: bool = False


_HOW = TypeAdapter(dict[str, How], config=ConfigDict())


class ExtractFields(Args):
    """Arguments of `extract_fields`."""

    fields: dict[str, Any] = Field(
        min_length=1,
        max_length=100,
        description='By name: CSS, or {"css", "attr", "type": string, number, boolean or url, "all": true}.',
    )
    item: str | None = Field(
        None, min_length=1, max_length=2_000, description="CSS of repeated things: a record for each of them."
    )
    start: int = Field(0, ge=0, description="Item to begin with.")
    most: int = Field(100, ge=1, le=1_000, description="Items to read at most, and values of an `all` field.")


class Extracted(Result):
    """What was read."""

    own_lines = 0

    value: Any = Field(description="Values by name; a list of such where items were named.")
    count: int = Field(description="How many items there are; 1 where none were named.")
    start: int = Field(0, description="Number of the first item.")

    def __str__(self) -> str:
        return self._written(len(self.value)) if isinstance(self.value, list) else _json(self.value)

    def shortened(self, most_tokens: int) -> str | None:
        """As many whole items as fit, and where to go on."""
        if not isinstance(self.value, list):
            return None
        sizes = range(len(self.value) + 1)
        few = bisect_right(sizes, most_tokens, key=lambda few: tokens(self._written(few))) - 1
        return self._written(few) if few > 0 else None

    def _written(self, few: int) -> str:
        left = self.count - self.start - few
        more = f"\n[{format_count(left, 'more item')}: from start {self.start + few} on]" if left > 0 else ""
        return f"{_json(self.value[:few])}{more}"


@action(Effect.READ, group="Extraction")
async def extract_fields(tab: Tab, args: ExtractFields) -> Extracted:
    """Read values by CSS as JSON: of the page, or of each item of a list."""
    fields = {name: {**how.model_dump(), "most": args.most} for name, how in _fields(args.fields).items()}
    answer = await extracted(tab.frames.chosen, fields, item=args.item, start=args.start, most=args.most)
    if args.item is None:
        return Extracted(value=answer["values"], count=1)
    return Extracted(value=answer["items"], count=answer["count"], start=args.start)


def _fields(given: dict[str, Any]) -> dict[str, How]:
    described = {name: {"css": how} if isinstance(how, str) else how for name, how in given.items()}
    try:
        return _HOW.validate_python(described)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise InvalidArgs(f"fields.{where}: {fault['msg']}.", hint=_FIELD) from None


class Context(Args):
    """Arguments of `get_dom_context`."""

    start: int = Field(0, ge=0, description="How many of each kind to pass over.")
    most: int = Field(40, ge=1, le=500, description="How many of each kind to list.")


class DomContext(Result):
    """What a page offers to use."""

    own_lines = 0

    url: str = Field(description="Address of the page.")
    elements: list[dict[str, Any]] = Field(description="Controls outside of forms: ref, role, name, value.")
    forms: list[dict[str, Any]] = Field(description="Forms: ref, name, method, action, fields.")
    links: list[dict[str, Any]] = Field(description="Links: ref, name, url.")
    counts: dict[str, int] = Field(description="How many of each there are.")
    start: int = Field(0, description="How many of each were passed over.")

    def __str__(self) -> str:
        parts = [
            *self._part("elements", [_control(one) for one in self.elements]),
            *self._part("forms", [line for one in self.forms for line in _form(one)]),
            *self._part("links", [_link(one) for one in self.links]),
        ]
        return "\n".join(parts)

    def _part(self, kind: str, lines: list[str]) -> list[str]:
        shown, count = len(getattr(self, kind)), self.counts[kind]
        of = "" if shown == count else f", {shown} from {self.start} on"
        return [f"{kind.capitalize()} ({count}{of}):", *lines]


@action(Effect.READ, group="Extraction")
async def get_dom_context(tab: Tab, args: Context) -> DomContext:
    """List what the page offers to use: elements, forms with their fields, links; each with its ref."""
    told = await dom_context(tab, start=args.start, most=args.most)
    kinds = ("elements", "forms", "links")
    return DomContext(
        url=tab.frames.chosen.url,
        counts={kind: told[kind]["count"] for kind in kinds},
        start=args.start,
        **{kind: _with_refs(told[kind]["listed"]) for kind in kinds},
    )


def _with_refs(told: Any) -> Any:
    """Write numbers as refs."""
    if isinstance(told, list):
        return [_with_refs(one) for one in told]
    if not isinstance(told, dict):
        return told
    return {name: f"@e{value}" if name == "ref" else _with_refs(value) for name, value in told.items()}


def _link(link: dict[str, Any]) -> str:
    return f"{link['ref']} {quote(link['name'])} {link['url'] or ''}".rstrip()


def _form(form: dict[str, Any]) -> list[str]:
    head = f"{form['ref']} form {quote(form['name'])} {form['method']} {form['action'] or ''}".rstrip()
    more = [f"  and {format_count(form['more'], 'more field')}"] if form["more"] else []
    return [head, *(f"  {_control(field)}" for field in form["fields"]), *more]


def _control(control: dict[str, Any]) -> str:
    value = f" = {quote(control['value'])}" if control.get("value") else ""
    named = f" name={control['field']}" if control.get("field") else ""
    flags = "".join(f" {flag}" for flag in ("required", "disabled") if control.get(flag))
    return f"{control['ref']} {control['role']} {quote(control['name'])}{value}{named}{flags}"


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()
