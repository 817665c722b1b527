"""Data by CSS selector, and the controls, forms and links of a page."""

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

_FIELD_SYNTAX = 'A field is CSS, or {"css": "a", "attr": "href", "type": "url", "all": true}.'


class FieldSpec(Args):
    """How to read one field."""

    css: str = Field("", max_length=2_000)
    attr: str | None = Field(None, min_length=1, max_length=200)
    type: Literal["string", "number", "boolean", "url"] = "string"
    all: bool = False


_FIELD_SPECS = TypeAdapter(dict[str, FieldSpec], config=ConfigDict())


class ExtractFields(Args):
    """Arguments of `extract_fields`."""

    fields: dict[str, Any] = Field(
        min_length=1,
        max_length=100,
        description='Each name with its CSS, or {"css", "attr", "type": string, number, boolean or url, '
        '"all": true}.',
    )
    item: str | None = Field(
        None, min_length=1, max_length=2_000, description="CSS of repeated items: returns a record for each."
    )
    start: int = Field(0, ge=0, description="Item to start at.")
    most: int = Field(100, ge=1, le=1_000, description="Maximum items, and values of an `all` field.")


class Extracted(Result):
    """The extracted values."""

    own_lines = 0

    value: Any = Field(description="Values by name; a list of them with item.")
    count: int = Field(description="Number of items; 1 without item.")
    start: int = Field(0, description="Number of the first item.")

    def __str__(self) -> str:
        return self._render(len(self.value)) if isinstance(self.value, list) else _json(self.value)

    def shorten(self, max_tokens: int) -> str | None:
        """As many whole items as fit, and where to continue."""
        if not isinstance(self.value, list):
            return None
        sizes = range(len(self.value) + 1)
        few = bisect_right(sizes, max_tokens, key=lambda few: tokens(self._render(few))) - 1
        return self._render(few) if few > 0 else None

    def _render(self, few: int) -> str:
        left = self.count - self.start - few
        more = f"\n[{format_count(left, 'more item')}: use start {self.start + few}]" if left > 0 else ""
        return f"{_json(self.value[:few])}{more}"


@action(Effect.READ, does=("look",), group="Extraction")
async def extract_fields(tab: Tab, args: ExtractFields) -> Extracted:
    """Extract values by CSS as JSON, from the page or each item of a list."""
    fields = {
        name: {**how.model_dump(), "most": args.most} for name, how in _parse_fields(args.fields).items()
    }
    answer = await extracted(tab.frames.chosen, fields, item=args.item, start=args.start, most=args.most)
    if args.item is None:
        return Extracted(value=answer["values"], count=1)
    return Extracted(value=answer["items"], count=answer["count"], start=args.start)


def _parse_fields(given: dict[str, Any]) -> dict[str, FieldSpec]:
    specs = {name: {"css": how} if isinstance(how, str) else how for name, how in given.items()}
    try:
        return _FIELD_SPECS.validate_python(specs)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise InvalidArgs(f"fields.{where}: {fault['msg']}.", hint=_FIELD_SYNTAX) from None


class GetDomContext(Args):
    """Arguments of `get_dom_context`."""

    start: int = Field(0, ge=0, description="Number of each kind to skip.")
    most: int = Field(40, ge=1, le=500, description="Maximum of each kind.")


class DomContext(Result):
    """The controls, forms and links of a page."""

    own_lines = 0

    url: str = Field(description="URL of the page.")
    elements: list[dict[str, Any]] = Field(description="Controls outside of forms: ref, role, name, value.")
    forms: list[dict[str, Any]] = Field(description="Forms: ref, name, method, action, fields.")
    links: list[dict[str, Any]] = Field(description="Links: ref, name, url.")
    counts: dict[str, int] = Field(description="Number of each kind.")
    start: int = Field(0, description="Number of each kind that were skipped.")

    def __str__(self) -> str:
        parts = [
            *self._part("elements", [_control(one) for one in self.elements]),
            *self._part("forms", [line for one in self.forms for line in _form(one)]),
            *self._part("links", [_link(one) for one in self.links]),
        ]
        return "\n".join(parts)

    def _part(self, kind: str, lines: list[str]) -> list[str]:
        shown, count = len(getattr(self, kind)), self.counts[kind]
        of = "" if shown == count else f", {shown} from {self.start}"
        return [f"{kind.capitalize()} ({count}{of}):", *lines]


@action(Effect.READ, does=("look",), group="Extraction")
async def get_dom_context(tab: Tab, args: GetDomContext) -> DomContext:
    """List the page's controls, forms with their fields, and links, each with its ref."""
    found = await dom_context(tab, start=args.start, most=args.most)
    kinds = ("elements", "forms", "links")
    return DomContext(
        url=tab.frames.chosen.url,
        counts={kind: found[kind]["count"] for kind in kinds},
        start=args.start,
        **{kind: _with_refs(found[kind]["listed"]) for kind in kinds},
    )


def _with_refs(found: Any) -> Any:
    """Replace ref numbers by refs."""
    if isinstance(found, list):
        return [_with_refs(one) for one in found]
    if not isinstance(found, dict):
        return found
    return {name: f"@e{value}" if name == "ref" else _with_refs(value) for name, value in found.items()}


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
