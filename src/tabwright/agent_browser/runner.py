"""Commands of clients: one after the other in each session, in the client's folder, without our secrets."""

import math
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from weakref import WeakValueDictionary

import anyio

from tabwright.agent_browser.command_line import Order, ordered
from tabwright.agent_browser.find_program import found
from tabwright.agent_browser.output import KEPT, ProgramOutput, told
from tabwright.agent_browser.stream import MOST_BYTES, Stream
from tabwright.agent_browser.subprocess import run
from tabwright.home import command_environment

_DEFAULT_SESSION = "default"
# Programs that run at once for all clients; further ones wait until one ends, which each does in its time.
_AT_ONCE = 20


class Place(NamedTuple):
    """Where a client's commands run: its folder, and what it says of the environment."""

    folder: Path
    environment: Mapping[str, str]


class Ran(NamedTuple):
    """How a command ended, and what it wrote."""

    command: list[str]
    code: int | None
    signal: str | None
    out: ProgramOutput
    err: ProgramOutput
    # Whether all that it had to say was read and passed on.
    complete: bool


class Commands:
    """Runs commands. Those of one session of one program wait for each other."""

    def __init__(self) -> None:
        self._turns: WeakValueDictionary[tuple[str, ...], anyio.Lock] = WeakValueDictionary()
        self._room = anyio.Semaphore(_AT_ONCE)
        # A thread waits for each program, beside those that others of us use.
        self._waits = anyio.CapacityLimiter(math.inf)

    async def run(self, order: Order, place: Place) -> Ran:
        """Run a command to its end, or to the end of its time.

        Raises:
            Denied, InvalidArgs: it is none that may be run.
            NotFound: there is no program for it, or it cannot be started.
        """
        program = found(place.environment, place.folder)
        session = order.session or place.environment.get("AGENT_BROWSER_SESSION") or None
        command = ordered(program, order, session)
        environment = {**command_environment(place.folder, ours=program.ours), **place.environment}
        key = (*program.command, session or _DEFAULT_SESSION)
        async with self._turns.setdefault(key, anyio.Lock()), self._room:
            return await self._ended(command, order, place.folder, environment)

    async def _ended(
        self, command: list[str], order: Order, folder: Path, environment: Mapping[str, str]
    ) -> Ran:
        out, err = Stream(KEPT, order.pass_on), Stream(KEPT)
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
        written = told(out, elsewhere=order.pass_on is not None and not note)
        return Ran(
            command=command,
            code=code if code is not None and code >= 0 else None,
            signal=_signal(code),
            out=written,
            err=_with_notes(told(err), note, _left_out(out) if written.cut else ""),
            complete=not note,
        )


def _signal(code: int | None) -> str | None:
    """Return the name of the signal that a program ended of."""
    if code is not None and code >= 0:
        return None
    number = signal.SIGKILL if code is None else -code
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def _note(code: int | None, seconds: float, out: Stream, err: Stream) -> str:
    """Say why a program was ended before it ended; "" when it was not."""
    if code is None:
        return f"Ended by Tabwright: it took longer than {seconds:g} s."
    if out.endless or err.endless:
        return f"Ended by Tabwright: it wrote more than {MOST_BYTES >> 20} MB."
    if out.fault is not None:
        return f"Ended by Tabwright: its output cannot be saved: {out.fault.strerror}."
    return ""


def _left_out(out: Stream) -> str:
    return f"It wrote {out.size:,} bytes: ask for less, or read them in a file (save_output_path)."


def _with_notes(said: ProgramOutput, *notes: str) -> ProgramOutput:
    """Put what is to be said of a program behind what it said itself."""
    told = [f"[{note}]" for note in notes if note]
    return said._replace(text="\n".join([said.text.rstrip("\n"), *told]).lstrip("\n")) if told else said
