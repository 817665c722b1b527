"""Tools for async code: tasks that run next to a body, a signal to wait for, deadlines."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import anyio
import anyio.abc

from tabwright.errors import TimedOut


@asynccontextmanager
async def background_tasks() -> AsyncIterator[anyio.abc.TaskGroup]:
    """Cancel the group's tasks when the block ends; re-raise the block's own exception unwrapped.

    A plain task group would wrap it in a group, and callers could not catch it by its class.
    """
    failure: Exception | None = None
    async with anyio.create_task_group() as group:
        try:
            yield group
        except Exception as error:
            failure = error
        finally:
            group.cancel_scope.cancel()
    if failure is not None:
        raise failure


class Signal:
    """Wakes its waiters on every change."""

    def __init__(self) -> None:
        self._changed = anyio.Event()

    def fire(self) -> None:
        """Wake every waiter, so that it checks its condition again."""
        self._changed.set()
        self._changed = anyio.Event()

    async def until(self, reached: Callable[[], bool]) -> None:
        """Return once `reached()` is true; the caller's deadline bounds the wait."""
        while not reached():
            await self._changed.wait()


@contextmanager
def deadline(seconds: float, message: str, *, hint: str) -> Iterator[None]:
    """Raise `TimedOut` when the block takes longer."""
    try:
        with anyio.fail_after(seconds):
            yield
    except TimeoutError as error:
        raise TimedOut(message, hint=hint) from error


def seconds_until(moment: float) -> float:
    """Return the seconds until a moment of anyio's clock; 0 if it has passed."""
    return max(0.0, moment - anyio.current_time())
