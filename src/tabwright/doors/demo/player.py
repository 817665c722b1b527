"""Plays the tour: calls tools, prints each call with a short answer, and records the whole answer."""

import base64
import json
import re
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp_types import CallToolResult, ImageContent, TextContent

from tabwright.doors.terminal import Terminal
from tabwright.private_files import save
from tabwright.text import format_count

_MAX_LINES = 7
_MAX_PICTURE_LINES = 1
_MARKERS = re.compile(r"</?page_text [0-9a-f]{8}>")
_INDENT = "     "
_BAR = "│ "


class TourFailed(Exception):
    """A call of the tour had an unexpected outcome; the message says which."""


@dataclass(frozen=True)
class RecordedCall:
    """One call and its whole answer."""

    tool: str
    arguments: dict[str, Any]
    milliseconds: int
    text: str
    failed: bool
    picture: str = ""


@dataclass
class Chapter:
    """A part of the tour: what it shows, and its calls."""

    title: str
    about: str
    calls: list[RecordedCall] = field(default_factory=list)


class Player:
    """Plays the tour through an MCP client, prints it on a terminal, and saves pictures to a folder."""

    def __init__(self, client: Client, terminal: Terminal, folder: Path, pace: float) -> None:
        self.chapters: list[Chapter] = []
        self.pictures: dict[str, str] = {}
        self._client = client
        self._terminal = terminal
        self._folder = folder
        self._pace = pace

    def start(self, title: str, about: str) -> None:
        """Start a chapter."""
        self.chapters.append(Chapter(title, about))
        number = self._terminal.paint(f"{len(self.chapters)}", "blue")
        self._terminal.say(f"\n{number}  {self._terminal.paint(title, 'bold')}\n   {about}\n")

    async def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must succeed; return its text.

        Raises:
            TourFailed: it failed.
        """
        call = await self._record(tool, arguments)
        if call.failed:
            raise TourFailed(f"{tool} failed.")
        return call.text

    async def expect_failure(self, tool: str, **arguments: Any) -> None:
        """Call a tool that must fail.

        Raises:
            TourFailed: it succeeded.
        """
        if not (await self._record(tool, arguments)).failed:
            raise TourFailed(f"{tool} succeeded where it had to fail.")

    async def picture(self, name: str, about: str, **arguments: Any) -> None:
        """Take a screenshot and save it."""
        await self._record("browser_screenshot", arguments, name)
        self.pictures[name] = about

    async def _record(self, tool: str, arguments: dict[str, Any], picture: str = "") -> RecordedCall:
        await anyio.sleep(self._pace)  # so that people can follow
        started = time.perf_counter()
        result = await self._client.call_tool(tool, arguments)
        milliseconds = round((time.perf_counter() - started) * 1000)
        call = RecordedCall(tool, arguments, milliseconds, _text(result), bool(result.is_error), picture)
        if picture:
            self._save_picture(result, picture)
        self.chapters[-1].calls.append(call)
        self._show(call)
        return call

    def _save_picture(self, result: CallToolResult, name: str) -> None:
        for part in result.content:
            if isinstance(part, ImageContent):
                save(self._folder / name, base64.b64decode(part.data))
                return
        raise TourFailed("browser_screenshot returned no picture.")

    def _show(self, call: RecordedCall) -> None:
        terminal = self._terminal
        mark = terminal.paint("✗", "red") if call.failed else terminal.paint("▸", "green")
        took = f"{call.milliseconds} ms"
        room = terminal.width - len(call.tool) - len(took) - 8
        arguments = _cut(format_arguments(call.arguments), room)
        line = f"{terminal.paint(call.tool, 'bold')}  {terminal.paint(f'{arguments:{room}}', 'dim')}"
        terminal.say(f"   {mark} {line} {terminal.paint(took, 'dim')}")
        limit = _MAX_PICTURE_LINES if call.picture else _MAX_LINES
        for answer in _shorten(call.text, terminal.width - len(_INDENT), limit):
            terminal.show(textwrap.indent(answer, _INDENT), "red" if call.failed else "")
        if call.picture:
            terminal.show(f"{_INDENT}→ {self._folder / call.picture}", "blue")


def ref(page: str, element: str) -> str:
    """Return the ref of an element in a snapshot, given its role and name.

    Raises:
        TourFailed: the snapshot does not list it.
    """
    found = re.search(rf"(@e\d+): {re.escape(element)}", page)
    if found is None:
        raise TourFailed(f"The snapshot does not list {element}.")
    return found[1]


def format_arguments(arguments: dict[str, Any]) -> str:
    """Format arguments for people."""
    return "  ".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())


def _text(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def _shorten(text: str, width: int, limit: int) -> Iterator[str]:
    """Yield the first lines of an answer: ours whole, those of the page cut and with a bar in front."""
    lines = list(_mark_page_lines(text))
    for line in lines[:limit]:
        yield _cut(line, width) if line.startswith(_BAR) else textwrap.fill(line, width)
    if len(lines) > limit:
        yield f"… {format_count(len(lines) - limit, 'line')} more"


def _mark_page_lines(text: str) -> Iterator[str]:
    of_page = False
    for line in text.splitlines():
        if _MARKERS.fullmatch(line):
            of_page = not line.startswith("</")
        elif line.strip():
            yield (_BAR if of_page else "") + _MARKERS.sub("", line)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: max(room - 1, 1)]}…"
