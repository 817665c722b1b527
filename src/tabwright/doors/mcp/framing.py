"""MCP over a byte stream: a JSON message a line, each way. Bad lines are answered and change nothing else."""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.abc
import mcp_types as types
import orjson
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

LONGEST_MESSAGE = 16 * 1024 * 1024
# A client that leaves so many bytes unread is not listened to until it reads some.
_MOST_UNREAD = 4 * 1024 * 1024
# A client that reads nothing for so long is gone, even if its socket is not.
_STALLED_SECONDS = 600.0
_LAST_WORDS_SECONDS = 2.0

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def message_streams(
    stream: anyio.abc.ByteStream, early: bytes = b""
) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """Turn a byte stream into the SDK's pair of message streams while the block runs."""
    wire = _Wire(stream)
    async with anyio.create_task_group() as group:
        group.start_soon(wire.read, early)
        group.start_soon(wire.collect)
        group.start_soon(wire.write)
        yield wire.incoming, wire.outgoing
        with anyio.move_on_after(_LAST_WORDS_SECONDS):
            await wire.written.wait()
        group.cancel_scope.cancel()


class _Wire:
    """The bytes of one client."""

    def __init__(self, stream: anyio.abc.ByteStream) -> None:
        self._stream = stream
        self._to_server, self.incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        self.outgoing, self._from_server = anyio.create_memory_object_stream[SessionMessage](0)
        self._faults = self.outgoing.clone()
        self._to_client, self._encoded = anyio.create_memory_object_stream[bytes](math.inf)
        self._unread = 0
        self._sent = anyio.Event()
        self.written = anyio.Event()

    async def read(self, early: bytes) -> None:
        """Hand over what the client says, message by message, until it leaves."""
        async with self._to_server, self._faults:
            async for line in _lines(self._stream, early):
                await self._until_read()
                if line is None:
                    await self._faults.send(_fault(types.INVALID_REQUEST, _TOO_LONG))
                elif line.strip():
                    await self._take(line)

    async def collect(self) -> None:
        """Take what the server says as bytes, so that what waits for the client is small and counted."""
        async with self._from_server, self._to_client:
            async for item in self._from_server:
                line = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
                if self.written.is_set():
                    return
                self._unread += len(line)
                self._to_client.send_nowait(line)

    async def write(self) -> None:
        """Send it until there is no more, or nobody is there."""
        try:
            async for line in self._encoded:
                with anyio.fail_after(_STALLED_SECONDS):
                    await self._stream.send(line)
                self._unread -= len(line)
                self._sent.set()
                self._sent = anyio.Event()
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, TimeoutError):
            await self._stream.aclose()
        finally:
            self.written.set()
            self._sent.set()
            self._encoded.close()

    async def _take(self, line: bytearray) -> None:
        said: Any = None
        try:
            said = orjson.loads(line)
            message = types.jsonrpc_message_adapter.validate_python(said, by_name=False)
            if "id" in said and isinstance(message, types.JSONRPCNotification):
                raise ValueError("an id that is none")  # noqa: TRY301 - as bad as what the adapter refuses
        except orjson.JSONDecodeError:
            answer = _fault(types.PARSE_ERROR, "This line is not JSON.")
        except ValueError:
            answer = _fault(types.INVALID_REQUEST, "This is not a JSON-RPC 2.0 message.", said)
        else:
            await self._to_server.send(SessionMessage(message))
            return
        await self._faults.send(answer)

    async def _until_read(self) -> None:
        while not self.written.is_set() and self._unread > _MOST_UNREAD:
            await self._sent.wait()


async def _lines(stream: anyio.abc.ByteStream, early: bytes) -> AsyncIterator[bytearray | None]:
    """Part a stream into its lines. None stands for one too long to keep; half a line at the end is none."""
    held, searched, too_long = bytearray(early), 0, False
    while True:
        end = held.find(b"\n", searched)
        if end >= 0:
            yield None if too_long else held[:end]
            del held[: end + 1]
            searched, too_long = 0, False
            continue
        if len(held) > LONGEST_MESSAGE:
            held.clear()
            too_long = True
        searched = len(held)
        try:
            held += await stream.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            return


_TOO_LONG = f"This message is longer than {LONGEST_MESSAGE // 1024**2} MB."


def _fault(code: int, message: str, said: Any = None) -> SessionMessage:
    """Answer what cannot be dispatched, under its own id where it has one."""
    told = said.get("id") if isinstance(said, dict) else None
    known = told if isinstance(told, str | int) and not isinstance(told, bool) else None
    error = types.ErrorData(code=code, message=message)
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=known, error=error))
