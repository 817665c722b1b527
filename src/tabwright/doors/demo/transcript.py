"""The transcript of the tour, an HTML page: every call with its whole answer and its picture."""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from string import Template

from tabwright.doors.demo.player import Chapter, RecordedCall, format_arguments

_PAGE = Path(__file__).with_name("transcript.html")


def build_transcript(title: str, about: str, chapters: Iterable[Chapter]) -> str:
    """Build the page; the pictures are in the same folder."""
    parts = "\n".join(map(_chapter, chapters))
    return Template(_PAGE.read_text()).substitute(title=escape(title), about=escape(about), chapters=parts)


def _chapter(chapter: Chapter) -> str:
    head = f'<h2>{escape(chapter.title)}</h2>\n<p class="about">{escape(chapter.about)}</p>'
    return "\n".join([head, *map(_call, chapter.calls)])


def _call(call: RecordedCall) -> str:
    title = f"<strong>{call.tool}</strong> <code>{escape(format_arguments(call.arguments))}</code>"
    picture = f'\n<img src="{call.picture}" alt="{call.picture}">' if call.picture else ""
    kind = ' class="failed"' if call.failed else ""
    took = f"<span>{call.milliseconds} ms</span>"
    return f"<article{kind}><p>{title}{took}</p>\n<pre>{escape(call.text)}</pre>{picture}</article>"
