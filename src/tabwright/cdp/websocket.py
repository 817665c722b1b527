"""A WebSocket to a running browser, or to the extension in it."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import orjson
from websockets.asyncio.client import connect
from websockets.asyncio.connection import Connection
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from tabwright.aio import background_tasks
from tabwright.cdp.decoding import decode_message
from tabwright.cdp.transport import Message, Receive
from tabwright.errors import BrowserGone, InvalidArgs

# Up to the last @, since a password may contain one.
_CREDENTIALS = re.compile(r"//.*@")
# Seconds for the closing handshake with a peer that hangs.
_CLOSE_TIMEOUT = 2.0


class WebSocketTransport:
    """A transport over an open WebSocket; writes are queued so that `send` never blocks."""

    def __init__(self, socket: Connection) -> None:
        self._socket = socket
        self._outgoing: asyncio.Queue[bytes] = asyncio.Queue()

    def send(self, message: Message) -> None:
        self._outgoing.put_nowait(orjson.dumps(message))

    async def run(self, receive: Receive) -> str:
        async with background_tasks() as group:
            group.start_soon(self._write)
            return await self._read(receive)

    async def _read(self, receive: Receive) -> str:
        try:
            while True:
                receive(decode_message(await self._socket.recv(decode=False)))
        except ConnectionClosed as closed:
            return f"the WebSocket closed ({closed.rcvd or 'without a close frame'})"

    async def _write(self) -> None:
        try:
            while True:
                await self._socket.send(await self._outgoing.get(), text=True)
        except ConnectionClosed:
            return  # `run` sees the same end and returns the reason

    async def aclose(self) -> None:
        with anyio.CancelScope(shield=True):  # limited by the close timeout
            await self._socket.close()


@asynccontextmanager
async def open_websocket(
    url: str, headers: dict[str, str] | None = None
) -> AsyncIterator[WebSocketTransport]:
    """Connect to a `ws://` or `wss://` DevTools address."""
    try:
        # Compression cost 1.3x on small and 1.7x on large messages (measured); pings are left to the caller;
        # a web proxy is not used to reach a browser.
        socket = await connect(
            url,
            compression=None,
            max_size=None,
            ping_interval=None,
            close_timeout=_CLOSE_TIMEOUT,
            proxy=None,
            additional_headers=headers,
        )
    except (InvalidURI, ValueError) as error:  # invalid ports, brackets, or a host name too long to resolve
        raise InvalidArgs(
            f"{hide_credentials(url)} is not a WebSocket address.",
            hint="Give ws://host:port/devtools/browser/….",
        ) from error
    except (OSError, InvalidHandshake) as error:
        raise BrowserGone(
            f"No browser answers at {hide_credentials(url)}.",
            hint="Check that it runs with --remote-debugging-port.",
        ) from error
    transport = WebSocketTransport(socket)
    try:
        yield transport
    finally:
        await transport.aclose()


def hide_credentials(address: str) -> str:
    """Return an address without its user name and password."""
    return _CREDENTIALS.sub("//•••@", address)
