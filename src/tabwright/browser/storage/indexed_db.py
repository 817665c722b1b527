"""Reads and empties the IndexedDB databases of a frame's origin."""

from dataclasses import dataclass
from typing import Any

from tabwright.browser.page.frame import Frame
from tabwright.errors import Blocked, InvalidArgs, NotFound
from tabwright.text import format_count, quote, quote_name

# Seconds for a read, which waits for the page's own transactions.
_TIMEOUT = 10.0


@dataclass(frozen=True, slots=True)
class Store:
    """An object store: the number of its records, and their key."""

    name: str
    count: int
    key_path: str | list[str] | None
    indexes: list[str]


@dataclass(frozen=True, slots=True)
class Database:
    """A database and its stores."""

    name: str
    version: int
    stores: list[Store]


@dataclass(frozen=True, slots=True)
class Records:
    """Some records of a store, as (key, value); `total` counts all of them."""

    records: list[tuple[Any, Any]]
    total: int


class IndexedDb:
    """The databases of one frame's origin."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    async def all(self) -> list[Database]:
        """Return every database."""
        return [
            Database(
                found["name"],
                found["version"],
                [
                    Store(store["name"], store["count"], store["keyPath"], store["indexes"])
                    for store in found["stores"]
                ],
            )
            for found in (await self._call("listDatabases"))["databases"]
        ]

    async def read(self, database: str, store: str, *, skip: int = 0, limit: int = 20) -> Records:
        """Return `limit` records in the order of their keys; values that are not JSON are described."""
        if skip < 0 or not 1 <= limit <= 1000:
            wanted = format_count(limit, "record")
            raise InvalidArgs(f"Cannot read {wanted} after {skip}.", hint="Read 1 to 1000.")
        answer = await self._call("readStore", database, store, skip, limit)
        return Records([(key, value) for key, value in answer["records"]], answer["total"])

    async def clear(self, database: str) -> list[str]:
        """Empty all stores of a database, even while the page has it open; return their names."""
        return list((await self._call("clearDatabase", database))["cleared"])

    async def _call(self, function: str, *args: Any) -> dict[str, Any]:
        answer: dict[str, Any] = await self._frame.call(function, *args, hang_timeout=_TIMEOUT)
        if "refused" in answer:
            raise Blocked(
                f"{self._frame.url[:100]} has no databases: {quote(answer['message'])}",
                hint="Navigate to a page of the site first.",
            )
        if "missing" in answer:
            known = ", ".join(map(quote_name, answer["known"])) or "none"
            name = args[0] if answer["missing"] == "database" else args[1]
            raise NotFound(
                f"Unknown {answer['missing']} {quote(name)}; known: {known}.", hint="Choose one of them."
            )
        return answer
