"""Pairing with the user's Chromes: which are paired, and how both sides prove that they know the key.

The key is never sent. Each side sends a keyed hash over new random numbers of both sides and the port, so
that a program at another port cannot relay it. During pairing, the code that the user copies is the key, and
both sides derive the permanent key from it.

An extension that other people wrote does not know this. The user pairs it by its id, and gives it an address
that contains a token; of the token, only a hash is stored.
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
_EXTENSION_ID = re.compile(r"[a-p]{32}")
_SCHEME = "chrome-extension://"


class Chrome(NamedTuple):
    """A paired Chrome: its id, the name that the user gave it, and the shared key.

    With an extension that other people wrote, `extension` is the id of that, and `key` the hash of its token.
    """

    id: str
    name: str
    key: str
    paired: str
    extension: str = ""


class Exchange(NamedTuple):
    """One handshake: the id of the Chrome, its random number and ours, and the port."""

    chrome: str
    theirs: str
    ours: str
    port: str

    @classmethod
    def start(cls, chrome: str, theirs: str, port: int) -> "Exchange":
        """Start one at a port, with a new random number.

        Raises:
            ValueError: the message of the Chrome is malformed.
        """
        if not _DEVICE.fullmatch(chrome) or not _KEY.fullmatch(theirs):
            raise ValueError("malformed hello")
        return cls(chrome, theirs, secrets.token_hex(32), str(port))

    def proof(self, key: str) -> str:
        """Return the proof that we know the key."""
        return self._hash(key, "hub")

    def proves(self, key: str, given: str) -> bool:
        """Whether the Chrome has proved that it knows the key."""
        return hmac.compare_digest(self._hash(key, "extension"), given)

    def lasting_key(self, code: str) -> str:
        """Return the permanent key that is derived from a code."""
        return self._hash(code, "token")

    def _hash(self, key: str, role: str) -> str:
        return hmac.new(key.encode(), "|".join((role, *self)).encode(), hashlib.sha256).hexdigest()


class Code(NamedTuple):
    """What the user copies to a Chrome, for one pairing within two minutes."""

    secret: str
    name: str
    expires: float


class PairedChromes:
    """The paired Chromes, in one private file, and the current code, which is in memory only."""

    def __init__(self, file: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._clock = clock
        self._code: Code | None = None

    def __iter__(self) -> Iterator[Chrome]:
        return iter(_parse(self._file, read_private(self._file)))

    def names(self) -> list[str]:
        """Return the names of the paired Chromes."""
        return [chrome.name for chrome in self]

    def find(self, chrome_id: str) -> Chrome | None:
        """Return a Chrome with our own extension by its id."""
        return next((chrome for chrome in self if chrome.id == chrome_id and not chrome.extension), None)

    def find_by_token(self, origin: str, token: str) -> Chrome | None:
        """Return the Chrome with an extension of that origin that has that token."""
        given = _hash_token(token)
        of_origin = [one for one in self if one.extension and origin == _SCHEME + one.extension]
        return next((one for one in of_origin if hmac.compare_digest(one.key, given)), None)

    def begin(self, name: str = "") -> Code:
        """Create a code; an earlier one becomes invalid.

        Raises:
            InvalidArgs: the name is invalid, or another Chrome has it.
        """
        self._require_free(name)
        self._code = Code(secrets.token_hex(16), name, self._clock() + CODE_SECONDS)
        return self._code

    def pair_extension(self, extension: str, name: str = "") -> tuple[Chrome, str]:
        """Store an extension that other people wrote, by its id; return it and its token.

        Raises:
            InvalidArgs: the id or the name is invalid, or another Chrome has the name.
        """
        extension = extension.removeprefix(_SCHEME).rstrip("/")
        if not _EXTENSION_ID.fullmatch(extension):
            raise InvalidArgs(
                f"Invalid extension id {extension!r:.80}.",
                hint="Copy the id of 32 letters from chrome://extensions.",
            )
        self._require_free(name)
        token, now = secrets.token_hex(32), datetime.now(UTC).isoformat(timespec="seconds")
        with one_writer(self._file):
            known = list(self)
            name = name or _free_name("extension", known)
            chrome = Chrome(secrets.token_hex(16), name, _hash_token(token), now, extension)
            self._write([*known, chrome])
        return chrome, token

    def _require_free(self, name: str) -> None:
        if name and not _NAME.fullmatch(name):
            hint = "Use at most 40 lower-case letters, digits, dots, dashes and underscores."
            raise InvalidArgs(f"Invalid name {name!r:.80} for a Chrome.", hint=hint)
        if any(chrome.name == name for chrome in self):
            raise InvalidArgs(
                f"A Chrome is called {name} already.",
                hint=f"Choose another name, or first run: tabwright extension unpair {name}",
            )

    def end(self, code: Code) -> None:
        """Invalidate a code."""
        if self._code is code:
            self._code = None

    @property
    def code(self) -> Code | None:
        """The current code, if it is still valid."""
        if self._code is not None and self._clock() >= self._code.expires:
            self._code = None
        return self._code

    def pair(self, exchange: Exchange, code: Code, browser_name: str) -> Chrome:
        """Store a Chrome that knew the code; if it was paired before, replace its entry."""
        self.end(code)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with one_writer(self._file):
            others = [chrome for chrome in self if chrome.id != exchange.chrome]
            before = self.find(exchange.chrome)
            name = code.name or (before.name if before else _free_name(_slug(browser_name), others))
            chrome = Chrome(exchange.chrome, name, exchange.lasting_key(code.secret), now)
            self._write([*others, chrome])
        return chrome

    def forget(self, name: str) -> Chrome:
        """Remove the pairing with a Chrome.

        Raises:
            NotFound: there is no such Chrome.
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


def _parse(file: Path, content: bytes) -> list[Chrome]:
    try:
        return [_chrome(entry) for entry in json.loads(content or b'{"chromes": []}')["chromes"]]
    except (ValueError, KeyError, TypeError) as error:
        raise Denied(
            f"{file} is not a valid list of Chromes: {error}.", hint="Correct it, or move it away."
        ) from error


def _chrome(entry: dict[str, Any]) -> Chrome:
    chrome = Chrome(**entry)
    valid = _DEVICE.fullmatch(chrome.id) and _NAME.fullmatch(chrome.name) and _KEY.fullmatch(chrome.key)
    if not valid or (chrome.extension and not _EXTENSION_ID.fullmatch(chrome.extension)):
        raise ValueError("a field is invalid")
    return chrome


def _hash_token(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _slug(browser_name: str) -> str:
    """Derive a name from that of the browser: `Google Chrome` becomes chrome."""
    words = re.findall(r"[a-z0-9]+", browser_name.lower())
    return words[-1][:30] if words else "chrome"


def _free_name(name: str, others: list[Chrome]) -> str:
    taken = {chrome.name for chrome in others}
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(one for one in numbered if one not in taken)
