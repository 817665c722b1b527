"""Run a program without a shell: output bounded while it is read, an end at its time, with all it started."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import anyio

from tabwright.agent_browser.stream import Stream
from tabwright.errors import NotFound


async def run(
    command: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    seconds: float,
    streams: tuple[Stream, Stream],
    waits: anyio.CapacityLimiter,
) -> int | None:
    """Run a program and follow its streams; return its exit code, None when its time was up.

    What it left behind where it ended by itself is left alone: agent-browser leaves its browser so.

    Raises:
        NotFound: it cannot be started.
    """
    process = await _started(command, folder, environment, streams, waits)
    kill = partial(_kill, process)
    wait = partial(anyio.to_thread.run_sync, process.wait, limiter=waits, abandon_on_cancel=True)
    try:
        with anyio.move_on_after(seconds) as patience:
            async with anyio.create_task_group() as group:
                for stream in streams:
                    group.start_soon(stream.follow, kill)
                await wait()
                group.cancel_scope.cancel()
        if not patience.cancelled_caught:
            for stream in streams:
                stream.drain()
    finally:
        kill()
        with anyio.CancelScope(shield=True):
            await wait()
    return None if patience.cancelled_caught else process.returncode


async def _started(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    streams: tuple[Stream, Stream],
    waits: anyio.CapacityLimiter,
) -> "subprocess.Popen[bytes]":
    out, err = streams

    def start() -> "subprocess.Popen[bytes]":
        return subprocess.Popen(  # noqa: S603 - words for a program of the user's own, and no shell
            command,
            stdin=subprocess.DEVNULL,
            stdout=out.theirs,
            stderr=err.theirs,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )

    try:
        return await anyio.to_thread.run_sync(start, limiter=waits)
    except OSError as error:
        raise NotFound(
            f"{command[0]} cannot be started in {folder}: {error.strerror}.",
            hint="Look at the program and the folder; `agent_browser_doctor` and AGENT_BROWSER_BIN help.",
        ) from error
    finally:
        for stream in streams:
            os.close(stream.theirs)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill a program that still runs, and everything it started."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
