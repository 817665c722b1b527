"""Who gets in by the extension's port: our extension in a browser of this computer, paired with this hub.

A page, another extension and another name for this computer are turned away before the upgrade; another
program cannot prove that it knows the key, and learns nothing by asking.
"""

import logging
from typing import Any

import anyio
import orjson
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from tabwright.doors.wire.http_json import LOOPBACK
from tabwright.errors import TabwrightError
from tabwright.policy.callers.chrome_pairing import Chrome, Code, Exchange, PairedChromes

log = logging.getLogger(__name__)

WRONG_PROOF, NOT_PAIRED, TOO_SLOW, TOO_MANY = 4401, 4404, 4408, 1013
_MOST_UNPROVEN = 16


class Refused(Exception):
    """Somebody is not let in; the code and the reason are for their end of the socket."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Admission:
    """Judges those who come, by what they say and by what they can prove."""

    def __init__(self, chromes: PairedChromes, origin: str, patience: float) -> None:
        self._chromes = chromes
        self._origin = origin
        self._patience = patience
        self._unproven = 0
        self._latest: tuple[Code, Chrome] | None = None
        self._news = anyio.Event()

    def gate(self, connection: ServerConnection, request: Request) -> Response | None:
        """Turn away whoever is not our extension in a browser of this computer."""
        port = connection.local_address[1]
        hosts = {f"{name}:{port}" for name in (LOOPBACK, "localhost", "[::1]")}
        said = [name.lower() for name in request.headers.get_all("Host")]
        if len(said) != 1 or said[0] not in hosts:
            return connection.respond(421, "This is not for us.\n")
        if request.headers.get_all("Origin") != [self._origin]:
            return connection.respond(403, "Only the extension of Tabwright may come here.\n")
        return None

    async def admitted(self, link: ServerConnection) -> Chrome:
        """Return the Chrome that somebody proves to be.

        Raises:
            Refused: it proves to be none.
        """
        if self._unproven >= _MOST_UNPROVEN:
            raise Refused(TOO_MANY, "too many at once")
        self._unproven += 1
        try:
            with anyio.fail_after(self._patience):
                return await self._proven(link)
        except TimeoutError:
            raise Refused(TOO_SLOW, "too slow") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Refused(WRONG_PROOF, "no hello") from None
        except TabwrightError as error:
            log.warning("nobody can be let in: %s", error)
            raise Refused(NOT_PAIRED, "not paired") from None
        finally:
            self._unproven -= 1

    async def paired(self, code: Code) -> Chrome:
        """Wait until a Chrome is paired by a code; return it."""
        while self._latest is None or self._latest[0] is not code:
            await self._news.wait()
        return self._latest[1]

    async def _proven(self, link: ServerConnection) -> Chrome:
        hello = await _said(link, "hello")
        exchange = Exchange.with_(hello["chrome"], hello["nonce"], link.local_address[1])
        if hello.get("pairing"):
            code = self._chromes.code
            await self._prove(link, exchange, code.secret if code else None)
            if code is None or self._chromes.code is not code:
                raise Refused(NOT_PAIRED, "the code has served")
            return self._pair(exchange, code, str(hello.get("name", "")))
        known = self._chromes.find(exchange.chrome)
        await self._prove(link, exchange, known.key if known else None)
        if known is None or self._chromes.find(exchange.chrome) != known:
            raise Refused(NOT_PAIRED, "not paired")  # it was unpaired meanwhile
        return known

    async def _prove(self, link: ServerConnection, exchange: Exchange, key: str | None) -> None:
        """Prove ourselves, then be proved to: a Chrome shows nothing to whoever took our port."""
        if key is None:
            raise Refused(NOT_PAIRED, "not paired")
        challenge = {"type": "challenge", "nonce": exchange.ours, "proof": exchange.proof(key)}
        await link.send(orjson.dumps(challenge).decode())
        if not exchange.proves(key, (await _said(link, "proof"))["proof"]):
            raise Refused(WRONG_PROOF, "wrong proof")

    def _pair(self, exchange: Exchange, code: Code, said: str) -> Chrome:
        chrome = self._chromes.pair(exchange, code, said)
        self._latest = (code, chrome)
        self._news.set()
        self._news = anyio.Event()
        return chrome


async def _said(link: ServerConnection, kind: str) -> dict[str, Any]:
    said: dict[str, Any] = orjson.loads(await link.recv())
    if said["type"] != kind:
        raise ValueError(f"no {kind}")
    return said
