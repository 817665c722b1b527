"""The types of what our scripts find in a frame, and their parser. Other modules turn them into tools."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Position:
    """Where a thing is: its landmark, whether it is in view, and whether it is in a consent banner."""

    landmark: str = ""
    onscreen: bool = True
    consent: bool = False


@dataclass(frozen=True, kw_only=True)
class Option:
    """One choice of a field or of a choice set."""

    label: str = ""
    ref: int = 0
    selected: bool = False
    disabled: bool = False
    empty: bool = False


@dataclass(frozen=True, kw_only=True)
class Field:
    """A control that takes a value, or a set of radio buttons or checkboxes that take one together."""

    ref: int
    kind: str
    label: str = ""
    near: str = ""
    hint: str = ""
    name: str = ""
    id: str = ""
    type: str = ""
    role: str = ""
    autocomplete: str = ""
    required: bool = False
    secret: bool = False
    readonly: bool = False
    multiple: bool = False
    typable: bool = False
    min: str = ""
    max: str = ""
    step: str = ""
    minlength: int | None = None
    maxlength: int | None = None
    pattern: str = ""
    accept: str = ""
    value: str = ""
    valuetext: str = ""
    count: int = 0
    options: tuple[Option, ...] = ()
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Submit:
    """The button that submits a group of fields."""

    ref: int
    label: str = ""
    native: bool = False


@dataclass(frozen=True, kw_only=True)
class Group(Position):
    """Fields that are submitted together. `titles` are the page's names for it, by where they stand."""

    ref: int
    form: bool
    fields: tuple[Field, ...]
    submit: Submit | None = None
    role: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)
    id: str = ""
    name: str = ""
    action: str = ""


@dataclass(frozen=True, kw_only=True)
class SingleField(Position):
    """A field that takes effect by itself, without a submit button."""

    field: Field


@dataclass(frozen=True, kw_only=True)
class Button(Position):
    """A button that belongs to nothing else."""

    ref: int
    label: str
    pressed: str | None = None
    expanded: str | None = None


@dataclass(frozen=True, kw_only=True)
class ItemButton:
    """A button that the items of a list have in common; one ref per item, 0 where it is missing."""

    label: str
    refs: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class ItemList(Position):
    """A list of similar items. `first` are the labels of the first ones; `purpose` is "" for content."""

    ref: int
    count: int
    title: str = ""
    first: tuple[str, ...] = ()
    purpose: str = ""
    openers: tuple[int, ...] | None = None
    buttons: tuple[ItemButton, ...] = ()
    checkboxes: tuple[int, ...] | None = None
    groups: tuple[Group | None, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Table(Position):
    """A data table."""

    ref: int
    rows: int
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class ChoiceSet(Position):
    """Tabs, a menu, a tree, columns or many buttons, one of which is pressed.

    `popup`: a menu must be opened first.
    """

    ref: int
    kind: str
    items: tuple[Option, ...]
    title: str = ""
    popup: bool = False


@dataclass(frozen=True, kw_only=True)
class Pagination(Position):
    """Links and buttons to other pages of a list or a document.

    The addresses are those that the page declares; `places` are links to its contents, its index and such.
    """

    next: int = 0
    previous: int = 0
    pages: tuple[tuple[int, int], ...] = ()
    places: tuple[Option, ...] = ()
    next_address: str = ""
    previous_address: str = ""


@dataclass(frozen=True, kw_only=True)
class FrameFacts:
    """Everything that can be done in one frame."""

    url: str
    groups: tuple[Group, ...] = ()
    single_fields: tuple[SingleField, ...] = ()
    buttons: tuple[Button, ...] = ()
    lists: tuple[ItemList, ...] = ()
    tables: tuple[Table, ...] = ()
    choice_sets: tuple[ChoiceSet, ...] = ()
    pagination: Pagination = Pagination()
    open_search: str = ""
    search_template: str = ""


def parse_facts(payload: Mapping[str, Any]) -> FrameFacts:
    """Parse what the script returned for a frame."""
    return FrameFacts(
        url=payload["url"],
        groups=tuple(map(_parse_group, payload["groups"])),
        single_fields=tuple(
            _build(SingleField, one, field=_parse_field(one["field"])) for one in payload["singleFields"]
        ),
        buttons=_build_all(Button, payload["buttons"]),
        lists=tuple(map(_parse_list, payload["lists"])),
        tables=_build_all(Table, payload["tables"]),
        choice_sets=tuple(
            _build(ChoiceSet, one, items=_build_all(Option, one["items"])) for one in payload["choiceSets"]
        ),
        pagination=_parse_pagination(payload["pagination"]),
        open_search=payload["search"]["openSearch"],
        search_template=payload["search"]["template"],
    )


def _parse_pagination(payload: Mapping[str, Any]) -> Pagination:
    return _build(
        Pagination,
        payload | payload.get("place", {}),
        pages=tuple(map(tuple, payload["pages"])),
        places=_build_all(Option, payload["places"]),
        next_address=payload["nextAddress"],
        previous_address=payload["previousAddress"],
    )


def _parse_group(payload: Mapping[str, Any]) -> Group:
    submit = _build(Submit, payload["submit"]) if payload["submit"] else None
    return _build(Group, payload, fields=tuple(map(_parse_field, payload["fields"])), submit=submit)


def _parse_field(payload: Mapping[str, Any]) -> Field:
    return _build(
        Field,
        payload,
        options=_build_all(Option, payload.get("options", ())),
        examples=tuple(payload.get("examples", ())),
    )


def _parse_list(payload: Mapping[str, Any]) -> ItemList:
    groups = payload["groups"]
    return _build(
        ItemList,
        payload,
        first=tuple(payload["first"]),
        openers=tuple(payload["openers"]) if payload["openers"] else None,
        checkboxes=tuple(payload["checkboxes"]) if payload["checkboxes"] else None,
        buttons=tuple(ItemButton(label=one["label"], refs=tuple(one["refs"])) for one in payload["buttons"]),
        groups=tuple(_parse_group(one) if one else None for one in groups) if groups else None,
    )


def _build_all(kind: type[T], payload: Sequence[Mapping[str, Any]]) -> tuple[T, ...]:
    return tuple(_build(kind, one) for one in payload)


def _build(kind: type[T], payload: Mapping[str, Any], **parsed: Any) -> T:
    """Build a dataclass from the keys of a payload that it knows."""
    known = {each.name for each in fields(kind)}  # type: ignore[arg-type]  # all of ours are dataclasses
    return kind(**{name: value for name, value in payload.items() if name in known} | parsed)
