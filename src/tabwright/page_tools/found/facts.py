"""What the scripts in a page tell of what can be done there, read into types. Deciding is left to others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where on the page a thing is: in which part, in view or not, in a banner that asks for consent."""

    land: str = ""
    view: bool = True
    consent: bool = False


@dataclass(frozen=True, kw_only=True)
class Option:
    """One of the choices of a field."""

    label: str = ""
    ref: int = 0
    on: bool = False
    off: bool = False
    empty: bool = False


@dataclass(frozen=True, kw_only=True)
class Field:
    """A control that takes a value, or a set of boxes that take one together."""

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
    many: bool = False
    typed: bool = False
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
    """What sends a group of fields."""

    ref: int
    label: str = ""
    native: bool = False


@dataclass(frozen=True, kw_only=True)
class Group(Place):
    """Fields that are sent together. `titles` are what the page calls it, by where that stands."""

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
class Lone(Place):
    """A field that works by itself."""

    field: Field


@dataclass(frozen=True, kw_only=True)
class Button(Place):
    """A button that is no part of anything else."""

    ref: int
    label: str
    pressed: str | None = None
    expanded: str | None = None


@dataclass(frozen=True, kw_only=True)
class Act:
    """What every item of a list repeats; a ref for each item, 0 where it is missing."""

    label: str
    refs: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Items(Place):
    """A list of like items."""

    ref: int
    count: int
    title: str = ""
    opens: tuple[int, ...] | None = None
    acts: tuple[Act, ...] = ()
    boxes: tuple[int, ...] | None = None
    groups: tuple[Group | None, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Table(Place):
    """A table of data."""

    ref: int
    rows: int
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class Chooser(Place):
    """Tabs, a menu or a tree: one is chosen by pressing it. `opens`: the menu must be opened first."""

    ref: int
    kind: str
    items: tuple[Option, ...]
    title: str = ""
    opens: bool = False


@dataclass(frozen=True, kw_only=True)
class Pages(Place):
    """The ways to other pages of a list."""

    next: int = 0
    previous: int = 0
    pages: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Facts:
    """All that can be done in one frame."""

    url: str
    groups: tuple[Group, ...] = ()
    lone: tuple[Lone, ...] = ()
    buttons: tuple[Button, ...] = ()
    lists: tuple[Items, ...] = ()
    tables: tuple[Table, ...] = ()
    choosers: tuple[Chooser, ...] = ()
    pages: Pages = Pages()
    open_search: str = ""
    search_template: str = ""


def read(told: Mapping[str, Any]) -> Facts:
    """Read what the script told of a frame."""
    paged = told["pagination"]
    return Facts(
        url=told["url"],
        groups=tuple(map(_group, told["groups"])),
        lone=tuple(_made(Lone, one, field=_field(one["field"])) for one in told["lone"]),
        buttons=_all(Button, told["buttons"]),
        lists=tuple(map(_items, told["lists"])),
        tables=_all(Table, told["tables"]),
        choosers=tuple(_made(Chooser, one, items=_all(Option, one["items"])) for one in told["choosers"]),
        pages=_made(Pages, paged | paged.get("place", {}), pages=tuple(map(tuple, paged["pages"]))),
        open_search=told["search"]["openSearch"],
        search_template=told["search"]["template"],
    )


def _group(told: Mapping[str, Any]) -> Group:
    submit = _made(Submit, told["submit"]) if told["submit"] else None
    return _made(Group, told, fields=tuple(map(_field, told["fields"])), submit=submit)


def _field(told: Mapping[str, Any]) -> Field:
    return _made(
        Field, told, options=_all(Option, told.get("options", ())), examples=tuple(told.get("examples", ()))
    )


def _items(told: Mapping[str, Any]) -> Items:
    groups = told["groups"]
    return _made(
        Items,
        told,
        opens=tuple(told["opens"]) if told["opens"] else None,
        boxes=tuple(told["boxes"]) if told["boxes"] else None,
        acts=tuple(Act(label=act["label"], refs=tuple(act["refs"])) for act in told["acts"]),
        groups=tuple(_group(one) if one else None for one in groups) if groups else None,
    )


def _all(kind: type[T], told: Sequence[Mapping[str, Any]]) -> tuple[T, ...]:
    return tuple(_made(kind, one) for one in told)


def _made(kind: type[T], told: Mapping[str, Any], **read: Any) -> T:
    """Make a thing of what was told of it, as far as its type knows it."""
    known = {each.name for each in fields(kind)}  # type: ignore[arg-type]  # all of ours are dataclasses
    return kind(**{name: value for name, value in told.items() if name in known} | read)
