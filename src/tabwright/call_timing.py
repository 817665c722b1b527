"""When a call runs and for how long: its turn in the session, its deadline, its progress reports."""

import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import anyio

from tabwright.action import Action, Args
from tabwright.call import PERSON, Call, Progress
from tabwright.errors import TimedOut
from tabwright.sessions.session import Session
from tabwright.text import format_count

_PROGRESS_INTERVAL = 1.0


@asynccontextmanager
async def wait_for_turn(session: Session, action: Action, call: Call) -> AsyncIterator[None]:
    """Wait for the session's lock; hold it during the call, unless other calls must run meanwhile.

    Raises:
        Blocked: a person has taken over the session.
    """
    async with session.lock:
        if call.door != PERSON:
            session.require_free()
        await session.restore()
        if action.queued:
            yield
            return
    yield


@asynccontextmanager
async def report_progress(call: Call, action: Action, session: Session) -> AsyncIterator[None]:
    """Report to the caller while a long action runs, and what it waits for."""
    if call.progress is None or not action.patient:
        yield
        return
    failure: Exception | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(_send_progress, call.progress, action, session)
        try:
            yield
        except Exception as error:
            failure = error  # raised below, because the group would wrap it
        group.cancel_scope.cancel()
    if failure is not None:
        raise failure


async def _send_progress(progress: Progress, action: Action, session: Session) -> None:
    for step in itertools.count(1):
        tab = session.tabs[-1] if session.tabs else None
        waiting = len(tab.traffic.in_flight) if tab else 0
        await progress(float(step), f"{action.name}: {format_count(waiting, 'request')} under way")
        await anyio.sleep(_PROGRESS_INTERVAL)


@contextmanager
def limit_time(action: Action, args: Args, minimum: float) -> Iterator[None]:
    """Stop an action that runs longer than its own timeout plus a margin."""
    seconds = max(minimum, getattr(args, "timeout", 0.0) + minimum / 4)
    try:
        with anyio.fail_after(seconds):
            yield
    except TimeoutError as error:
        raise TimedOut(
            f"{action.name} did not finish in {seconds:g} s and was stopped.",
            hint="Check the page, then try again.",
        ) from error
