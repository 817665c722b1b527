"""MCP over a byte stream: a JSON message a line, each way; bad lines are answered, endless ones end it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import anyio.abc
import mcp_types as types
import orjson
from anyio.streams.buffered import BufferedByteReceiveStream
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

LONGEST_MESSAGE = 64 * 1024 * 1024

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def message_streams(
    stream: anyio.abc.ByteStream, early: bytes = b""
) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """Turn a byte stream into the SDK's pair of message streams while the block runs."""
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as group:
        group.start_soon(_read, stream, early, to_server, outgoing)
        group.start_soon(_write, stream, from_server)
        yield incoming, outgoing
        group.cancel_scope.cancel()


async def _read(
    stream: anyio.abc.ByteStream,
    early: bytes,
    to_server: MemoryObjectSendStream[SessionMessage | Exception],
    outgoing: Outgoing,
) -> None:
    buffered = BufferedByteReceiveStream(stream)
    buffered.feed_data(early)
    async with to_server:
        while True:
            try:
                line = await buffered.receive_until(b"\n", LONGEST_MESSAGE)
            except (
                anyio.EndOfStream,
                anyio.IncompleteRead,
                anyio.DelimiterNotFound,
                anyio.BrokenResourceError,
            ):
                return
            if not line.strip():
                continue
            try:
                message = types.jsonrpc_message_adapter.validate_python(orjson.loads(line), by_name=False)
            except orjson.JSONDecodeError:
                await outgoing.send(_fault(types.PARSE_ERROR, "This line is not JSON."))
            except ValidationError:
                await outgoing.send(_fault(types.INVALID_REQUEST, "This is not a JSON-RPC 2.0 message."))
            else:
                await to_server.send(SessionMessage(message))


async def _write(
    stream: anyio.abc.ByteStream, from_server: MemoryObjectReceiveStream[SessionMessage]
) -> None:
    async with from_server:
        async for item in from_server:
            line = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                await stream.send(line.encode() + b"\n")
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                return


def _fault(code: int, message: str) -> SessionMessage:
    return SessionMessage(
        types.JSONRPCError(jsonrpc="2.0", id=None, error=types.ErrorData(code=code, message=message))
    )
