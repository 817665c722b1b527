"""The hub's door for the CLI: one JSON call per line in, progress lines and one JSON answer per line out."""

import contextlib
from collections.abc import Mapping
from typing import Any

import anyio
import anyio.abc
import orjson
from anyio.streams.buffered import BufferedByteReceiveStream
from anyio.streams.memory import MemoryObjectSendStream

from tabwright.call import Call, Progress
from tabwright.dialects.dialect import CallOptions
from tabwright.errors import InvalidArgs, TabwrightError
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.schema import validate

_MAX_LINE = 64 * 1024 * 1024


class CallDoor:
    """Serves programs that call actions by their own names."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    async def serve(
        self, stream: anyio.abc.SocketStream, principal: Principal, received: bytes, _: Mapping[str, Any]
    ) -> None:
        """Answer one line after the other; when the client disconnects, its running call is cancelled."""
        send_line, lines = anyio.create_memory_object_stream[bytes]()
        with send_line, lines:
            async with anyio.create_task_group() as group:
                group.start_soon(_read, stream, received, send_line, group.cancel_scope)
                async for line in lines:
                    await _send(stream, await self._answer(line, stream, principal))

    async def _answer(
        self, line: bytes, stream: anyio.abc.SocketStream, principal: Principal
    ) -> dict[str, Any]:
        async def progress(step: float, message: str) -> None:
            await _send(stream, {"progress": step, "message": message})

        try:
            answer = await self._runner.run(_parse_call(line, principal, progress))
        except TabwrightError as error:
            return {"ok": False, "error": error.as_json()}
        return {"ok": True, **answer.as_json(with_content=True)}


async def _read(
    stream: anyio.abc.SocketStream,
    received: bytes,
    send_line: MemoryObjectSendStream[bytes],
    connection: anyio.CancelScope,
) -> None:
    buffered = BufferedByteReceiveStream(stream)
    buffered.feed_data(received)
    try:
        while True:
            await send_line.send(await buffered.receive_until(b"\n", _MAX_LINE))
    except (anyio.EndOfStream, anyio.IncompleteRead, anyio.DelimiterNotFound, anyio.BrokenResourceError):
        connection.cancel()


async def _send(stream: anyio.abc.SocketStream, message: dict[str, Any]) -> None:
    # The reader notices when the client is gone.
    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        await stream.send(orjson.dumps(message, default=str) + b"\n")


def _parse_call(line: bytes, principal: Principal, progress: Progress) -> Call:
    try:
        message = orjson.loads(line)
        action, args = message["action"], dict(message.get("args", {}))
        given = {name: message[name] for name in CallOptions.model_fields if message.get(name) is not None}
    except (orjson.JSONDecodeError, KeyError, AttributeError, TypeError, ValueError) as error:
        raise InvalidArgs("The line is not a call.", hint='Send {"action": "...", "args": {...}}.') from error
    options = validate(CallOptions, given).model_dump()
    return Call(action=str(action), args=args, principal=principal, door="cli", progress=progress, **options)
