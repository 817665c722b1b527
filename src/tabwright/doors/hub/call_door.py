"""The hub's own door for the shell: a JSON call a line in, progress lines, and a JSON answer a line out."""

import contextlib
from collections.abc import Mapping
from typing import Any

import anyio
import anyio.abc
import orjson
from anyio.streams.buffered import BufferedByteReceiveStream
from anyio.streams.memory import MemoryObjectSendStream

from tabwright.call import Call
from tabwright.dialects.dialect import CallOptions
from tabwright.errors import InvalidArgs, TabwrightError
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.schema import validate

_LONGEST = 64 * 1024 * 1024


class CallDoor:
    """Serves programs that speak the catalogue's own words."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    async def serve(
        self, stream: anyio.abc.SocketStream, principal: Principal, early: bytes, _: Mapping[str, Any]
    ) -> None:
        """Answer one line after the other; a client that leaves takes its running call with it."""
        arriving, lines = anyio.create_memory_object_stream[bytes]()
        with arriving, lines:
            async with anyio.create_task_group() as group:
                group.start_soon(_read, stream, early, arriving, group.cancel_scope)
                async for line in lines:
                    await _send(stream, await self._answer(line, stream, principal))

    async def _answer(
        self, line: bytes, stream: anyio.abc.SocketStream, principal: Principal
    ) -> dict[str, Any]:
        async def progress(step: float, message: str) -> None:
            await _send(stream, {"progress": step, "message": message})

        try:
            answer = await self._runner.run(_call(line, principal, progress))
        except TabwrightError as error:
            return {"ok": False, "error": error.as_json()}
        return {"ok": True, **answer.as_json(with_content=True)}


async def _read(
    stream: anyio.abc.SocketStream,
    early: bytes,
    arriving: MemoryObjectSendStream[bytes],
    whole: anyio.CancelScope,
) -> None:
    buffered = BufferedByteReceiveStream(stream)
    buffered.feed_data(early)
    try:
        while True:
            await arriving.send(await buffered.receive_until(b"\n", _LONGEST))
    except (anyio.EndOfStream, anyio.IncompleteRead, anyio.DelimiterNotFound, anyio.BrokenResourceError):
        whole.cancel()


async def _send(stream: anyio.abc.SocketStream, said: dict[str, Any]) -> None:
    # Whoever left before it came is noticed by the reader.
    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        await stream.send(orjson.dumps(said, default=str) + b"\n")


def _call(line: bytes, principal: Principal, progress: Any) -> Call:
    try:
        said = orjson.loads(line)
        name, args = said["action"], dict(said.get("args", {}))
        given = {name: said[name] for name in CallOptions.model_fields if said.get(name) is not None}
    except (orjson.JSONDecodeError, KeyError, AttributeError, TypeError, ValueError) as error:
        raise InvalidArgs("The line is not a call.", hint='Send {"action": "...", "args": {...}}.') from error
    beside = validate(CallOptions, given).model_dump()
    return Call(action=str(name), args=args, principal=principal, door="cli", progress=progress, **beside)
