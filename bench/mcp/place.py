"""A folder and an environment in which servers run, and nothing is left running afterwards."""

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

_GOODBYE = 10.0


@dataclass(frozen=True)
class Place:
    """Where one peer's servers run."""

    peer: Peer
    folder: Path
    mark: str

    @classmethod
    @asynccontextmanager
    async def open(cls, peer: Peer) -> "AsyncIterator[Place]":
        """Make the place; end whatever still runs there afterwards."""
        with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder:
            place = cls(peer, Path(folder), uuid.uuid4().hex)
            try:
                yield place
            finally:
                with anyio.CancelScope(shield=True):
                    await processes.end(place.mark)

    @asynccontextmanager
    async def start(self) -> AsyncIterator[Client]:
        """Start a server and shake hands; it is told to leave afterwards."""
        complaints = self.folder / "stderr"
        with complaints.open("wb") as stderr:
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
                raise ServerFailed(f"{failure}{_last_line(complaints)}") from failure
            finally:
                assert process.stdin is not None
                with anyio.CancelScope(shield=True):
                    with anyio.move_on_after(_GOODBYE):
                        await process.stdin.aclose()
                        await process.wait()
                    if process.returncode is None:
                        process.kill()

    def memory(self) -> int:
        """Return the bytes that all processes hold, the browser's not counted."""
        return processes.memory(self.mark)

    def cpu(self) -> float:
        """Return the seconds that all processes were computing, the browser's not counted."""
        return processes.cpu(self.mark)

    @property
    def _environment(self) -> dict[str, str]:
        inherited = dict(os.environ)  # noqa: TID251 - a server inherits ours; nothing is read from it
        own = {"HOME": str(self.folder), processes.MARK: self.mark}
        return {**inherited, **own, **self.peer.environment(self.folder)}


def _last_line(complaints: Path) -> str:
    lines = complaints.read_text(errors="replace").strip().splitlines()
    return f" ({lines[-1][:200]})" if lines else ""
