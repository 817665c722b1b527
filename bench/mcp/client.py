"""A minimal MCP client, the same for every server, so that all have the same overhead."""

import itertools
import json
from dataclasses import dataclass
from typing import Any

import anyio
import anyio.abc

Json = dict[str, Any]

PROTOCOL = "2025-11-25"
_TIMEOUT = 90.0


class ServerFailed(Exception):
    """A server exited, refused a call or did not answer; the text says which."""


@dataclass(frozen=True)
class ToolCall:
    """A tool and its arguments; placeholders in braces are filled in before a call."""

    tool: str
    arguments: Json

    def fill_in(self, **values: str) -> "ToolCall":
        """Fill in the placeholders."""
        arguments = {
            name: value.format(**values) if isinstance(value, str) else value
            for name, value in self.arguments.items()
        }
        return ToolCall(self.tool, arguments)


def tool_call(tool: str, **arguments: Any) -> ToolCall:
    """Make a `ToolCall`."""
    return ToolCall(tool, arguments)


class Client:
    """Talks to one server process, one request at a time."""

    def __init__(self, process: anyio.abc.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._to, self._from = process.stdin, process.stdout
        self._rest = b""
        self._ids = itertools.count(1)

    async def initialize(self) -> None:
        """Do the MCP handshake."""
        me = {"name": "bench", "version": "1"}
        await self.request("initialize", protocolVersion=PROTOCOL, capabilities={}, clientInfo=me)
        await self._send({"method": "notifications/initialized"})

    async def call(self, tool_call: ToolCall) -> str:
        """Call a tool; return the text that a model reads.

        Raises:
            ServerFailed: the tool reports an error, or does not answer.
        """
        return "".join(part.get("text", "") for part in await self.content(tool_call))

    async def content(self, tool_call: ToolCall) -> list[Json]:
        """Call a tool; return its whole answer, images included.

        Raises:
            ServerFailed: the tool reports an error, or does not answer.
        """
        result = await self.request("tools/call", name=tool_call.tool, arguments=tool_call.arguments)
        content: list[Json] = result["content"]
        if result.get("isError"):
            text = "".join(part.get("text", "") for part in content)
            raise ServerFailed(f"{tool_call.tool} failed: {text[:200]}")
        return content

    async def request(self, method: str, **params: Any) -> Json:
        """Send a request and return its result."""
        number = next(self._ids)
        try:
            with anyio.fail_after(_TIMEOUT):
                await self._send({"id": number, "method": method, "params": params})
                answer = await self._answer(number)
        except TimeoutError:
            raise ServerFailed(f"{method} was not answered in {_TIMEOUT:.0f} s") from None
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            raise ServerFailed(f"the server exited during {method}") from None
        if "error" in answer:
            raise ServerFailed(f"{method} was refused: {answer['error'].get('message', '')[:200]}")
        result: Json = answer["result"]
        return result

    async def _send(self, message: Json) -> None:
        await self._to.send(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def _answer(self, number: int) -> Json:
        """Read until the answer; notifications and requests of the server are skipped."""
        while True:
            message: Json = json.loads(await self._line())
            if message.get("id") == number and "method" not in message:
                return message

    async def _line(self) -> bytes:
        pieces = []
        piece = self._rest
        while b"\n" not in piece:
            pieces.append(piece)
            piece = await self._from.receive()
        end, self._rest = piece.split(b"\n", 1)
        return b"".join([*pieces, end])
