"""The door for the user's own Chromes: authenticates the extension's WebSocket, then passes it on."""

import base64
import hashlib
import json
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache, partial
from typing import Literal, Protocol

import anyio
import orjson
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tabwright import __version__
from tabwright.cdp.websocket import WebSocketTransport
from tabwright.doors.extension.admission import NOT_PAIRED, Admission, Refused
from tabwright.doors.extension.files import SHIPPED
from tabwright.doors.wire.http_json import LOOPBACK
from tabwright.errors import Blocked, Denied, TabwrightError
from tabwright.policy.callers.chrome_pairing import Chrome, Code, PairedChromes
from tabwright.policy.network.own_ports import OwnPorts

log = logging.getLogger(__name__)
# The library logs every bad request; our own failures are logged here.
_quiet = logging.getLogger(f"{__name__}.socket")
_quiet.setLevel(logging.CRITICAL)

PORTS_TRIED = 5
# Seconds: Chrome stops an extension's worker after 30 without an event.
HEARTBEAT = 20
_SUBPROTOCOL = Subprotocol("tabwright.v1")
_HANDSHAKE_TIMEOUT = 5.0
_MAX_HANDSHAKE_BYTES = 8 * 1024
_MAX_MESSAGE_BYTES = 256 * 1024 * 1024
# An extension that other people wrote sends tabs, tools and their results.
_MAX_DOCUMENT_MESSAGE_BYTES = 4 * 1024 * 1024


class ExtensionLinks(Protocol):
    """What the door needs from the links: to serve an authenticated Chrome."""

    def serve(
        self, transport: WebSocketTransport, *, chrome: str, name: str, document_only: bool
    ) -> Awaitable[object]:
        """Serve it until its socket ends."""


@cache
def extension_id() -> str:
    """Return the id that Chrome gives the extension: the hash of its public key, written with letters."""
    key = base64.b64decode(json.loads((SHIPPED / "manifest.json").read_bytes())["key"])
    digits = hashlib.sha256(key).hexdigest()[:32]
    return digits.translate(str.maketrans("0123456789abcdef", "abcdefghijklmnop"))


def _origin() -> str:
    return f"chrome-extension://{extension_id()}"


class ExtensionDoor:
    """Accepts Chromes that are paired, or that know the current pairing code."""

    def __init__(
        self,
        chromes: PairedChromes,
        links: ExtensionLinks,
        *,
        handshake_timeout: float = _HANDSHAKE_TIMEOUT,
        heartbeat: float = HEARTBEAT,
        ports: OwnPorts | None = None,
    ) -> None:
        self.chromes = chromes
        self.port: int | None = None
        self._first_port = 0
        self._handshake_timeout = handshake_timeout
        self._heartbeat = heartbeat
        self._links = links
        self._ports = ports or OwnPorts()
        self._admission = Admission(chromes, _origin(), handshake_timeout)
        self._connections: dict[str, ServerConnection] = {}
        self._lock = anyio.Lock()
        self._serve: Callable[[], Awaitable[int]] | None = None

    @asynccontextmanager
    async def open(self, port: int | Literal["any"]) -> AsyncIterator[None]:
        """Accept Chromes while the block runs: at once if any is paired, else from `listen` on.

        The port is the first free one from `port` on; 0 turns the door off.
        """
        async with AsyncExitStack() as stack:
            self._serve = partial(self._start_server, stack, port)
            self._first_port = port if isinstance(port, int) else 0
            try:
                if any(self.chromes):
                    await self.listen()
            except TabwrightError as error:
                log.warning("the extension is off: %s", error)
            try:
                yield
            finally:
                self._serve, self.port = None, None

    async def listen(self) -> int:
        """Listen for Chromes, unless that is done; return the port.

        Raises:
            Denied: the settings turn it off.
            Blocked: no port is free.
        """
        async with self._lock:
            if self.port is None:
                if self._serve is None:
                    raise Denied(
                        "The hub does not listen for the extension.", hint="Start a hub: tabwright serve"
                    )
                self.port = await self._serve()
                self._first_port = self._first_port or self.port
                log.info("listening for the extension at ws://%s:%s", LOOPBACK, self.port)
            return self.port

    async def pairing_url(self, code: Code) -> str:
        """Return the address of the extension's page that pairs with a code."""
        port = await self.listen()
        return f"{_origin()}/ui/pair.html#port={port}&first={self._first_port}&code={code.secret}"

    async def pair_extension(self, extension: str, name: str) -> tuple[Chrome, str]:
        """Pair an extension that other people wrote; return it and the address that it connects to."""
        port = await self.listen()
        chrome, token = self.chromes.pair_extension(extension, name)
        return chrome, f"ws://{LOOPBACK}:{port}/?token={token}"

    async def _start_server(self, stack: AsyncExitStack, port: int | Literal["any"]) -> int:
        listener = _bind(port)
        server = serve(
            self._on_connection,
            sock=listener,
            process_request=self._admission.check_headers,
            subprotocols=[_SUBPROTOCOL],
            select_subprotocol=_select_subprotocol,
            compression=None,
            server_header=None,
            open_timeout=self._handshake_timeout,
            close_timeout=2.0,
            ping_interval=None,  # only the extension's own messages keep its worker alive
            max_size=_MAX_HANDSHAKE_BYTES,
            logger=_quiet,
        )
        await stack.enter_async_context(server)
        bound_port = int(listener.getsockname()[1])
        stack.enter_context(self._ports.opened(bound_port))
        return bound_port

    @property
    def connected(self) -> frozenset[str]:
        """The ids of the connected Chromes."""
        return frozenset(self._connections)

    async def wait_for_pairing(self, code: Code) -> Chrome:
        """Wait until a Chrome is paired with a code; return it."""
        return await self._admission.wait_for_pairing(code)

    async def drop(self, chrome: Chrome) -> None:
        """Disconnect a Chrome that is no longer paired."""
        if connection := self._connections.get(chrome.id):
            await connection.close(NOT_PAIRED, "not paired")

    async def _on_connection(self, connection: ServerConnection) -> None:
        try:
            chrome = await self._admission.authenticate(connection)
            if chrome.extension:
                connection.protocol.max_message_size = _MAX_DOCUMENT_MESSAGE_BYTES
                await self._serve_chrome(connection, chrome)
                return
            welcome = {"type": "welcome", "heartbeat": self._heartbeat, "version": __version__}
            await connection.send(orjson.dumps(welcome).decode())
            connection.protocol.max_message_size = _MAX_MESSAGE_BYTES
            await self._serve_chrome(connection, chrome)
        except Refused as refused:
            log.info("a Chrome was refused: %s", refused.reason)
            await connection.close(refused.code, refused.reason)
        except ConnectionClosed:
            log.debug("a Chrome disconnected during the handshake")
        except Exception:
            log.exception("the link to a Chrome failed")

    async def _serve_chrome(self, connection: ServerConnection, chrome: Chrome) -> None:
        self._connections[chrome.id] = connection
        try:
            await self._links.serve(
                WebSocketTransport(connection),
                chrome=chrome.id,
                name=chrome.name,
                document_only=bool(chrome.extension),
            )
        finally:
            if self._connections.get(chrome.id) is connection:
                del self._connections[chrome.id]


def _select_subprotocol(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Choose ours; an extension that other people wrote offers none."""
    return _SUBPROTOCOL if _SUBPROTOCOL in offered else None


def _bind(port: int | Literal["any"]) -> socket.socket:
    if port == 0:
        raise Denied("The extension is off: extension_port is 0.", hint="Choose a port, such as 8765.")
    first = 0 if port == "any" else port
    for number in range(first, min(first + PORTS_TRIED, 65_536)):
        try:
            return socket.create_server((LOOPBACK, number))
        except OSError as error:
            log.info("port %s is not available for the extension: %s", number, error)
    raise Blocked(f"No port from {port} on is free for the extension.", hint="Set another extension_port.")
