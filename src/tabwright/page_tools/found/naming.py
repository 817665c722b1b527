"""Names of tools, derived from the page's own labels. Pure: the same page always gets the same names."""

import re
from collections.abc import Iterable, Sequence

from tabwright.browser.snapshot.nodes import words as set_of
from tabwright.page_tools.found.accounts import account_action
from tabwright.page_tools.found.consequences import announce, consequence_of
from tabwright.page_tools.found.facts import ChoiceSet, Field, Group, ItemList, SingleField
from tabwright.page_tools.found.words import (
    MAX_NAME_LENGTH,
    first_words,
    is_generic,
    is_search,
    is_sentence,
    search_subject,
    search_verb,
    singular,
    slug,
    without_instruction,
)

_SEARCH_IDENTIFIER = re.compile(
    r"q|query|keywords?|term|ss|(?:\w+_)?search(?:_?(?:field|box|input|bar|term|text|query|keyword))?"
)
_SEARCH_FIELD_KINDS = frozenset({"text", "editable", "combobox"})
_PASSWORD_CHANGE = re.compile(r"(?i)\b(change|reset|update|new|andern|zurucksetzen|changer|modifier)\b")
_USER = re.compile(r"(?:user|login|e_?mail|phone|mobile|account|member|customer|id)(?:_|$)|name_or|_id$")
# Fields that are typed; a log-in form may have any number of boxes to tick and lists to choose from.
_TYPED_KINDS = frozenset({"text", "email", "tel", "number", "url", "date", "editable"})
_MAX_LOGIN_FIELDS = 3
# Buttons of forms that keep data, such as that of another user: nobody signs up by them.
_SAVES = re.compile(r"(?:save|add|update|apply|speichern|enregistrer|guardar|salvar|salva|opslaan)(?:_|$)")
_TASK = re.compile(r"(?:add|create|invite|new)_\w+")
_TRAILING_COUNT = re.compile(r"(?<=[^\W\d_])\W+\d[\d.,]*[KkMm]?\W*$")
_ADDS = re.compile(r"(?:new|add)_(?:new_)?(\w+?)(?:_input|_field|_text)?")
# Identifiers that are made anew at each load: long numbers and hexadecimal codes.
_UNSTABLE = re.compile(r"\d{5,}|(?=[a-z-]*\d)[0-9a-f]{8}|^:r\w+:$", re.IGNORECASE)
_IDENTIFIER = re.compile(r"[A-Za-z]{4}")
# Words in the id of a form that say nothing about its purpose.
_GENERIC_ID_WORDS = set_of("form frm id main js el the wrapper container box widget component root")


def name_group(group: Group) -> str:
    """Name the tool that fills in and submits a group of fields."""
    caption = group.submit.label if group.submit else ""
    return announce(_name_group(group, caption), caption)


def _name_group(group: Group, caption: str) -> str:
    if login := _name_login(group, caption):
        return login
    if (term := search_field(group)) is not None:
        return join_name(search_verb(term.label, term.hint), _search_subject_of(group, term, caption))
    if is_search(caption) and not is_generic(caption):
        return to_name(
            join_name("search", search_subject(caption)) if search_subject(caption) else first_words(caption)
        )
    if not is_generic(caption):
        return to_name(first_words(caption))
    verb = "search" if is_search(caption) else slug(first_words(caption)) or "submit"
    noun = _group_noun(group)
    # A form with the title "Add user" adds a user when it is saved.
    return to_name(noun) if _SAVES.match(verb) and _TASK.fullmatch(noun) else join_name(verb, noun)


def _name_login(group: Group, caption: str) -> str:
    """Return `log_in` or `sign_up` for forms that do this, else ""."""
    if consequence_of(caption) or _PASSWORD_CHANGE.search(slug(caption).replace("_", " ")):
        return ""
    passwords = [field for field in group.fields if is_password(field)]
    if not passwords:
        return "log_in" if _is_first_login_step(group, caption) else ""
    tokens = " ".join(field.autocomplete for field in passwords)
    known, new = "current-password" in tokens, "new-password" in tokens
    if (known and new) or len(passwords) > 2:
        return ""
    said = _what_group_says(group, caption)
    if said:
        return said
    few = len(_typed_fields(group)) <= _MAX_LOGIN_FIELDS
    if len(passwords) == 1 and (known or (few and not new)):
        return "log_in"
    return "" if _SAVES.match(slug(caption)) else "sign_up"


def _is_first_login_step(group: Group, caption: str) -> bool:
    """Whether a form asks for the user only, and for the password on the next page."""
    typed = _typed_fields(group)
    if not any(map(_names_user, typed)) or search_field(group) is not None:
        return False
    if account_action(caption) == "log_in":
        return len(typed) <= _MAX_LOGIN_FIELDS
    return is_generic(caption) and len(typed) == 1 and _what_group_says(group, "") == "log_in"


def _names_user(field: Field) -> bool:
    """Whether a field takes the name, address or number that a user logs in with."""
    if field.kind in ("email", "tel") or "username" in field.autocomplete:
        return True
    texts = (slug(label_of(field)), slug(f"{field.name} {field.id}", identifier=True))
    return any(_USER.search(text) for text in texts)


def _what_group_says(group: Group, caption: str) -> str:
    """Return `log_in` or `sign_up` if the button, else the titles, else the form's identifiers say so."""
    titles = " / ".join(title for title in group.titles.values() if title)
    identifiers = (f"{group.id} {group.name}", group.action)
    said = (account_action(caption), account_action(titles), *map(_identifier_action, identifiers))
    return next((action for action in said if action), "")


def _identifier_action(identifier: str) -> str:
    return account_action(identifier, identifier=True)


def _typed_fields(group: Group) -> list[Field]:
    return [field for field in group.fields if field.kind in _TYPED_KINDS]


def is_password(field: Field) -> bool:
    """Whether a field takes a password, rather than a card's security code or a one-time code."""
    tokens = field.autocomplete
    return field.secret and not tokens.startswith("cc-") and " cc-" not in tokens and "one-time" not in tokens


def search_field(group: Group) -> Field | None:
    """Return the field for the search query, if the group is a search form."""
    texts = [field for field in group.fields if field.kind in _SEARCH_FIELD_KINDS and not field.secret]
    marked = [field for field in texts if is_search_field(field)]
    if len(marked) == 1:
        return marked[0]
    if group.role == "search" or (group.submit and is_search(group.submit.label)):
        return texts[0] if len(texts) == 1 and len(group.fields) <= 2 else None
    return None


def is_search_field(field: Field) -> bool:
    """Whether a field's own markup shows that it takes a search query."""
    if field.kind == "combobox" and field.label and not is_search(field.label):
        return False
    if field.type == "search" or field.role == "searchbox":
        return True
    if any(_SEARCH_IDENTIFIER.fullmatch(slug(one, identifier=True)) for one in (field.name, field.id)):
        return True
    return is_search(without_instruction(field.label)) or is_search(field.hint)


def _search_subject_of(group: Group, term: Field, caption: str) -> str:
    """Return what a search form searches, if its label, its button or its title names it."""
    nouns = [search_subject(term.label), search_subject(caption), search_subject(term.hint)]
    titles = [group.titles.get(place, "") for place in ("aria", "legend", "inside")]
    if len(group.fields) > 2:
        titles.append(group.titles.get("before", ""))
    nouns += [search_subject(title) if is_search(title) else _without(title, "search") for title in titles]
    return next((noun for noun in nouns if noun), "")


def _group_noun(group: Group) -> str:
    """Return the title of a group, else the label of its only field, else its id or name."""
    for place in ("aria", "legend", "inside", "before", "around"):
        if noun := slug(first_words(group.titles.get(place, ""))):
            return noun
    texts = [field for field in group.fields if field.kind != "check"]
    if len(texts) == 1 and (label := slug(first_words(texts[0].label or texts[0].near))):
        return label
    for identifier in (group.id, group.name):
        words = [
            word for word in slug(identifier, identifier=True).split("_") if word not in _GENERIC_ID_WORDS
        ]
        if _IDENTIFIER.search("_".join(words)) and not re.search(r"\d", identifier):
            return "_".join(words)
    return ""


def name_single_field(single: SingleField) -> str:
    """Name the tool that sets a field which takes effect by itself."""
    field = single.field
    if field.kind in _SEARCH_FIELD_KINDS and is_search_field(field):
        return join_name(
            search_verb(field.label, field.hint), search_subject(field.label) or search_subject(field.hint)
        )
    identifier = field_identifier(field)
    if field.kind == "text" and (added := _ADDS.fullmatch(identifier)):
        return join_name("add", added[1])
    label = slug(first_words(without_instruction(label_of(field)))) or identifier or field.kind
    return join_name("upload" if field.kind == "file" else "set", label)


def field_identifier(field: Field, max_length: int = MAX_NAME_LENGTH) -> str:
    """Return the name or id of a field as words; "" if it is a number or made anew at each load."""
    for identifier in (field.name, field.id):
        key = slug(identifier, max_length, identifier=True)
        if key and not _UNSTABLE.search(identifier) and not re.fullmatch(r"[a-z]?\d+", key):
            return key
    return ""


def label_of(field: Field) -> str:
    """Return the label of a field, else a short text near it."""
    label = "" if is_sentence(field.label) else field.label
    return label or (field.near if len(field.near.split()) <= 3 else "")


def name_choice_set(choices: ChoiceSet) -> str:
    """Name the tool that shows a tab or presses an item of a menu, a tree or a set of buttons."""
    title = slug(first_words(choices.title))
    if choices.kind == "tabs":
        return join_name("show", title) if title else "show_tab"
    if choices.kind == "menu":
        return to_name(f"{_without(title, 'menu')}_menu") if _without(title, "menu") else "open_menu"
    if choices.kind == "sort":
        return join_name("sort", title or "table")
    if choices.kind == "tree":
        return join_name("open", f"{title}_item" if title else "tree_item")
    return join_name("select", singular(title) or (f"{title}_item" if title else "item"))


def name_item_list(items: ItemList, verb: str) -> str:
    """Name the tool that opens or selects an item of a list."""
    title = slug(first_words(items.title), MAX_NAME_LENGTH - len(verb) - 6)
    if not title:
        return f"{verb}_item"
    return join_name(verb, singular(title) or f"{title}_item")


def to_name(text: str) -> str:
    """Convert a text to the name of a tool, without a count at its end, which may differ at the next load."""
    name = slug(_TRAILING_COUNT.sub("", text) or text)
    return name if len(name) > 1 and name[0].isalpha() else f"press_{name or 'button'}"


def name_button(label: str) -> str:
    """Name the tool that presses a button."""
    return announce(to_name(first_words(label)), label)


def join_name(verb: str, noun: str) -> str:
    """Join a verb and a noun to a name, without repeating the verb."""
    name = noun if noun.partition("_")[0] == verb else f"{verb}_{_without(noun, verb)}".rstrip("_")
    return to_name(slug(name.replace("_", " ")))


def _without(noun: str, verb: str) -> str:
    words = [word for word in slug(noun.replace("_", " ")).split("_") if word and word != verb]
    return "_".join(words)


def make_unique(keys: Iterable[str], taken: Sequence[str] = ()) -> list[str]:
    """Return the keys, made unique: the second of the same name becomes `key_2`."""
    unique: list[str] = list(taken)
    for key in keys:
        candidate, number = key, 1
        while candidate in unique:
            number += 1
            candidate = f"{key}_{number}"
        unique.append(candidate)
    return unique[len(taken) :]
