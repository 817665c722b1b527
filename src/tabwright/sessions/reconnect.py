"""Unnamed sessions between two connections of their client: which ones wait, for whom, and which are gone.

Some clients open a connection for every call. The unnamed session of a closed connection therefore waits for
the same client to connect again; one connection can pick it up.
"""

import os
import secrets
from collections import OrderedDict
from collections.abc import Container
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from tabwright.sessions.claims import Key
from tabwright.sessions.session import UNNAMED

# Connections and clients that are remembered; an HTTP client may never say that it is gone.
_MAX_REMEMBERED = 2_000
_IN_USE = "Another connection of your client has your session, so this one starts empty."


@dataclass(frozen=True)
class Client:
    """A client, as far as a new connection shows which one it is.

    Attributes:
        owner: the caller that owns its sessions: its name, or its token.
        name: its name and version.
        folder: where it was started.
        address: the computer that an HTTP client connects from.
        process: the process that started the connection; 0 if unknown. While it runs, no other process can
            pick up its sessions.
    """

    owner: str
    name: str = ""
    folder: Path | None = None
    address: str = ""
    process: int = field(default=0, compare=False)


@dataclass(frozen=True, eq=False)
class Waiting:
    """A session that waits: its client, and its last connection."""

    client: Client
    connection: str

    def is_for(self, client: Client, connection: str) -> bool:
        """Whether a connection of a client may pick it up."""
        if self.client != client:
            return False
        same_process = self.client.process == client.process
        return self.connection == connection or same_process or not _is_running(self.client.process)


class Reconnects:
    """Which unnamed session each connection works in, and which ones wait for a connection."""

    def __init__(self, remember_seconds: float) -> None:
        self._remember_seconds = remember_seconds
        self._own: OrderedDict[tuple[str, str], tuple[Client, str]] = OrderedDict()
        self._waiting: dict[Key, Waiting] = {}
        # Why the session of a client or a connection, or before a new session, is gone; and since when.
        self._losses: OrderedDict[Client | str | Key, tuple[str, float]] = OrderedDict()

    def session_of(self, client: Client, connection: str, still_open: Container[Key]) -> str:
        """Return the name of the unnamed session of a connection.

        The first time, it picks up a session that waits for the client: the one that its process or
        connection used last, else the last one of a process that has exited.
        """
        if (connection, client.owner) in self._own:
            return self._own[connection, client.owner][1]
        key = self._find_waiting(client, connection, still_open)
        if key is None:
            key = (client.owner, f"{UNNAMED}{secrets.token_hex(6)}")
            loss = self.take_loss(connection) or self.take_loss(client)
            self.remember_loss(key, loss or (_IN_USE if self._is_in_use(client, still_open) else ""))
        else:
            waiting = self._waiting.pop(key)
            if waiting.connection != connection:
                self.remember_loss(waiting.connection, _IN_USE)
        self._own[connection, client.owner] = (client, key[1])
        while len(self._own) > _MAX_REMEMBERED:
            self._own.popitem(last=False)
        return key[1]

    def _is_in_use(self, client: Client, still_open: Container[Key]) -> bool:
        """Whether another connection of the same program has a session: it may call tools in parallel."""
        return any(
            (client.process or client.address)
            and (known, known.process) == (client, client.process)
            and (known.owner, name) in still_open
            for known, name in self._own.values()
        )

    def _find_waiting(self, client: Client, connection: str, still_open: Container[Key]) -> Key | None:
        found = [
            (waiting.connection == connection, waiting.client.process == client.process, number, key)
            for number, (key, waiting) in enumerate(self._waiting.items())
            if key in still_open and waiting.is_for(client, connection)
        ]
        return max(found)[-1] if found else None

    def disconnect(self, connection: str, still_open: Container[Key]) -> dict[Key, Waiting]:
        """Let the unnamed sessions of a connection wait; return them."""
        ended = {
            (client.owner, name): Waiting(client, connection)
            for (known, _), (client, name) in self._own.items()
            if known == connection
        }
        for owner, _ in ended:
            del self._own[connection, owner]
        for key in [key for key in ended if key not in still_open]:
            self.remember_loss(ended.pop(key).client, self.take_loss(key))
        self._waiting |= ended
        return ended

    def forget(self, key: Key) -> Client | None:
        """Forget a session that was closed; return the client that it waited for, if it did."""
        waiting = self._waiting.pop(key, None)
        return waiting.client if waiting else None

    def stop_waiting(self, key: Key, waiting: Waiting) -> bool:
        """Forget that a session waits; return whether it still did."""
        if self._waiting.get(key) is not waiting:
            return False
        del self._waiting[key]
        return True

    def is_waiting(self, key: Key) -> bool:
        """Whether a session waits for its client."""
        return key in self._waiting

    def oldest(self) -> tuple[Key, Waiting] | None:
        """Return the session that has waited longest."""
        return next(iter(self._waiting.items()), None)

    def remember_loss(self, who: Client | str | Key, reason: str) -> None:
        """Remember why a session is gone, if there is a reason."""
        if not reason:
            return
        self._losses.pop(who, None)
        self._losses[who] = (reason, anyio.current_time())
        while len(self._losses) > _MAX_REMEMBERED:
            self._losses.popitem(last=False)

    def take_loss(self, who: Client | str | Key) -> str:
        """Return why a session is gone, once."""
        reason, moment = self._losses.pop(who, ("", 0.0))
        return reason if anyio.current_time() - moment < self._remember_seconds else ""


def _is_running(process: int) -> bool:
    """Whether a process of this user runs."""
    with suppress(OSError, OverflowError):
        os.kill(process, 0)
        return process > 0
    return False
