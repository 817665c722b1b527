"""The tour as a page to look at afterwards: every call with its whole answer and its picture."""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from string import Template

from tabwright.doors.demo.player import Chapter, RecordedCall, described

_PAGE = Path(__file__).with_name("transcript.html")


def transcript(title: str, about: str, chapters: Iterable[Chapter]) -> str:
    """Return the page; the pictures are beside it."""
    parts = "\n".join(map(_chapter, chapters))
    return Template(_PAGE.read_text()).substitute(title=escape(title), about=escape(about), chapters=parts)


def _chapter(chapter: Chapter) -> str:
    head = f'<h2>{escape(chapter.title)}</h2>\n<p class="about">{escape(chapter.about)}</p>'
    return "\n".join([head, *map(_call, chapter.calls)])


def _call(told: RecordedCall) -> str:
    words = f"<strong>{told.tool}</strong> <code>{escape(described(told.arguments))}</code>"
    picture = f'\n<img src="{told.picture}" alt="{told.picture}">' if told.picture else ""
    kind = ' class="failed"' if told.failed else ""
    took = f"<span>{told.milliseconds} ms</span>"
    return f"<article{kind}><p>{words}{took}</p>\n<pre>{escape(told.text)}</pre>{picture}</article>"
