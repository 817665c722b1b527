"""Named sessions on disk: one private SQLite file, one row each, safe for several processes."""

import logging
import math
import os
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import anyio
import orjson

from tabwright.browser.saved_state.state import ContextState
from tabwright.errors import Blocked

log = logging.getLogger(__name__)

_TABLE = """CREATE TABLE IF NOT EXISTS session (
    owner TEXT NOT NULL, name TEXT NOT NULL, saved REAL NOT NULL, tabs INTEGER NOT NULL, state BLOB NOT NULL,
    PRIMARY KEY (owner, name)) WITHOUT ROWID"""
_PUT = "INSERT OR REPLACE INTO session (owner, name, saved, tabs, state) VALUES (?, ?, ?, ?, ?)"
# Seconds to wait while another process writes.
_BUSY_TIMEOUT = 3.0
# Seconds between two deletions of old rows.
_CLEANUP_INTERVAL = 3_600.0
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A row without its state."""

    owner: str
    name: str
    saved: float
    tabs: int


class Store:
    """The file, opened at first use. All work is done in a thread, one query at a time.

    Rows older than `keep_seconds` are deleted.
    """

    def __init__(self, path: Path, keep_seconds: float = math.inf) -> None:
        self._path = path
        self._keep_seconds = keep_seconds
        self._cleaned_up = -math.inf
        self._open: sqlite3.Connection | None = None
        self._inode = 0
        self._warned = False
        self._one = anyio.CapacityLimiter(1)

    async def put(self, owner: str, name: str, state: ContextState) -> None:
        """Store a session, replacing its earlier state."""

        def write(database: sqlite3.Connection) -> None:
            row = (owner, name, state.taken, len(state.tabs), orjson.dumps(state))
            database.execute(_PUT, row)

        await self._work(write, None)

    async def get(self, owner: str, name: str) -> bytes | None:
        """Return the stored state of a session.

        Raises:
            Blocked: the file cannot be read, so it is unknown whether the session is stored.
        """

        def read(database: sqlite3.Connection) -> bytes | None:
            found = database.execute(
                "SELECT state FROM session WHERE owner = ? AND name = ?", (owner, name)
            ).fetchone()
            return bytes(found[0]) if found else None

        return await self._read(read, None)

    async def all(self) -> tuple[StoredSession, ...]:
        """Return all stored sessions, the latest first."""

        def read(database: sqlite3.Connection) -> tuple[StoredSession, ...]:
            rows = database.execute("SELECT owner, name, saved, tabs FROM session ORDER BY saved DESC")
            return tuple(StoredSession(*row) for row in rows)

        return await self._work(read, ())

    async def forget(self, owner: str, name: str) -> bool:
        """Delete a session; return whether it was there.

        Raises:
            Blocked: the file cannot be changed.
        """

        def delete(database: sqlite3.Connection) -> bool:
            found = database.execute("DELETE FROM session WHERE owner = ? AND name = ?", (owner, name))
            return found.rowcount > 0

        return await self._read(delete, False)

    async def set_aside(self, owner: str, name: str) -> str:
        """Rename a stored session that cannot be used, so that nothing overwrites it; return its new name."""
        aside = f"{name}.unreadable-{time.strftime('%Y%m%dT%H%M%S')}"

        def rename(database: sqlite3.Connection) -> str:
            database.execute(
                "UPDATE OR REPLACE session SET name = ? WHERE owner = ? AND name = ?", (aside, owner, name)
            )
            return aside

        return await self._read(rename, aside)

    async def close(self) -> None:
        """Close the file."""
        await anyio.to_thread.run_sync(self._close, limiter=self._one)

    async def _work(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run a query in the thread; a failure of the disk does not stop agents."""
        try:
            return await anyio.to_thread.run_sync(self._run_or_repair, work, limiter=self._one)
        except (sqlite3.Error, OSError, orjson.JSONEncodeError) as error:
            if not self._warned:
                log.warning("cannot store sessions in %s: %s", self._path, error)
            self._warned = True
            return otherwise

    async def _read(self, work: Callable[[sqlite3.Connection], T], if_absent: T) -> T:
        """Run a query whose answer decides about a stored session: a failure is the caller's to know.

        Otherwise a session that could not be read would start empty, and then overwrite what is stored.
        """
        try:
            return await anyio.to_thread.run_sync(self._run_or_repair, work, limiter=self._one)
        except (sqlite3.Error, OSError) as error:
            if not self._path.exists():  # and cannot be created: nothing is stored
                return if_absent
            log.warning("cannot read the sessions in %s: %s", self._path, error)
            raise Blocked(
                f"Saved sessions cannot be read: {error}.",
                hint="Nothing was lost or changed. Try again; if it stays so, run `tabwright doctor`.",
            ) from error

    def _run_or_repair(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return self._run(work)
        except sqlite3.DatabaseError as error:
            if not _is_damaged(error):
                raise
            self._set_aside(error)
            return self._run(work)

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with self._database() as database:
            self._clean_up(database)
            result = work(database)
        self._warned = False
        return result

    def _database(self) -> sqlite3.Connection:
        if self._open is None:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # SQLite gives its companion files the rights of this one.
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
            self._path.chmod(0o600)
            self._inode = self._path.stat().st_ino
            database = sqlite3.connect(self._path, timeout=_BUSY_TIMEOUT, check_same_thread=False)
            try:
                database.execute("PRAGMA journal_mode = WAL")
                database.execute(_TABLE)
            except sqlite3.Error:
                database.close()
                raise
            self._open = database
        return self._open

    def _clean_up(self, database: sqlite3.Connection) -> None:
        """Delete old rows from time to time."""
        if time.monotonic() - self._cleaned_up > _CLEANUP_INTERVAL:
            database.execute("DELETE FROM session WHERE saved < ?", (time.time() - self._keep_seconds,))
            self._cleaned_up = time.monotonic()

    def _set_aside(self, error: Exception) -> None:
        """Move a damaged file away, unless another process already did."""
        self._close()
        if not self._path.exists() or self._path.stat().st_ino != self._inode:
            return
        aside = self._path.with_name(f"{self._path.name}.damaged-{time.strftime('%Y%m%dT%H%M%S')}")
        log.warning(
            "%s is damaged (%s); it was renamed to %s, and a new one is created",
            self._path,
            error,
            aside.name,
        )
        self._path.rename(aside)
        for companion in ("-wal", "-shm"):
            self._path.with_name(self._path.name + companion).unlink(missing_ok=True)

    def _close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


def _is_damaged(error: sqlite3.DatabaseError) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
