"""Authenticates connections to the extension's port: only extensions paired with this hub are admitted.

A page, another extension and a foreign Host header are refused before the upgrade. Another program cannot
prove that it knows the key, and learns nothing by trying. An extension that other people wrote sends its
token in the address, which is checked with the headers.
"""

import logging
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import orjson
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from tabwright.doors.wire.http_json import LOOPBACK
from tabwright.errors import TabwrightError
from tabwright.policy.callers.chrome_pairing import Chrome, Code, Exchange, PairedChromes

log = logging.getLogger(__name__)

WRONG_PROOF, NOT_PAIRED, TOO_SLOW, TOO_MANY = 4401, 4404, 4408, 1013
# Connections that may be in the handshake at once.
_MAX_PENDING = 16


class Refused(Exception):
    """A connection is refused; the code and the reason are sent to the other end."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Admission:
    """Checks the headers of new connections, and their proof of the key."""

    def __init__(self, chromes: PairedChromes, origin: str, handshake_timeout: float) -> None:
        self._chromes = chromes
        self._origin = origin
        self._handshake_timeout = handshake_timeout
        self._pending = 0
        self._last_pairing: tuple[Code, Chrome] | None = None
        self._paired = anyio.Event()

    def check_headers(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse a request that is not from a known extension in a browser of this computer."""
        port = connection.local_address[1]
        hosts = {f"{name}:{port}" for name in (LOOPBACK, "localhost", "[::1]")}
        given = [name.lower() for name in request.headers.get_all("Host")]
        if len(given) != 1 or given[0] not in hosts:
            return connection.respond(421, "Unknown host.\n")
        if request.headers.get_all("Origin") != [self._origin] and self._find_by_token(request) is None:
            return connection.respond(403, "Only paired extensions may connect.\n")
        return None

    def _find_by_token(self, request: Request) -> Chrome | None:
        """Return the Chrome whose extension sent the token in the address; None if there is none."""
        origins, tokens = request.headers.get_all("Origin"), _tokens(request.path)
        if len(origins) != 1 or len(tokens) != 1:
            return None
        try:
            return self._chromes.find_by_token(origins[0], tokens[0])
        except TabwrightError as error:
            log.warning("no Chrome can be admitted: %s", error)
            return None

    async def authenticate(self, connection: ServerConnection) -> Chrome:
        """Return the Chrome at the other end of a connection, once it has proved the key or sent its token.

        Raises:
            Refused: it is not paired, or did not prove the key.
        """
        request = connection.request
        if request is not None and (known := self._find_by_token(request)) is not None:
            return known
        if self._pending >= _MAX_PENDING:
            raise Refused(TOO_MANY, "too many at once")
        self._pending += 1
        try:
            with anyio.fail_after(self._handshake_timeout):
                return await self._run_handshake(connection)
        except TimeoutError:
            raise Refused(TOO_SLOW, "too slow") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Refused(WRONG_PROOF, "invalid handshake") from None
        except TabwrightError as error:
            log.warning("no Chrome can be admitted: %s", error)
            raise Refused(NOT_PAIRED, "not paired") from None
        finally:
            self._pending -= 1

    async def wait_for_pairing(self, code: Code) -> Chrome:
        """Wait until a Chrome is paired with a code; return it."""
        while self._last_pairing is None or self._last_pairing[0] is not code:
            await self._paired.wait()
        return self._last_pairing[1]

    async def _run_handshake(self, connection: ServerConnection) -> Chrome:
        hello = await _receive(connection, "hello")
        exchange = Exchange.start(hello["chrome"], hello["nonce"], connection.local_address[1])
        if hello.get("pairing"):
            code = self._chromes.code
            await self._prove(connection, exchange, code.secret if code else None)
            if code is None or self._chromes.code is not code:
                raise Refused(NOT_PAIRED, "the code was used")
            return self._pair(exchange, code, str(hello.get("name", "")))
        known = self._chromes.find(exchange.chrome)
        await self._prove(connection, exchange, known.key if known else None)
        if known is None or self._chromes.find(exchange.chrome) != known:
            raise Refused(NOT_PAIRED, "not paired")  # it was unpaired during the handshake
        return known

    async def _prove(self, connection: ServerConnection, exchange: Exchange, key: str | None) -> None:
        """Prove the key first, then require the proof: a Chrome reveals nothing to a program on our port."""
        if key is None:
            raise Refused(NOT_PAIRED, "not paired")
        challenge = {"type": "challenge", "nonce": exchange.ours, "proof": exchange.proof(key)}
        await connection.send(orjson.dumps(challenge).decode())
        if not exchange.proves(key, (await _receive(connection, "proof"))["proof"]):
            raise Refused(WRONG_PROOF, "wrong proof")

    def _pair(self, exchange: Exchange, code: Code, name: str) -> Chrome:
        chrome = self._chromes.pair(exchange, code, name)
        self._last_pairing = (code, chrome)
        self._paired.set()
        self._paired = anyio.Event()
        return chrome


def _tokens(path: str) -> list[str]:
    try:
        return parse_qs(urlsplit(path).query, max_num_fields=10).get("token", [])
    except ValueError:
        return []


async def _receive(connection: ServerConnection, kind: str) -> dict[str, Any]:
    message: dict[str, Any] = orjson.loads(await connection.recv())
    if message["type"] != kind:
        raise ValueError(f"expected {kind}")
    return message
