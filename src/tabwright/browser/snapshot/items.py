"""The items of a list as records: title, link, image, price and other fields, and the rest of the text.

Each value has its key by what it is, never by its position, so an item that lacks one shifts nothing.
"""

import re
from collections.abc import Sequence

from tabwright.browser.snapshot.nodes import Node, words
from tabwright.browser.snapshot.plain_text import text_of

_ITEMS = words("listitem option article")
_MIN_ITEMS = 2
_AMOUNT = r"\d[\d.,\u00a0\u202f']*"
_CURRENCY = r"(?:[$€£¥₹]|\b(?:EUR|USD|GBP|CHF|JPY)\b)"
# The first that matches: "Item 1 $11.00" costs $11.00.
_PRICES = (re.compile(rf"{_CURRENCY}\s?{_AMOUNT}"), re.compile(rf"{_AMOUNT}\s?{_CURRENCY}"))


def read_items(items: Node) -> list[dict[str, str]]:
    """Return a record for each item of a list; none if it has fewer than two."""
    found = [child for child in items.children if child.role in _ITEMS]
    return [_read_item(item) for item in found] if len(found) >= _MIN_ITEMS else []


def _read_item(item: Node) -> dict[str, str]:
    parts = [part for part in item.walk() if part is not item]
    title = _find_title(parts)
    fields = _read_fields(parts, title)
    record = {"title": text_of(title)} if title is not None else {}
    if href := _find_link(item, title, parts):
        record["link"] = href
    if image := next((part for part in parts if part.states.get("src")), None):
        record["image"] = image.states["src"]
    record |= _read_texts(fields)
    is_card = "card" in item.states or bool(fields) or (title is not None and title.role == "heading")
    used = {id(part) for nodes in fields.values() for part in nodes}
    if is_card:
        used |= {id(part) for part in (title, image) if part is not None}
    text = text_of(item, without=used)
    if "price" not in record and is_card and (price := _find_price(text)):
        record["price"] = price
    if text and text != record.get("title"):
        record["text"] = text
    return record


def _find_title(parts: Sequence[Node]) -> Node | None:
    """Return what the markup calls the title, else the first heading, else the first link with a name."""
    stated = (part for part in parts if part.states.get("field") == "title" and text_of(part))
    headings = (part for part in parts if part.role == "heading" and part.name)
    links = (part for part in parts if part.role == "link" and part.name)
    return next(stated, None) or next(headings, None) or next(links, None)


def _find_price(text: str) -> str:
    return next((found[0].strip() for pattern in _PRICES if (found := pattern.search(text))), "")


def _find_link(item: Node, title: Node | None, parts: Sequence[Node]) -> str:
    """Return the address of the title, else of the item, else of its first link."""
    own = [part for part in title.walk() if part.href] if title is not None else []
    return next((part.href for part in (*own, item, *parts) if part.href), "")


def _read_fields(parts: Sequence[Node], title: Node | None) -> dict[str, list[Node]]:
    """Return the parts of each field, except the title; no part is inside another of the same field."""
    fields: dict[str, list[Node]] = {}
    inside: set[tuple[str, int]] = set()
    for part in parts:
        name = part.states.get("field", "") or ("date" if part.role == "time" else "")
        if name in ("", "title") or (name, id(part)) in inside or part is title or not text_of(part):
            continue
        fields.setdefault(name, []).append(part)
        inside.update((name, id(inner)) for inner in part.walk())
    return fields


def _read_texts(fields: dict[str, list[Node]]) -> dict[str, str]:
    """Return the text of each field, without the fields inside it."""
    texts: dict[str, str] = {}
    for name, nodes in fields.items():
        others = {id(part) for other, parts in fields.items() if other != name for part in parts}
        if text := ", ".join(filter(None, (text_of(part, without=others) for part in nodes))):
            texts[name] = text
    return texts
