"""The door for the user's own Chromes: the extension comes over a WebSocket, proves itself, and is handed on.

A page, another extension and another name for this computer are turned away before the upgrade; another
program cannot prove that it knows the key, and learns nothing by asking.
"""

import base64
import hashlib
import json
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache, partial
from typing import Any, Literal, Protocol

import anyio
import orjson
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from tabwright import __version__
from tabwright.cdp.websocket import WebSocketTransport
from tabwright.doors.listener import ADDRESS
from tabwright.doors.unpacked import SHIPPED
from tabwright.errors import Blocked, Denied, TabwrightError
from tabwright.policy.pairing import Chrome, Chromes, Code, Exchange

log = logging.getLogger(__name__)
# The library's own complaints about whoever knocks are no news; what fails of ours is logged here.
_quiet = logging.getLogger(f"{__name__}.socket")
_quiet.setLevel(logging.CRITICAL)

PORTS_TRIED = 5
# Seconds: Chrome ends a worker of an extension after 30 in which nothing happened to it.
HEARTBEAT = 20
WRONG_PROOF, NOT_PAIRED, TOO_SLOW, TOO_MANY = 4401, 4404, 4408, 1013
_SUBPROTOCOL = Subprotocol("tabwright.v1")
_HANDSHAKE_SECONDS = 5.0
_LONGEST_UNPROVEN = 8 * 1024
_LONGEST = 256 * 1024 * 1024
_MOST_UNPROVEN = 16


class Links(Protocol):
    """Those who work with a Chrome once it is proven."""

    def serve(self, transport: WebSocketTransport, *, chrome: str, name: str) -> Awaitable[object]:
        """Work with it until its socket ends."""


class _Refused(Exception):
    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


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
        chromes: Chromes,
        links: Links,
        *,
        patience: float = _HANDSHAKE_SECONDS,
        heartbeat: float = HEARTBEAT,
    ) -> None:
        self.chromes = chromes
        self.port: int | None = None
        self._first = 0
        self._patience = patience
        self._heartbeat = heartbeat
        self._links = links
        self._unproven = 0
        self._proven: dict[str, ServerConnection] = {}
        self._latest: tuple[Code, Chrome] | None = None
        self._news = anyio.Event()
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
        if self.port is None:
            if self._begin is None:
                raise Denied("Nothing waits for the extension.", hint="Start a hub: tabwright serve")
            self.port = await self._begin()
            self._first = self._first or self.port
            log.info("the extension is awaited at ws://%s:%s", ADDRESS, self.port)
        return self.port

    async def link(self, code: Code) -> str:
        """Return the address of the page, in the extension, that pairs by a code."""
        port = await self.listen()
        return f"{_origin()}/pair.html#port={port}&first={self._first}&code={code.secret}"

    async def _serving(self, stack: AsyncExitStack, port: int | Literal["any"]) -> int:
        bound = _bound(port)
        serving = serve(
            self._client,
            sock=bound,
            process_request=self._gate,
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
        return int(bound.getsockname()[1])

    @property
    def connected(self) -> frozenset[str]:
        """The ids of Chromes that are here."""
        return frozenset(self._proven)

    async def paired(self, code: Code) -> Chrome:
        """Wait until a Chrome is paired by a code; return it."""
        while self._latest is None or self._latest[0] is not code:
            await self._news.wait()
        return self._latest[1]

    async def drop(self, chrome: Chrome) -> None:
        """Send a Chrome away that is no longer paired."""
        if link := self._proven.get(chrome.id):
            await link.close(NOT_PAIRED, "not paired")

    def _gate(self, connection: ServerConnection, request: Request) -> Response | None:
        """Turn away whoever is not our extension in a browser of this computer."""
        hosts = {f"{name}:{self.port}" for name in (ADDRESS, "localhost", "[::1]")}
        said = [name.lower() for name in request.headers.get_all("Host")]
        if len(said) != 1 or said[0] not in hosts:
            return connection.respond(421, "This is not for us.\n")
        if request.headers.get_all("Origin") != [_origin()]:
            return connection.respond(403, "Only the extension of Tabwright may come here.\n")
        return None

    async def _client(self, link: ServerConnection) -> None:
        try:
            chrome = await self._admitted(link)
            welcome = {"type": "welcome", "heartbeat": self._heartbeat, "version": __version__}
            await link.send(orjson.dumps(welcome).decode())
            link.protocol.max_message_size = _LONGEST
            await self._served(link, chrome)
        except _Refused as refused:
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

    async def _admitted(self, link: ServerConnection) -> Chrome:
        if self._unproven >= _MOST_UNPROVEN:
            raise _Refused(TOO_MANY, "too many at once")
        self._unproven += 1
        try:
            with anyio.fail_after(self._patience):
                return await self._proven_as(link)
        except TimeoutError:
            raise _Refused(TOO_SLOW, "too slow") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise _Refused(WRONG_PROOF, "no hello") from None
        finally:
            self._unproven -= 1

    async def _proven_as(self, link: ServerConnection) -> Chrome:
        """Prove ourselves first: a Chrome shows nothing to whoever took our port."""
        hello = await _said(link, "hello")
        exchange = Exchange.with_(hello["chrome"], hello["nonce"])
        code = self.chromes.code if hello.get("pairing") else None
        known = None if hello.get("pairing") else self.chromes.find(exchange.chrome)
        key = code.secret if code else known.key if known else None
        if key is None:
            raise _Refused(NOT_PAIRED, "not paired")
        challenge = {"type": "challenge", "nonce": exchange.ours, "proof": exchange.proof(key)}
        await link.send(orjson.dumps(challenge).decode())
        if not exchange.proves(key, (await _said(link, "proof"))["proof"]):
            raise _Refused(WRONG_PROOF, "wrong proof")
        if code is None:
            # It may have been unpaired meanwhile.
            known = self.chromes.find(exchange.chrome)
            if known is None:
                raise _Refused(NOT_PAIRED, "not paired")
            return known
        if self.chromes.code is not code:
            raise _Refused(NOT_PAIRED, "the code has served")
        return self._pair(exchange, code, str(hello.get("name", "")))

    def _pair(self, exchange: Exchange, code: Code, said: str) -> Chrome:
        chrome = self.chromes.pair(exchange, code, said)
        self._latest = (code, chrome)
        self._news.set()
        self._news = anyio.Event()
        return chrome


async def _said(link: ServerConnection, kind: str) -> dict[str, Any]:
    said: dict[str, Any] = orjson.loads(await link.recv())
    if said["type"] != kind:
        raise ValueError(f"no {kind}")
    return said


def _bound(port: int | Literal["any"]) -> socket.socket:
    if port == 0:
        raise Denied("The setting extension_port is 0: no extension.", hint="Choose a port, such as 8765.")
    first = 0 if port == "any" else port
    for one in range(first, min(first + PORTS_TRIED, 65_536)):
        try:
            return socket.create_server((ADDRESS, one))
        except OSError as error:
            log.info("port %s cannot be had for the extension: %s", one, error)
    raise Blocked(f"No port from {port} on is free for the extension.", hint="Set another extension_port.")
