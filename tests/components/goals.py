"""What a goal on a component library is: the steps of an agent, and what must be true afterwards.

Elements are written as the snapshot writes them: a role and the name that a person would use, such as
`combobox "Age"`. Case does not count, and `*` stands for any text. `row with "Ada" / checkbox` is the checkbox in
the row that shows Ada. `combobox "Age" = "Ten"` shows its value in its line or below it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Step:
    """A tool call. `elements` are the arguments that name an element; the driver replaces them with refs."""

    tool: str
    elements: Mapping[str, str]
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Goal:
    """Something a person does with one control."""

    name: str
    steps: tuple[Step, ...]
    state: Mapping[str, Any]  # what the page itself holds in the end, as far as the goal is about it
    shows: str | None = None  # a line of the last snapshot
    hides: str | None = None  # a line that the last snapshot does not have


def goal(
    name: str, /, *steps: Step, shows: str | None = None, hides: str | None = None, **state: object
) -> Goal:
    """Declare a goal; the keyword arguments are the state that the page must hold."""
    return Goal(name, steps, state, shows, hides)


def click(element: str) -> Step:
    """Click an element."""
    return Step("browser_click", {"selector": element})


def fill(element: str, value: str) -> Step:
    """Set a control to a value."""
    return Step("browser_fill", {"selector": element}, {"value": value})


def press(key: str, element: str | None = None) -> Step:
    """Press a key, on an element or where the focus is."""
    return Step("browser_press", {"selector": element} if element else {}, {"key": key})


def hover(element: str) -> Step:
    """Move the pointer over an element."""
    return Step("hover", {"target": element})


def double_click(element: str) -> Step:
    """Click an element twice."""
    return Step("click", {"target": element}, {"count": 2})


def right_click(element: str) -> Step:
    """Open the context menu of an element."""
    return Step("click", {"target": element}, {"button": "right"})


def drag(element: str, to: str) -> Step:
    """Drag an element onto another."""
    return Step("drag", {"target": element, "to": to})


def upload(element: str, file: str) -> Step:
    """Choose a file of the agent's folder."""
    return Step("upload", {"target": element}, {"paths": [file]})


def type_text(element: str, text: str) -> Step:
    """Type at the end of what an element holds."""
    return Step("type_text", {"target": element}, {"text": text})
