"""All sessions: made on first use, found by owner and name, closed when unused."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from tabwright.browser.keeper import Keeper
from tabwright.errors import Denied, NotFound
from tabwright.sessions.session import UNNAMED, Session

DEFAULT = "default"


@dataclass(frozen=True)
class Limits:
    """How many sessions there may be, and for how long unused."""

    most: int = 10
    idle_seconds: float = 30 * 60


class Sessions:
    """The sessions of all owners over one browser."""

    def __init__(self, keeper: Keeper, limits: Limits) -> None:
        self._keeper = keeper
        self._limits = limits
        self._sessions: dict[tuple[str, str], Session] = {}
        self._making = anyio.Lock()

    @classmethod
    @asynccontextmanager
    async def open(cls, keeper: Keeper, limits: Limits | None = None) -> "AsyncIterator[Sessions]":
        """Hold sessions while the block runs, and close those that nobody uses."""
        sessions = cls(keeper, limits or Limits())
        async with anyio.create_task_group() as group:
            group.start_soon(sessions.expire)
            yield sessions
            group.cancel_scope.cancel()

    def of(self, owner: str, own: str | None = None) -> tuple[Session, ...]:
        """The living sessions of one owner; of the unnamed ones only the caller's `own`."""
        return tuple(
            session
            for (of, name), session in self._sessions.items()
            if of == owner and (name == own or not name.startswith(UNNAMED))
        )

    def __iter__(self) -> Iterator[Session]:
        return iter(tuple(self._sessions.values()))

    @property
    def browser_running(self) -> bool:
        """Whether there is a browser now."""
        return self._keeper.running

    async def get(self, owner: str, name: str | None = None) -> Session:
        """Return the owner's session of that name, made if there is none."""
        key = (owner, name or DEFAULT)
        async with self._making:
            session = self._sessions.get(key)
            if session is not None and not session.alive:
                del self._sessions[key]
                session = None
            if session is None:
                session = await self._make(*key)
            session.used = anyio.current_time()
            return session

    async def close(self, owner: str, name: str) -> Session:
        """Close the owner's session of that name."""
        session = self._sessions.pop((owner, name), None)
        if session is None:
            known = ", ".join(session.name for session in self.of(owner)) or "none"
            raise NotFound(f"There is no session {name}; yours: {known}.", hint="Choose one of them.")
        await session.close()
        return session

    async def leave(self, name: str) -> None:
        """Close the sessions of that name, whoever owns them: their only client went away."""
        for (owner, known), _ in tuple(self._sessions.items()):
            if known == name:
                await self.close(owner, name)

    async def expire(self) -> None:
        """Close sessions that were not used for too long, for as long as we run."""
        while True:
            await anyio.sleep(min(30.0, self._limits.idle_seconds / 2))
            for (owner, name), session in tuple(self._sessions.items()):
                unused = anyio.current_time() - session.used
                if unused > self._limits.idle_seconds and not session.lock.locked():
                    await self.close(owner, name)

    async def _make(self, owner: str, name: str) -> Session:
        if len(self._sessions) >= self._limits.most:
            raise Denied(
                f"{self._limits.most} sessions are open, which is the limit.",
                hint="Close one, or raise sessions.maxConcurrent.",
            )
        browser = await self._keeper.browser()
        with anyio.CancelScope(shield=True):  # a context that nobody knows would stay until the browser ends
            session = Session(name, owner, await browser.new_context())
            self._sessions[owner, name] = session
        return session
