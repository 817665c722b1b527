"""Waiting for a state that protocol events change: check, sleep until something changed, check again."""

from collections.abc import Callable

import anyio


class Signal:
    """Wakes its waiters on every change."""

    def __init__(self) -> None:
        self._changed = anyio.Event()

    def fire(self) -> None:
        """Something changed: let every waiter look again."""
        self._changed.set()
        self._changed = anyio.Event()

    async def until(self, reached: Callable[[], bool]) -> None:
        """Return once `reached()` is true; the caller's deadline bounds the wait."""
        while not reached():
            await self._changed.wait()
