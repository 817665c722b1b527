"""Ranks tools: those that people visit a page for, and those in view, come first."""

from typing import Final

from tabwright.page_tools.found.facts import Position

_KINDS: Final = {
    "search": 90.0,
    "entry": 88.0,
    "form": 84.0,
    "open": 72.0,
    "contents": 61.0,
    "chapters": 63.0,
    "item": 70.0,
    "pages": 62.0,
    "places": 40.0,
    "sort": 51.0,
    "tabs": 60.0,
    "button": 56.0,
    "field": 58.0,
    "table": 54.0,
    "select": 52.0,
    "menu": 48.0,
    "tree": 50.0,
    "buttons": 55.0,
}
_LANDMARKS: Final = {
    "main": 6.0,
    "dialog": 40.0,
    "header": -2.0,
    "aside": -8.0,
    "nav": -12.0,
    "footer": -16.0,
}
_OUT_OF_VIEW: Final = -6.0
_CONSENT: Final = -200.0
_IN_FRAME: Final = -4.0


def rank(kind: str, position: Position, *, inner: bool) -> float:
    """Return the rank of a tool by its kind and position; `inner`: whether it is in an inner frame."""
    value = _KINDS[kind] + _LANDMARKS.get(position.landmark, 0.0)
    value += 0.0 if position.onscreen else _OUT_OF_VIEW
    value += _CONSENT if position.consent else 0.0
    return value + (_IN_FRAME if inner else 0.0)
