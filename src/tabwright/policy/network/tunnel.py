"""Copies bytes between two streams, both ways, until one side ends or nothing moves for too long."""

from collections.abc import Awaitable, Callable

import anyio
import anyio.abc

from tabwright.policy.network.http_head import PeekableStream

OVER = (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError)


async def copy(source: PeekableStream, sink: anyio.abc.ByteStream, moved: Callable[[], None]) -> None:
    """Copy until one of them ends."""
    try:
        while True:
            await sink.send(await source.receive())
            moved()
    except OVER:
        return


async def exchange(
    up: Callable[[Callable[[], None]], Awaitable[None]],
    down: Callable[[Callable[[], None]], Awaitable[None]],
    idle_seconds: float,
) -> None:
    """Run both directions; the end of one is the end of both, for a browser never closes one half only."""
    with anyio.move_on_after(idle_seconds) as patience:

        def moved() -> None:
            # Moving a deadline costs more than a piece does, and a tenth of it more or less does not matter.
            deadline = anyio.current_time() + idle_seconds
            if deadline - patience.deadline > idle_seconds / 10:
                patience.deadline = deadline

        async with anyio.create_task_group() as group:

            async def until_over(direction: Callable[[Callable[[], None]], Awaitable[None]]) -> None:
                await direction(moved)
                group.cancel_scope.cancel()

            group.start_soon(until_over, down)
            await until_over(up)
