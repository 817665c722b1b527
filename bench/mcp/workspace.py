"""A folder and an environment in which servers run; afterwards nothing is left running."""

import os
import tempfile
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio

from bench.mcp import processes
from bench.mcp.client import Client, ServerFailed
from bench.mcp.peer import Peer

_EXIT_TIMEOUT = 10.0


@dataclass(frozen=True)
class Workspace:
    """The folder and the environment of one peer's servers."""

    peer: Peer
    folder: Path
    mark: str

    @classmethod
    @asynccontextmanager
    async def open(cls, peer: Peer) -> "AsyncIterator[Workspace]":
        """Create the workspace; afterwards, stop everything that still runs in it."""
        with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder:
            workspace = cls(peer, Path(folder), uuid.uuid4().hex)
            try:
                yield workspace
            finally:
                with anyio.CancelScope(shield=True):
                    await processes.end(workspace.mark)

    @asynccontextmanager
    async def start(self) -> AsyncIterator[Client]:
        """Start a server and do the handshake; afterwards, close its stdin so that it exits."""
        log = self.folder / "stderr"
        with log.open("wb") as stderr:
            try:
                process = await anyio.open_process(
                    self.peer.command, env=self._environment, cwd=self.folder, stderr=stderr
                )
            except OSError as error:
                raise ServerFailed(f"cannot be started: {error}") from error
        async with process:
            client = Client(process)
            try:
                await client.initialize()
                yield client
            except ServerFailed as failure:
                raise ServerFailed(f"{failure}{_last_line(log)}") from failure
            finally:
                assert process.stdin is not None
                with anyio.CancelScope(shield=True):
                    with anyio.move_on_after(_EXIT_TIMEOUT):
                        await process.stdin.aclose()
                        await process.wait()
                    if process.returncode is None:
                        process.kill()

    def memory(self) -> int:
        """Return the memory of all processes except the browser's, in bytes."""
        return processes.memory(self.mark)

    def cpu(self) -> float:
        """Return the CPU seconds of all processes except the browser's."""
        return processes.cpu(self.mark)

    @property
    def _environment(self) -> dict[str, str]:
        inherited = dict(os.environ)  # noqa: TID251 - a server inherits ours; nothing is read from it
        own = {"HOME": str(self.folder), processes.MARK: self.mark}
        return {**inherited, **own, **self.peer.environment(self.folder)}


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return f" ({lines[-1][:200]})" if lines else ""
