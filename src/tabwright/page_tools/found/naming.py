"""Names of tools, from what the page calls its things. Pure: the same page gives the same names."""

import re
from collections.abc import Iterable, Sequence

from tabwright.browser.snapshot.nodes import words as set_of
from tabwright.page_tools.found.facts import Chooser, Field, Group, Items, Lone
from tabwright.page_tools.found.words import (
    LONGEST_NAME,
    first_words,
    is_generic,
    is_search,
    is_sentence,
    singular,
    slug,
    sought,
)

_TERM_NAMES = set_of("q query search searchterm search_term keyword keywords term ss")
_TERM_KINDS = frozenset({"text", "editable", "combobox"})
_PASSWORD_CHANGE = re.compile(r"(?i)\b(change|reset|update|new|andern|zurucksetzen|changer|modifier)\b")
_COUNT = re.compile(r"(?<=[^\W\d_])\W+\d[\d.,]*[KkMm]?\W*$")
_IDENTIFIER = re.compile(r"[A-Za-z]{4}")
# Words that an identifier of a form has beside what it is about.
_OF_FORMS = set_of("form frm id main js el the wrapper container box widget component root")


def name_of_group(group: Group) -> str:
    """Name what fills in and sends a group of fields."""
    caption = group.submit.label if group.submit else ""
    if entry := _entry(group, caption):
        return entry
    if (term := search_term(group)) is not None:
        return joined("search", _sought_in(group, term, caption))
    if is_search(caption) and not is_generic(caption):
        return as_name(joined("search", sought(caption)) if sought(caption) else first_words(caption))
    if not is_generic(caption):
        return as_name(first_words(caption))
    verb = "search" if is_search(caption) else slug(first_words(caption)) or "submit"
    return joined(verb, _own_name(group))


def _entry(group: Group, caption: str) -> str:
    """Return `log_in` or `sign_up` for forms that ask for a password, else ""."""
    asked = [field for field in group.fields if is_password(field)]
    if not asked:
        return ""
    meant = " ".join(field.autocomplete for field in asked)
    known, new = "current-password" in meant, "new-password" in meant
    if (known and new) or len(asked) > 2 or _PASSWORD_CHANGE.search(slug(caption).replace("_", " ")):
        return ""
    if len(asked) == 1 and not new and len(group.fields) <= 3:
        return "log_in"
    if known and len(asked) == 1:
        return "log_in"
    return "sign_up"


def is_password(field: Field) -> bool:
    """Whether a field takes a password, not the code of a card or one that is sent."""
    told = field.autocomplete
    return field.secret and not told.startswith("cc-") and " cc-" not in told and "one-time" not in told


def search_term(group: Group) -> Field | None:
    """Return the field that takes what is searched for, if the group is a search box."""
    texts = [field for field in group.fields if field.kind in _TERM_KINDS and not field.secret]
    marked = [field for field in texts if is_term(field)]
    if len(marked) == 1:
        return marked[0]
    if group.role == "search" or (group.submit and is_search(group.submit.label)):
        return texts[0] if len(texts) == 1 and len(group.fields) <= 2 else None
    return None


def is_term(field: Field) -> bool:
    """Whether a field says of itself that it takes what is searched for."""
    if field.kind == "combobox" and field.label and not is_search(field.label):
        return False
    if field.type == "search" or field.role == "searchbox":
        return True
    if slug(field.name, identifier=True) in _TERM_NAMES or slug(field.id, identifier=True) in _TERM_NAMES:
        return True
    return is_search(field.label)


def _sought_in(group: Group, term: Field, caption: str) -> str:
    """Return what a search box searches, where its label, its button or its own title says so."""
    told = [sought(term.label), sought(caption), sought(term.hint)]
    titled = [group.titles.get(place, "") for place in ("aria", "legend", "inside")]
    if len(group.fields) > 2:
        titled.append(group.titles.get("before", ""))
    told += [sought(title) if is_search(title) else _without(title, "search") for title in titled]
    return next((noun for noun in told if noun), "")


def _own_name(group: Group) -> str:
    """Return what the page calls a group, else what its author does, else its only field."""
    for place in ("aria", "legend", "inside", "before", "around"):
        if noun := slug(first_words(group.titles.get(place, ""))):
            return noun
    texts = [field for field in group.fields if field.kind != "check"]
    if len(texts) == 1 and (label := slug(first_words(texts[0].label or texts[0].near))):
        return label
    for told in (group.id, group.name):
        words = [word for word in slug(told, identifier=True).split("_") if word not in _OF_FORMS]
        if _IDENTIFIER.search("_".join(words)) and not re.search(r"\d", told):
            return "_".join(words)
    return ""


def name_of_lone(lone: Lone) -> str:
    """Name what sets a control that works by itself."""
    field = lone.field
    if field.kind in _TERM_KINDS and is_term(field):
        return joined("search", sought(field.label))
    label = slug(first_words(label_of(field))) or slug(field.name or field.id, identifier=True) or field.kind
    return joined("upload" if field.kind == "file" else "set", label)


def label_of(field: Field) -> str:
    """Return what a person calls a field; a sentence near it is no label."""
    label = "" if is_sentence(field.label) else field.label
    return label or (field.near if len(field.near.split()) <= 3 else "")


def name_of_choice(chooser: Chooser) -> str:
    """Name what shows a tab, chooses of a menu, or opens a part of a tree."""
    title = slug(first_words(chooser.title))
    if chooser.kind == "tabs":
        return joined("show", title) if title else "show_tab"
    if chooser.kind == "menu":
        return as_name(f"{_without(title, 'menu')}_menu") if _without(title, "menu") else "open_menu"
    if chooser.kind == "tree":
        return joined("open", f"{title}_item" if title else "tree_item")
    return joined("select", singular(title) or (f"{title}_item" if title else "item"))


def name_of_items(items: Items, verb: str) -> str:
    """Name what opens or selects an item of a list."""
    title = slug(first_words(items.title), LONGEST_NAME - len(verb) - 6)
    if not title:
        return f"{verb}_item"
    return joined(verb, singular(title) or f"{title}_item")


def as_name(text: str) -> str:
    """Return a text as the name of a tool; a count at its end changes from load to load and is left out."""
    name = slug(_COUNT.sub("", text) or text)
    return name if len(name) > 1 and name[0].isalpha() else f"press_{name or 'button'}"


def joined(verb: str, noun: str) -> str:
    """Join a verb and a noun to a name, neither saying what the other does."""
    rest = noun if noun.partition("_")[0] == verb else f"{verb}_{_without(noun, verb)}".rstrip("_")
    return as_name(slug(rest.replace("_", " ")))


def _without(noun: str, verb: str) -> str:
    words = [word for word in slug(noun.replace("_", " ")).split("_") if word and word != verb]
    return "_".join(words)


def distinct(keys: Iterable[str], taken: Sequence[str] = ()) -> list[str]:
    """Return the keys, each once: the second of a kind becomes `key_2`."""
    made: list[str] = list(taken)
    for key in keys:
        wished, number = key, 1
        while wished in made:
            number += 1
            wished = f"{key}_{number}"
        made.append(wished)
    return made[len(taken) :]
