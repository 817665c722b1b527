"""MCP over a byte stream: one JSON message per line in each direction. A bad line is answered and skipped."""

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

MAX_MESSAGE = 16 * 1024 * 1024
# We stop reading from a client that has this many bytes unread, until it reads some.
_MAX_UNREAD = 4 * 1024 * 1024
# A client that reads nothing for this many seconds counts as gone, even if its socket is open.
_SEND_TIMEOUT = 600.0
_FLUSH_TIMEOUT = 2.0

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def message_streams(
    stream: anyio.abc.ByteStream, received: bytes = b""
) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """Turn a byte stream into the SDK's pair of message streams while the block runs.

    Args:
        stream: the connection.
        received: bytes of it that were read already.
    """
    wire = _Wire(stream)
    async with anyio.create_task_group() as group:
        group.start_soon(wire.read, received)
        group.start_soon(wire.encode)
        group.start_soon(wire.write)
        yield wire.incoming, wire.outgoing
        with anyio.move_on_after(_FLUSH_TIMEOUT):
            await wire.written.wait()
        group.cancel_scope.cancel()


class _Wire:
    """The bytes of one client."""

    def __init__(self, stream: anyio.abc.ByteStream) -> None:
        self._stream = stream
        self._to_server, self.incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        self.outgoing, self._from_server = anyio.create_memory_object_stream[SessionMessage](0)
        self._errors = self.outgoing.clone()
        self._to_client, self._encoded = anyio.create_memory_object_stream[bytes](math.inf)
        self._unread = 0
        self._sent = anyio.Event()
        self.written = anyio.Event()

    async def read(self, received: bytes) -> None:
        """Pass on the client's messages one by one until it disconnects."""
        async with self._to_server, self._errors:
            async for line in _split_lines(self._stream, received):
                while not self.written.is_set() and self._unread > _MAX_UNREAD:
                    await self._sent.wait()
                if line is None:
                    message = f"This message is longer than {MAX_MESSAGE // 1024**2} MB."
                    await self._errors.send(SessionMessage(error_answer(types.INVALID_REQUEST, message)))
                elif line.strip():
                    await self._receive(line)

    async def encode(self) -> None:
        """Encode the server's messages at once, so that what waits for the client is small and counted."""
        async with self._from_server, self._to_client:
            async for item in self._from_server:
                line = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
                if self.written.is_set():
                    return
                self._unread += len(line)
                self._to_client.send_nowait(line)

    async def write(self) -> None:
        """Send the encoded messages until there are no more, or the client is gone."""
        try:
            async for line in self._encoded:
                with anyio.fail_after(_SEND_TIMEOUT):
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

    async def _receive(self, line: bytearray) -> None:
        try:
            message = parse_message(line)
        except Malformed as malformed:
            await self._errors.send(SessionMessage(malformed.answer))
        else:
            await self._to_server.send(SessionMessage(message))


class Malformed(Exception):
    """Bytes that are not a message, with the answer to them."""

    def __init__(self, answer: types.JSONRPCError) -> None:
        super().__init__(answer.error.message)
        self.answer = answer


def parse_message(data: bytes | bytearray) -> types.JSONRPCMessage:
    """Parse one message.

    Raises:
        Malformed: it is not JSON, or not a JSON-RPC 2.0 message.
    """
    decoded: Any = None
    try:
        decoded = orjson.loads(data)
        message = types.jsonrpc_message_adapter.validate_python(decoded, by_name=False)
        if "id" in decoded and isinstance(message, types.JSONRPCNotification):
            raise ValueError("an invalid id")  # noqa: TRY301 - as bad as what the adapter refuses
    except orjson.JSONDecodeError:
        raise Malformed(error_answer(types.PARSE_ERROR, "This is not JSON.")) from None
    except ValueError:
        text = "This is not a JSON-RPC 2.0 message."
        raise Malformed(error_answer(types.INVALID_REQUEST, text, decoded)) from None
    return message


async def _split_lines(stream: anyio.abc.ByteStream, received: bytes) -> AsyncIterator[bytearray | None]:
    """Split a stream into lines; None for one that is too long. An unfinished last line is dropped."""
    buffer, searched, too_long = bytearray(received), 0, False
    while True:
        end = buffer.find(b"\n", searched)
        if end >= 0:
            yield None if too_long else buffer[:end]
            del buffer[: end + 1]
            searched, too_long = 0, False
            continue
        if len(buffer) > MAX_MESSAGE:
            buffer.clear()
            too_long = True
        searched = len(buffer)
        try:
            buffer += await stream.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            return


def error_answer(code: int, message: str, decoded: Any = None) -> types.JSONRPCError:
    """Answer a message that cannot be dispatched, with its own id where it has a valid one."""
    given = decoded.get("id") if isinstance(decoded, dict) else None
    valid = given if isinstance(given, str | int) and not isinstance(given, bool) else None
    error = types.ErrorData(code=code, message=message)
    return types.JSONRPCError(jsonrpc="2.0", id=valid, error=error)
