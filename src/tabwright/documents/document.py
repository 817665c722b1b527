"""Parsing a document in a child process, with limits on its size, time, memory and output."""

import os
import re
import sys
from dataclasses import dataclass
from typing import Any

import anyio
import orjson

from tabwright.aio import deadline
from tabwright.errors import Blocked, InvalidArgs, PageFailed
from tabwright.text import format_count, quote_line

MAX_BYTES = 32 * 1024 * 1024
# Parts (pages of a PDF, sheets of a workbook) that one call reads.
MAX_PARTS = 20
_MAX_CHARACTERS = 400_000
_TIMEOUT = 60.0
_RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")
_SUPPORTED = "Supported are PDF, DOCX, XLSX and CSV."


@dataclass(frozen=True)
class Document:
    """The parts of a document that were read, as Markdown."""

    title: str
    text: str
    notes: tuple[str, ...] = ()


def parse_range(pages: str | None) -> tuple[int, int]:
    """Return the first and the last page of a range such as "3" or "3-7".

    Raises:
        InvalidArgs: it is not a range.
    """
    if pages is None:
        return 1, MAX_PARTS
    match = _RANGE.fullmatch(pages)
    first = int(match[1]) if match else 0
    last = int(match[2] or first) if match else 0
    if not 1 <= first <= last:
        raise InvalidArgs(f"Invalid pages {pages!r}.", hint='Give a page or a range, such as "3" or "3-7".')
    return first, min(last, first + MAX_PARTS - 1)


async def parse(content: bytes, name: str, pages: str | None) -> Document:
    """Return a document as Markdown.

    Raises:
        Blocked: the packages that read it are not installed.
        InvalidArgs: it is not a document of a supported kind, or has no such page.
        PageFailed: it is damaged, protected, or takes too much memory.
        TimedOut: it takes too long.
    """
    first, last = parse_range(pages)
    spec = {"name": name, "first": first, "last": last, "characters": _MAX_CHARACTERS}
    with deadline(
        _TIMEOUT, f"{quote_line(name)} took more than {_TIMEOUT:g} s to read.", hint="Read fewer pages."
    ):
        answer = await _run_worker(orjson.dumps(spec) + b"\n" + content, name)
    if fault := answer.get("fault"):
        raise _error(fault, answer, name)
    return _document(answer, name, first)


async def _run_worker(request: bytes, name: str) -> dict[str, Any]:
    command = [sys.executable, "-P", "-m", "tabwright.documents.worker"]
    ended = await anyio.run_process(command, input=request, check=False, env=_environment())
    if ended.returncode == 0 and ended.stdout:
        answer: dict[str, Any] = orjson.loads(ended.stdout)
        return answer
    # Only the class of the error: its text may quote the document.
    lines = ended.stderr.decode(errors="replace").strip().splitlines() or [""]
    kind = re.match(r"[\w.]+", lines[-1])
    reason = kind[0].rpartition(".")[2] if kind else f"exit code {ended.returncode}"
    if "Password" in reason:
        raise PageFailed(f"{quote_line(name)} needs a password.", hint="Ask the user for a copy without one.")
    raise PageFailed(
        f"{quote_line(name)} cannot be read: {reason}.", hint="It may be damaged; try another copy."
    )


def _environment() -> dict[str, str]:
    """Return what the child needs to find the same packages; it sees no secrets of the hub."""
    return {"PATH": os.defpath, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"}


def _error(fault: str, answer: dict[str, Any], name: str) -> Exception:
    shown = quote_line(name)
    if fault == "missing":
        return Blocked(
            f"Reading {answer['kind']} documents needs packages that are not installed.",
            hint="Ask the user to run: pip install 'tabwright[documents]'",
        )
    if fault == "range":
        return InvalidArgs(
            f"{shown} has {format_count(answer['count'], answer['unit'])}.", hint="Choose others."
        )
    if fault == "large":
        return PageFailed(f"{shown} is too large when unpacked.", hint="Ask for a smaller file.")
    return InvalidArgs(f"{shown} is not a document that can be read.", hint=_SUPPORTED)


def _document(answer: dict[str, Any], name: str, first: int) -> Document:
    parts, count, unit = answer["parts"], answer["count"], answer["unit"]
    notes = list(answer["notes"])
    end = first + len(parts) - 1
    if end < count:
        following = f"{end + 1}-{min(count, end + MAX_PARTS)}"
        notes.append(f"{unit.capitalize()}s {first} to {end} of {count}; the next ones: pages {following}")
    text = "\n\n".join(
        f"## {part['label']}\n\n{part['text']}".rstrip() if part["label"] else part["text"] for part in parts
    )
    return Document(answer["title"] or name, text, tuple(notes))
