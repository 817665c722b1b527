"""The door for the user's own Chromes: the extension comes over a WebSocket, is let in, and is handed on."""

import base64
import hashlib
import json
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
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
# The library's own complaints about whoever knocks are no news; what fails of ours is logged here.
_quiet = logging.getLogger(f"{__name__}.socket")
_quiet.setLevel(logging.CRITICAL)

PORTS_TRIED = 5
# Seconds: Chrome ends a worker of an extension after 30 in which nothing happened to it.
HEARTBEAT = 20
_SUBPROTOCOL = Subprotocol("tabwright.v1")
_HANDSHAKE_SECONDS = 5.0
_LONGEST_UNPROVEN = 8 * 1024
_LONGEST = 256 * 1024 * 1024


class ExtensionLinks(Protocol):
    """Those who work with a Chrome once it is proven."""

    def serve(self, transport: WebSocketTransport, *, chrome: str, name: str) -> Awaitable[object]:
        """Work with it until its socket ends."""


@cache
def extension_id() -> str:
    """Return the id that Chrome gives the extension: its public key's hash, with letters for digits."""
    key = base64.b64decode(json.loads((SHIPPED / "manifest.json").read_bytes())["key"])
    digits = hashlib.sha256(key).hexdigest()[:32]
    return digits.translate(str.maketrans("0123456789abcdef", "abcdefghijklmnop"))


def _origin() -> str:
    return f"chrome-extension://{extension_id()}"


class ExtensionDoor:
    """Takes Chromes on that are paired, or that know the code that is out."""

    def __init__(
        self,
        chromes: PairedChromes,
        links: ExtensionLinks,
        *,
        patience: float = _HANDSHAKE_SECONDS,
        heartbeat: float = HEARTBEAT,
        ports: OwnPorts | None = None,
    ) -> None:
        self.chromes = chromes
        self.port: int | None = None
        self._first = 0
        self._patience = patience
        self._heartbeat = heartbeat
        self._links = links
        self._ports = ports or OwnPorts()
        self._admission = Admission(chromes, _origin(), patience)
        self._proven: dict[str, ServerConnection] = {}
        self._opening = anyio.Lock()
        self._begin: Callable[[], Awaitable[int]] | None = None

    @asynccontextmanager
    async def open(self, port: int | Literal["any"]) -> AsyncIterator[None]:
        """Let Chromes come while the block runs: at once if any is paired, else from `listen` on.

        The port is the first free one from `port` on; 0 for none at all.
        """
        async with AsyncExitStack() as stack:
            self._begin = partial(self._serving, stack, port)
            self._first = port if isinstance(port, int) else 0
            try:
                if any(self.chromes):
                    await self.listen()
            except TabwrightError as error:
                log.warning("no extension: %s", error)
            try:
                yield
            finally:
                self._begin, self.port = None, None

    async def listen(self) -> int:
        """Have a port that Chromes come to; return it.

        Raises:
            Denied: the settings want none.
            Blocked: none is to be had.
        """
        async with self._opening:
            if self.port is None:
                if self._begin is None:
                    raise Denied("Nothing waits for the extension.", hint="Start a hub: tabwright serve")
                self.port = await self._begin()
                self._first = self._first or self.port
                log.info("the extension is awaited at ws://%s:%s", LOOPBACK, self.port)
            return self.port

    async def link(self, code: Code) -> str:
        """Return the address of the page, in the extension, that pairs by a code."""
        port = await self.listen()
        return f"{_origin()}/ui/pair.html#port={port}&first={self._first}&code={code.secret}"

    async def _serving(self, stack: AsyncExitStack, port: int | Literal["any"]) -> int:
        bound = _bound(port)
        serving = serve(
            self._client,
            sock=bound,
            process_request=self._admission.gate,
            subprotocols=[_SUBPROTOCOL],
            compression=None,
            server_header=None,
            open_timeout=self._patience,
            close_timeout=2.0,
            ping_interval=None,  # what keeps the extension's worker alive are messages of its own
            max_size=_LONGEST_UNPROVEN,
            logger=_quiet,
        )
        await stack.enter_async_context(serving)
        had = int(bound.getsockname()[1])
        stack.enter_context(self._ports.taken(had))
        return had

    @property
    def connected(self) -> frozenset[str]:
        """The ids of Chromes that are here."""
        return frozenset(self._proven)

    async def paired(self, code: Code) -> Chrome:
        """Wait until a Chrome is paired by a code; return it."""
        return await self._admission.paired(code)

    async def drop(self, chrome: Chrome) -> None:
        """Send a Chrome away that is no longer paired."""
        if link := self._proven.get(chrome.id):
            await link.close(NOT_PAIRED, "not paired")

    async def _client(self, link: ServerConnection) -> None:
        try:
            chrome = await self._admission.admitted(link)
            welcome = {"type": "welcome", "heartbeat": self._heartbeat, "version": __version__}
            await link.send(orjson.dumps(welcome).decode())
            link.protocol.max_message_size = _LONGEST
            await self._served(link, chrome)
        except Refused as refused:
            log.info("a Chrome was sent away: %s", refused.reason)
            await link.close(refused.code, refused.reason)
        except ConnectionClosed:
            log.debug("a Chrome left before it was known")
        except Exception:
            log.exception("the link to a Chrome failed")

    async def _served(self, link: ServerConnection, chrome: Chrome) -> None:
        self._proven[chrome.id] = link
        log.info("Chrome %s is here", chrome.name)
        try:
            await self._links.serve(WebSocketTransport(link), chrome=chrome.id, name=chrome.name)
        finally:
            if self._proven.get(chrome.id) is link:
                del self._proven[chrome.id]
            log.info("Chrome %s left", chrome.name)


def _bound(port: int | Literal["any"]) -> socket.socket:
    if port == 0:
        raise Denied("The setting extension_port is 0: no extension.", hint="Choose a port, such as 8765.")
    first = 0 if port == "any" else port
    for one in range(first, min(first + PORTS_TRIED, 65_536)):
        try:
            return socket.create_server((LOOPBACK, one))
        except OSError as error:
            log.info("port %s cannot be had for the extension: %s", one, error)
    raise Blocked(f"No port from {port} on is free for the extension.", hint="Set another extension_port.")
