"""What a parser of documents gets and returns."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field


@dataclass
class Request:
    """What to read: the parts from `first` to `last`, and at most so many characters."""

    name: str
    first: int
    last: int
    characters: int


@dataclass
class Parsed:
    """What a parser found: its parts are made one by one, so that reading can stop."""

    unit: str
    count: int
    parts: Iterator[tuple[str, str]]
    title: str = ""
    notes: list[str] = field(default_factory=list)


Parser = Callable[[bytes, Request], Parsed]
