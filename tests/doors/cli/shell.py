"""The command line as a user runs it: in a folder, with or without a terminal, with its own hub."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import anyio.abc

from tabwright import __version__
from tabwright.doors.wire.handshake import Hello, Welcome
from tabwright.doors.wire.hub_client import ask
from tabwright.home import Home

# The tests' own interpreter and package, whatever is installed elsewhere.
PROGRAM = (sys.executable, "-m", "tabwright")
_COVERAGE = (
    "coverage",
    "run",
    "--parallel-mode",
    f"--rcfile={Path(__file__).parents[3] / 'pyproject.toml'}",
    "-m",
)
# The same, with coverage if the tests have it. It is slower, so few tests use it.
MEASURED = (sys.executable, "-m", *(_COVERAGE if "COVERAGE_FILE" in os.environ else ()), "tabwright")  # noqa: TID251 - set by make


@dataclass(frozen=True)
class Ran:
    """The exit code and output of a command."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Shell:
    """Runs commands; `folder` is where they run, `home` where their hub lives."""

    folder: Path
    home: Home
    more: dict[str, str] = field(default_factory=dict)
    program: tuple[str, ...] = PROGRAM

    @property
    def environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}  # noqa: TID251 - a command inherits the tests' environment
        ours = {"TABWRIGHT_HOME": str(self.home.state), "TABWRIGHT_API_PORT": "0", "TERM": "xterm"}
        return {**inherited, **ours, **self.more}

    async def run(self, *words: str) -> Ran:
        """Run a command to its end, without a terminal."""
        with anyio.fail_after(60):
            done = await anyio.run_process(
                [*self.program, *words], check=False, cwd=self.folder, env=self.environment
            )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    @asynccontextmanager
    async def on_terminal(self, *words: str) -> AsyncIterator["OnTerminal"]:
        """Run a command on its own terminal while the block runs."""
        ours, theirs = os.openpty()
        async with await anyio.open_process(
            [*self.program, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=self.folder,
            env=self.environment,
        ) as process:
            os.close(theirs)
            try:
                yield OnTerminal(process, ours)
            finally:
                if process.returncode is None:
                    process.kill()
                os.close(ours)

    def stop_hub(self) -> Welcome | None:
        """Stop the hub; return when it has exited."""
        return ask(self.home, Hello("stop", __version__))

    def hub(self) -> Welcome | None:
        """Return the status of the running hub."""
        return ask(self.home, Hello("status", __version__))


@dataclass
class OnTerminal:
    """A command on a terminal."""

    process: anyio.abc.Process
    _screen: int
    seen: str = ""

    async def until(self, text: str) -> str:
        """Read until the text is on the screen."""
        with anyio.fail_after(60):
            while text not in self.seen:
                await self._read()
        return self.seen

    def type(self, text: str) -> None:
        """Type on the keyboard."""
        os.write(self._screen, text.encode())

    async def wait_for_exit(self) -> Ran:
        """Read to the end."""
        with anyio.fail_after(60):
            while await self._read():
                pass
            return Ran(await self.process.wait(), self.seen, "")

    async def _read(self) -> bool:
        await anyio.wait_readable(self._screen)
        try:
            piece = os.read(self._screen, 65536)
        except OSError:  # Linux: the other side is closed
            return False
        self.seen += piece.decode()
        return bool(piece)


@asynccontextmanager
async def scripted_hub(home: Home, welcome: Welcome, *lines: bytes) -> AsyncIterator["ScriptedHub"]:
    """Run a hub that sends a welcome and lines; the last line waits for `go_on`."""
    home.prepare()
    hub = ScriptedHub(welcome, lines)
    async with (
        await anyio.create_unix_listener(home.socket, mode=0o600) as listener,
        anyio.create_task_group() as group,
    ):
        group.start_soon(listener.serve, hub.serve)
        yield hub
        group.cancel_scope.cancel()


class ScriptedHub:
    """Records what it receives."""

    def __init__(self, welcome: Welcome, lines: tuple[bytes, ...]) -> None:
        self.received: list[Any] = []
        self.go_on = anyio.Event()
        self._welcome = welcome
        self._lines = lines

    async def serve(self, stream: anyio.abc.SocketStream) -> None:
        async with stream:
            self.received.append(await stream.receive())
            await stream.send(self._welcome.line())
            if not self._welcome.taken:
                return
            self.received.append(await stream.receive())
            for line in self._lines[:-1]:
                await stream.send(line + b"\n")
            await self.go_on.wait()
            for line in self._lines[-1:]:
                await stream.send(line + b"\n")
