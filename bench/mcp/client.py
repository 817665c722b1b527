"""A raw MCP client, the same for every server, so that all pay the same for it."""

import itertools
import json
from dataclasses import dataclass
from typing import Any

import anyio
import anyio.abc

Json = dict[str, Any]

PROTOCOL = "2025-11-25"
_LONGEST_WAIT = 90.0


class ServerFailed(Exception):
    """A server ended, refused a call or did not answer; the text says which."""


@dataclass(frozen=True)
class Use:
    """A tool and its arguments; words in braces are filled in before a call."""

    tool: str
    arguments: Json

    def filled(self, **words: str) -> "Use":
        """Put words into the places that are left for them."""
        arguments = {
            name: value.format(**words) if isinstance(value, str) else value
            for name, value in self.arguments.items()
        }
        return Use(self.tool, arguments)


def use(tool: str, **arguments: Any) -> Use:
    """Name a tool and its arguments."""
    return Use(tool, arguments)


class Client:
    """Speaks to one server process, one request at a time."""

    def __init__(self, process: anyio.abc.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._to, self._from = process.stdin, process.stdout
        self._rest = b""
        self._ids = itertools.count(1)

    async def initialize(self) -> None:
        """Shake hands."""
        me = {"name": "bench", "version": "1"}
        await self.request("initialize", protocolVersion=PROTOCOL, capabilities={}, clientInfo=me)
        await self._say({"method": "notifications/initialized"})

    async def call(self, use: Use) -> str:
        """Call a tool; return the text that a model would read.

        Raises:
            ServerFailed: the tool says so, or there is no answer.
        """
        return "".join(part.get("text", "") for part in await self.content(use))

    async def content(self, use: Use) -> list[Json]:
        """Call a tool; return all that it answers, pictures included.

        Raises:
            ServerFailed: the tool says so, or there is no answer.
        """
        result = await self.request("tools/call", name=use.tool, arguments=use.arguments)
        content: list[Json] = result["content"]
        if result.get("isError"):
            text = "".join(part.get("text", "") for part in content)
            raise ServerFailed(f"{use.tool} failed: {text[:200]}")
        return content

    async def request(self, method: str, **params: Any) -> Json:
        """Ask, and return the result."""
        number = next(self._ids)
        try:
            with anyio.fail_after(_LONGEST_WAIT):
                await self._say({"id": number, "method": method, "params": params})
                answer = await self._answer(number)
        except TimeoutError:
            raise ServerFailed(f"{method} was not answered in {_LONGEST_WAIT:.0f} s") from None
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            raise ServerFailed(f"the server ended during {method}") from None
        if "error" in answer:
            raise ServerFailed(f"{method} was refused: {answer['error'].get('message', '')[:200]}")
        result: Json = answer["result"]
        return result

    async def _say(self, message: Json) -> None:
        await self._to.send(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def _answer(self, number: int) -> Json:
        """Read on to the answer; notices and requests of the server's own are passed over."""
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
