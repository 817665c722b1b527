"""Reaches goals as an agent would: reads the snapshot, acts on refs over MCP, and checks each answer."""

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import anyio

from tests.components.goals import Goal, Step
from tests.doors.mcp.agents import Agent, text_of

_LINE = re.compile(r"^(?P<indent> *)- (?:@(?P<ref>e\d+): )?(?P<text>.*)$", re.MULTILINE)
_ROW = re.compile(r"row[^:]*: (?P<cells>.*)$")
_CELL = re.compile(r"(?:^| \| |, )(?:@(?P<ref>e\d+): )?(?P<text>.*?)(?= \| |, @e|$)")
_FOCUS = re.compile(r" \(focused\)|focused, |, focused")


class Missed(AssertionError):
    """A goal that was not reached, or a report that was not true."""


async def reach(agent: Agent, goal: Goal, *, patience: float) -> None:
    """Take the steps of a goal and check what is true in the end.

    Raises:
        Missed: With the step and the exact text that was wrong. `patience` limits each wait in seconds.
    """
    claims = [await _take(agent, step, patience) for step in goal.steps]
    state, snapshot = await _settle(agent, goal, patience)
    held = {key: state.get(key) for key in goal.state}
    if held != goal.state:
        raise Missed(f"the page holds {held}, not {dict(goal.state)}; the last answer was: {claims[-1]}")
    if goal.shows and not find(snapshot, goal.shows):
        raise Missed(f"the snapshot does not show {goal.shows}:\n{snapshot}")
    if goal.hides and find(snapshot, goal.hides):
        raise Missed(f"the snapshot still shows {goal.hides}:\n{snapshot}")


async def _take(agent: Agent, step: Step, patience: float) -> str:
    """Take one step; return the answer, which is true as far as the page shows."""
    refs = {name: await _wait_for(agent, element, patience) for name, element in step.elements.items()}
    before = await _look(agent)
    answer = await _call(agent, step, {**refs, **step.arguments})
    after = await _look(agent)
    if "Nothing changed." in answer and (difference := _compare(before, after)):
        raise Missed(f"{step}: the answer is not true: {answer}\n{difference}")
    return answer


async def _call(agent: Agent, step: Step, arguments: dict[str, Any]) -> str:
    if step.tool.startswith("browser_"):
        result = await agent.call(step.tool, **arguments)
    else:
        result = await agent.call("browser_more", action=step.tool, args=arguments)
    text = text_of(result)
    if result.get("isError"):
        raise Missed(f"{step}: {text}")
    return text


async def _wait_for(agent: Agent, element: str, patience: float) -> str:
    """Return the ref of an element as soon as the snapshot shows it."""
    # The time is checked between calls: a call that is cancelled halfway leaves its connection unusable.
    deadline = anyio.current_time() + patience
    while True:
        snapshot = await agent.text("browser_snapshot")
        if (line := find(snapshot, element)) and line.ref:
            return f"@{line.ref}"
        if anyio.current_time() > deadline:
            raise Missed(f"the snapshot has no ref for {element}:\n{snapshot}")


async def _settle(agent: Agent, goal: Goal, patience: float) -> tuple[dict[str, Any], str]:
    """Wait until the page holds and shows the goal, at most for `patience`; return what it holds and shows."""
    deadline = anyio.current_time() + patience
    while True:
        state, snapshot = await _observe(agent)
        reached = (
            all(state.get(key) == value for key, value in goal.state.items())
            and (goal.shows is None or find(snapshot, goal.shows))
            and (goal.hides is None or not find(snapshot, goal.hides))
        )
        if reached or anyio.current_time() > deadline:
            return state, snapshot


async def _observe(agent: Agent) -> tuple[dict[str, Any], str]:
    """Return what the page holds and what the snapshot shows."""
    answer = await agent.text("browser_evaluate", script="JSON.stringify(window.state)")
    # What changes meanwhile follows on the next lines.
    return json.loads(answer.splitlines()[0]), await _look(agent)


async def _look(agent: Agent) -> str:
    """Return what the snapshot shows, except for the focus."""
    return _FOCUS.sub("", await agent.text("browser_snapshot"))


@dataclass(frozen=True)
class Line:
    """A line of a snapshot; a cell in the line of its row counts as a line below it."""

    depth: int
    ref: str | None
    text: str


def read_lines(snapshot: str) -> list[Line]:
    """Read the lines of a snapshot."""
    lines = []
    for found in _LINE.finditer(snapshot):
        depth, text = len(found["indent"]), found["text"]
        lines.append(Line(depth, found["ref"], text))
        if row := _ROW.match(text):
            lines += [Line(depth + 1, cell["ref"], cell["text"]) for cell in _CELL.finditer(row["cells"])]
    return lines


def find(snapshot: str, path: str) -> Line | None:
    """Return the first line that matches an element as goals write it."""
    found, lines = None, read_lines(snapshot)
    for part in path.split(" / "):
        index = next((index for index in range(len(lines)) if _matches(lines, index, part)), None)
        if index is None:
            return None
        found, lines = lines[index], _below(lines, index)
    return found


def _matches(lines: list[Line], index: int, part: str) -> bool:
    """Whether a line is the element; its value, or what it holds, may be in the line or below it."""
    for separator in (" = ", " with "):
        element, given, text = part.partition(separator)
        if given and not _pattern(part).match(lines[index].text):
            shown = _pattern(f"*{text.strip(chr(34))}*")
            below = _below(lines, index)
            return _matches(lines, index, element) and any(shown.match(line.text) for line in below)
    return _pattern(part).match(lines[index].text) is not None


def _below(lines: list[Line], index: int) -> list[Line]:
    rest = lines[index + 1 :]
    depth = lines[index].depth
    return rest[: next((n for n, line in enumerate(rest) if line.depth <= depth), len(rest))]


@cache
def _pattern(part: str) -> re.Pattern[str]:
    text = ".*".join(re.escape(piece) for piece in part.split("*"))
    if part.startswith("* "):  # any role: one word, not the whole line of a row
        text = text.replace(".*", r"\w+", 1)
    return re.compile(rf"{text}(?= |$|:)", re.IGNORECASE)


def _compare(before: str, after: str) -> str:
    """Return the lines that only one of two snapshots has."""
    old, new = ([line for line in text.splitlines() if "[Left out" not in line] for text in (before, after))
    lines = [f"- {line}" for line in old if line not in new] + [
        f"+ {line}" for line in new if line not in old
    ]
    return "\n".join(lines)
