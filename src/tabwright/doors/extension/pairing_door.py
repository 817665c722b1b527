"""The hub's door for `tabwright extension`: lists Chromes, pairs one, unpairs one."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import anyio
import anyio.abc
import orjson

from tabwright.doors.extension.server import ExtensionDoor
from tabwright.errors import InvalidArgs, TabwrightError, TimedOut
from tabwright.policy.callers.chrome_pairing import CODE_SECONDS
from tabwright.policy.callers.principal import Principal

Json = dict[str, Any]


class PairingDoor:
    """Runs the order in the client's options, and answers with JSON lines."""

    def __init__(self, extension: ExtensionDoor) -> None:
        self._extension = extension

    async def serve(
        self, stream: anyio.abc.SocketStream, _: Principal, __: bytes, options: Mapping[str, Any]
    ) -> None:
        """Run the order; a pairing code ends when its client disconnects."""
        try:
            match options.get("order"):
                case "list":
                    await _send(stream, self._list())
                case "unpair":
                    await _send(stream, await self._unpair(str(options.get("name", ""))))
                case "pair" if options.get("extension"):
                    await _send(stream, await self._pair_extension(options))
                case "pair":
                    await self._pair(stream, str(options.get("name", "")))
                case order:
                    raise InvalidArgs(f"Unknown order {order!r:.80}.", hint="Use pair, list or unpair.")
        except TabwrightError as error:
            await _send(stream, {"ok": False, "error": error.as_json()})

    def _list(self) -> Json:
        connected = self._extension.connected
        chromes = [
            {"name": one.name, "paired": one.paired, "connected": one.id in connected}
            for one in self._extension.chromes
        ]
        return {"ok": True, "port": self._extension.port, "chromes": chromes}

    async def _pair_extension(self, options: Mapping[str, Any]) -> Json:
        chrome, address = await self._extension.pair_extension(
            str(options["extension"]), str(options.get("name", ""))
        )
        return {"ok": True, "name": chrome.name, "address": address}

    async def _unpair(self, name: str) -> Json:
        chrome = self._extension.chromes.forget(name)
        await self._extension.drop(chrome)
        return {"ok": True, "name": chrome.name}

    async def _pair(self, stream: anyio.abc.SocketStream, name: str) -> None:
        await self._extension.listen()
        code = self._extension.chromes.begin(name)
        paired: list[str] = []
        try:
            await _send(stream, {"link": await self._extension.pairing_url(code), "seconds": CODE_SECONDS})
            async with anyio.create_task_group() as group:
                group.start_soon(_cancel_on_disconnect, stream, group.cancel_scope)
                with anyio.move_on_after(CODE_SECONDS):
                    paired.append((await self._extension.wait_for_pairing(code)).name)
                group.cancel_scope.cancel()
        finally:
            self._extension.chromes.end(code)
        if not paired:
            raise TimedOut(
                "No Chrome was paired in two minutes.", hint="Run it again: tabwright extension pair"
            )
        await _send(stream, {"ok": True, "name": paired[0]})


async def _cancel_on_disconnect(stream: anyio.abc.SocketStream, scope: anyio.CancelScope) -> None:
    with suppress(anyio.EndOfStream, anyio.BrokenResourceError):
        while True:
            await stream.receive()
    scope.cancel()


async def _send(stream: anyio.abc.SocketStream, message: Json) -> None:
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        await stream.send(orjson.dumps(message) + b"\n")
