"""Calls tools before the eyes of a person: each call is shown shortly as it is made, and kept whole."""

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

_LINES = 7
_LINES_OF_A_PICTURE = 1
_MARKS = re.compile(r"</?page_text [0-9a-f]{8}>")
_INDENT = "     "
_BAR = "│ "


class TourFailed(Exception):
    """A call did not end as it should; the text says which."""


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
    """A part of the tour: what it shows, and the calls that were made for it."""

    title: str
    about: str
    calls: list[RecordedCall] = field(default_factory=list)


class Player:
    """Leads through the tour: an MCP client, somebody who watches, and a folder for what is to be kept."""

    def __init__(self, client: Client, terminal: Terminal, folder: Path, pace: float) -> None:
        self.chapters: list[Chapter] = []
        self.pictures: dict[str, str] = {}
        self._client = client
        self._terminal = terminal
        self._folder = folder
        self._pace = pace

    def begin(self, title: str, about: str) -> None:
        """Begin a chapter."""
        self.chapters.append(Chapter(title, about))
        number = self._terminal.painted(f"{len(self.chapters)}", "blue")
        self._terminal.say(f"\n{number}  {self._terminal.painted(title, 'bold')}\n   {about}\n")

    async def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool that works; return what it said.

        Raises:
            Astray: it failed.
        """
        told = await self._called(tool, arguments)
        if told.failed:
            raise TourFailed(f"{tool} failed.")
        return told.text

    async def refused(self, tool: str, **arguments: Any) -> None:
        """Call a tool that has to refuse.

        Raises:
            Astray: it did not.
        """
        if not (await self._called(tool, arguments)).failed:
            raise TourFailed(f"{tool} said that it was done, which cannot be.")

    async def picture(self, name: str, about: str, **arguments: Any) -> None:
        """Take a picture of the page and keep it."""
        await self._called("browser_screenshot", arguments, name)
        self.pictures[name] = about

    async def _called(self, tool: str, arguments: dict[str, Any], picture: str = "") -> RecordedCall:
        await anyio.sleep(self._pace)  # for the eyes of whoever watches
        started = time.perf_counter()
        result = await self._client.call_tool(tool, arguments)
        milliseconds = round((time.perf_counter() - started) * 1000)
        told = RecordedCall(tool, arguments, milliseconds, _text(result), bool(result.is_error), picture)
        if picture:
            self._keep(result, picture)
        self.chapters[-1].calls.append(told)
        self._show(told)
        return told

    def _keep(self, result: CallToolResult, name: str) -> None:
        for part in result.content:
            if isinstance(part, ImageContent):
                save(self._folder / name, base64.b64decode(part.data))
                return
        raise TourFailed("browser_screenshot brought no picture.")

    def _show(self, told: RecordedCall) -> None:
        terminal = self._terminal
        mark = terminal.painted("✗", "red") if told.failed else terminal.painted("▸", "green")
        took = f"{told.milliseconds} ms"
        room = terminal.width - len(told.tool) - len(took) - 8
        words = _cut(described(told.arguments), room)
        line = f"{terminal.painted(told.tool, 'bold')}  {terminal.painted(f'{words:{room}}', 'dim')}"
        terminal.say(f"   {mark} {line} {terminal.painted(took, 'dim')}")
        most = _LINES_OF_A_PICTURE if told.picture else _LINES
        for answer in _shortened(told.text, terminal.width - len(_INDENT), most):
            terminal.show(textwrap.indent(answer, _INDENT), "red" if told.failed else "")
        if told.picture:
            terminal.show(f"{_INDENT}→ {self._folder / told.picture}", "blue")


def ref(page: str, what: str) -> str:
    """Return the ref of what a snapshot tells of, as an agent reads it: role and name.

    Raises:
        Astray: it is not there.
    """
    found = re.search(rf"(@e\d+): {re.escape(what)}", page)
    if found is None:
        raise TourFailed(f"The snapshot does not tell of {what}.")
    return found[1]


def described(arguments: dict[str, Any]) -> str:
    """Return arguments as words."""
    return "  ".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())


def _text(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def _shortened(text: str, width: int, most: int) -> Iterator[str]:
    """The first lines of an answer: ours whole, the page's with a bar before them and cut."""
    lines = list(_barred(text))
    for line in lines[:most]:
        yield _cut(line, width) if line.startswith(_BAR) else textwrap.fill(line, width)
    if len(lines) > most:
        yield f"… {format_count(len(lines) - most, 'line')} more"


def _barred(text: str) -> Iterator[str]:
    of_page = False
    for line in text.splitlines():
        if _MARKS.fullmatch(line):
            of_page = not line.startswith("</")
        elif line.strip():
            yield (_BAR if of_page else "") + _MARKS.sub("", line)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: max(room - 1, 1)]}…"
