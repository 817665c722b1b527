"""Runs a program without a shell, with limited output and a timeout that also kills its child processes."""

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
    """Run a program and read its streams; return its exit code, None when its time was up.

    Processes that it leaves running when it exits by itself are left alone: agent-browser leaves its browser.

    Raises:
        NotFound: it cannot be started.
    """
    process = await _start(command, folder, environment, streams, waits)
    kill = partial(_kill, process)
    wait = partial(anyio.to_thread.run_sync, process.wait, limiter=waits, abandon_on_cancel=True)
    try:
        with anyio.move_on_after(seconds) as timeout:
            async with anyio.create_task_group() as group:
                for stream in streams:
                    group.start_soon(stream.follow, kill)
                await wait()
                group.cancel_scope.cancel()
        if not timeout.cancelled_caught:
            for stream in streams:
                stream.drain()
    finally:
        kill()
        with anyio.CancelScope(shield=True):
            await wait()
    return None if timeout.cancelled_caught else process.returncode


async def _start(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    streams: tuple[Stream, Stream],
    waits: anyio.CapacityLimiter,
) -> "subprocess.Popen[bytes]":
    out, err = streams

    def start() -> "subprocess.Popen[bytes]":
        return subprocess.Popen(  # noqa: S603 - a program of the user's, and no shell
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
            hint="Check the program and the folder, AGENT_BROWSER_BIN and `agent_browser_doctor`.",
        ) from error
    finally:
        for stream in streams:
            os.close(stream.theirs)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill a program that still runs, with its child processes."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
