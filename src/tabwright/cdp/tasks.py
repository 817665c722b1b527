"""Tasks that run beside a block and end with it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import anyio.abc


@asynccontextmanager
async def tasks_beside() -> AsyncIterator[anyio.abc.TaskGroup]:
    """Cancel the group's tasks when the block ends; the block's own exception passes as it is.

    A plain task group would wrap it, and no caller could catch it by its class.
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
