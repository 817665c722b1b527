"""Pairing with Chromes of the user: who is paired, and how both sides show that they know the key untold.

A key never crosses the wire: each side sends a keyed hash over fresh numbers of both and the port as it sees
it, so that nobody at another port can pass on what the other said. While pairing, the code that the person
carries over is the key, and the lasting one is derived from it on both sides.
"""

import hashlib
import hmac
import json
import re
import secrets
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from tabwright.errors import Denied, InvalidArgs, NotFound
from tabwright.private_files import one_writer, read_private, write_private

CODE_SECONDS = 120.0
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_KEY = re.compile(r"[0-9a-f]{64}")
_DEVICE = re.compile(r"[0-9a-f]{32}")


class Chrome(NamedTuple):
    """A paired Chrome: its own id, the name that people call it by, the key it shares with us."""

    id: str
    name: str
    key: str
    paired: str


class Exchange(NamedTuple):
    """The numbers of one handshake: whose, the Chrome's and ours, and the port that it came to."""

    chrome: str
    theirs: str
    ours: str
    port: str

    @classmethod
    def with_(cls, chrome: str, theirs: str, port: int) -> "Exchange":
        """Begin one at a port, with a number of our own.

        Raises:
            ValueError: what the Chrome says is malformed.
        """
        if not _DEVICE.fullmatch(chrome) or not _KEY.fullmatch(theirs):
            raise ValueError("no hello of ours")
        return cls(chrome, theirs, secrets.token_hex(32), str(port))

    def proof(self, key: str) -> str:
        """Return what shows that we know the key."""
        return self._hash(key, "hub")

    def proves(self, key: str, given: str) -> bool:
        """Whether what the Chrome sent shows that it knows the key."""
        return hmac.compare_digest(self._hash(key, "extension"), given)

    def lasting_key(self, code: str) -> str:
        """Return the key that comes of pairing with a code."""
        return self._hash(code, "token")

    def _hash(self, key: str, role: str) -> str:
        return hmac.new(key.encode(), "|".join((role, *self)).encode(), hashlib.sha256).hexdigest()


class Code(NamedTuple):
    """What a person carries over to a Chrome, for one pairing within two minutes."""

    secret: str
    name: str
    ends: float


class PairedChromes:
    """The paired Chromes, in one file of the user; and the code that is out, which is in no file."""

    def __init__(self, file: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._clock = clock
        self._code: Code | None = None

    def __iter__(self) -> Iterator[Chrome]:
        return iter(_parsed(self._file, read_private(self._file)))

    def names(self) -> list[str]:
        """Return what the paired Chromes are called."""
        return [chrome.name for chrome in self]

    def find(self, chrome_id: str) -> Chrome | None:
        """Return a Chrome by its id."""
        return next((chrome for chrome in self if chrome.id == chrome_id), None)

    def begin(self, name: str = "") -> Code:
        """Make a code; one that was out before ends.

        Raises:
            InvalidArgs: the name cannot be, or is another Chrome's.
        """
        if name and not _NAME.fullmatch(name):
            hint = "Small letters, digits, dots, dashes and underscores: 40 at most."
            raise InvalidArgs(f"{name!r:.80} is no name for a Chrome.", hint=hint)
        if any(chrome.name == name for chrome in self):
            raise InvalidArgs(
                f"A Chrome is called {name} already.",
                hint=f"Choose another, or first: tabwright extension unpair {name}",
            )
        self._code = Code(secrets.token_hex(16), name, self._clock() + CODE_SECONDS)
        return self._code

    def end(self, code: Code) -> None:
        """Let a code that is out no longer count."""
        if self._code is code:
            self._code = None

    @property
    def code(self) -> Code | None:
        """The code that is out now."""
        if self._code is not None and self._clock() >= self._code.ends:
            self._code = None
        return self._code

    def pair(self, exchange: Exchange, code: Code, said: str) -> Chrome:
        """Keep a Chrome that knew the code, which has served; the same one paired again is kept once."""
        self.end(code)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with one_writer(self._file):
            others = [chrome for chrome in self if chrome.id != exchange.chrome]
            before = self.find(exchange.chrome)
            name = code.name or (before.name if before else _free(_slug(said), others))
            chrome = Chrome(exchange.chrome, name, exchange.lasting_key(code.secret), now)
            self._write([*others, chrome])
        return chrome

    def forget(self, name: str) -> Chrome:
        """End the pairing with a Chrome.

        Raises:
            NotFound: none is called so.
        """
        with one_writer(self._file):
            known = list(self)
            gone = next((chrome for chrome in known if chrome.name == name), None)
            if gone is None:
                raise NotFound(
                    f"No Chrome is called {name!r:.80}.", hint="List them: tabwright extension list"
                )
            self._write([chrome for chrome in known if chrome is not gone])
        return gone

    def _write(self, chromes: list[Chrome]) -> None:
        content = {"chromes": [chrome._asdict() for chrome in chromes]}
        write_private(self._file, json.dumps(content, indent=2).encode() + b"\n")


def _parsed(file: Path, content: bytes) -> list[Chrome]:
    try:
        return [_chrome(told) for told in json.loads(content or b'{"chromes": []}')["chromes"]]
    except (ValueError, KeyError, TypeError) as error:
        raise Denied(f"{file} is no file of Chromes: {error}.", hint="Mend it, or move it away.") from error


def _chrome(told: dict[str, Any]) -> Chrome:
    chrome = Chrome(**told)
    if not (_DEVICE.fullmatch(chrome.id) and _NAME.fullmatch(chrome.name) and _KEY.fullmatch(chrome.key)):
        raise ValueError("a field is not as it is written")
    return chrome


def _slug(said: str) -> str:
    """Return a name for what a browser calls itself: `Google Chrome` is chrome."""
    words = re.findall(r"[a-z0-9]+", said.lower())
    return words[-1][:30] if words else "chrome"


def _free(name: str, others: list[Chrome]) -> str:
    taken = {chrome.name for chrome in others}
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(one for one in numbered if one not in taken)
