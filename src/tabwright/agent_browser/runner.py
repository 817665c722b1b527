"""Runs commands of clients: one at a time per session, in the client's folder, without our secrets."""

import math
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from weakref import WeakValueDictionary

import anyio

from tabwright.agent_browser.command_line import Order, build_command
from tabwright.agent_browser.find_program import find_program
from tabwright.agent_browser.output import READ_BYTES, ProgramOutput, render
from tabwright.agent_browser.stream import MAX_BYTES, Stream
from tabwright.agent_browser.subprocess import run
from tabwright.home import command_environment

_DEFAULT_SESSION = "default"
# Programs that run at once for all clients; each has a timeout, so the next ones wait a bounded time.
_MAX_PROGRAMS = 20


class Place(NamedTuple):
    """Where a client's commands run: its folder and its environment variables."""

    folder: Path
    environment: Mapping[str, str]


class Ran(NamedTuple):
    """The outcome of a command: exit code or signal, and its output."""

    command: list[str]
    code: int | None
    signal: str | None
    out: ProgramOutput
    err: ProgramOutput
    # Whether it ended by itself and all of its output was passed on.
    complete: bool


class Commands:
    """Runs commands; those of one session of one program run one after the other."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[tuple[str, ...], anyio.Lock] = WeakValueDictionary()
        self._slots = anyio.Semaphore(_MAX_PROGRAMS)
        # A thread waits for each program, in addition to the threads of other parts.
        self._waits = anyio.CapacityLimiter(math.inf)

    async def run(self, order: Order, place: Place) -> Ran:
        """Run a command until it exits or its time is up.

        Raises:
            Denied, InvalidArgs: the command is not allowed.
            NotFound: there is no program for it, or it cannot be started.
        """
        program = find_program(place.environment, place.folder)
        session = order.session or place.environment.get("AGENT_BROWSER_SESSION") or None
        command = build_command(program, order, session)
        environment = {**command_environment(place.folder, ours=program.ours), **place.environment}
        key = (*program.command, session or _DEFAULT_SESSION)
        async with self._locks.setdefault(key, anyio.Lock()), self._slots:
            return await self._run(command, order, place.folder, environment)

    async def _run(
        self, command: list[str], order: Order, folder: Path, environment: Mapping[str, str]
    ) -> Ran:
        out, err = Stream(READ_BYTES, order.pass_on), Stream(READ_BYTES)
        try:
            code = await run(
                command,
                folder=folder,
                environment=environment,
                seconds=order.seconds,
                streams=(out, err),
                waits=self._waits,
            )
        finally:
            out.close()
            err.close()
        note = _note(code, order.seconds, out, err)
        saved = order.pass_on is not None and not note
        written = render(out, saved=saved)
        return Ran(
            command=command,
            code=code if code is not None and code >= 0 else None,
            signal=_signal(code),
            out=written,
            err=_with_notes(render(err), note, _size_note(out, saved=saved) if written.cut else ""),
            complete=not note,
        )


def _signal(code: int | None) -> str | None:
    """Return the name of the signal that killed a program."""
    if code is not None and code >= 0:
        return None
    number = signal.SIGKILL if code is None else -code
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def _note(code: int | None, seconds: float, out: Stream, err: Stream) -> str:
    """Return why Tabwright killed a program; "" if it did not."""
    if code is None:
        return f"Killed by Tabwright: it took longer than {seconds:g} s."
    if out.endless or err.endless:
        return f"Killed by Tabwright: it wrote more than {MAX_BYTES >> 20} MB."
    if out.fault is not None:
        return f"Killed by Tabwright: its output could not be saved: {out.fault.strerror}."
    return ""


def _size_note(out: Stream, *, saved: bool) -> str:
    advice = (
        "read them from the saved file"
        if saved
        else "ask for less, or save them to a file (save_output_path)"
    )
    return f"It wrote {out.size:,} bytes: {advice}."


def _with_notes(output: ProgramOutput, *notes: str) -> ProgramOutput:
    """Append notes to the output of a program."""
    added = [f"[{note}]" for note in notes if note]
    return (
        output._replace(text="\n".join([output.text.rstrip("\n"), *added]).lstrip("\n")) if added else output
    )
