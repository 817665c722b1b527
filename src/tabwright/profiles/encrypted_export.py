"""A profile as a file that moves: its settings in the clear, its secrets sealed with a passphrase."""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from tabwright.errors import Denied, InvalidArgs

_FORMAT = "tabwright-profile"
_VERSION = 1
_PARTS = ("salt", "nonce", "sealed")
MIN_PASSPHRASE = 8
MAX_FILE = 64 * 1024 * 1024
# One guess takes 128 MB and about half a second.
_COST = {"n": 1 << 17, "r": 8, "p": 1, "maxmem": 256 * 1024 * 1024}


@dataclass(frozen=True)
class Moved:
    """What a file holds."""

    settings: dict[str, Any]
    secret: dict[str, Any]


def seal(moved: Moved, passphrase: str) -> bytes:
    """Encode a profile; its secrets can be read with the passphrase only.

    Raises:
        InvalidArgs: the passphrase is too short.
    """
    if len(passphrase) < MIN_PASSPHRASE:
        raise InvalidArgs(
            f"The passphrase has fewer than {MIN_PASSPHRASE} characters.", hint="Choose a longer one."
        )
    salt, nonce = secrets.token_bytes(16), secrets.token_bytes(12)
    sealed = _cipher(passphrase, salt).encrypt(nonce, orjson.dumps(moved.secret), _bound(moved.settings))
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "settings": moved.settings,
        "salt": _text(salt),
        "nonce": _text(nonce),
        "sealed": _text(sealed),
    }
    return orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n"


def unseal(content: bytes, passphrase: str) -> Moved:
    """Read what `seal` wrote.

    Raises:
        InvalidArgs: it is not such a file.
        Denied: the passphrase is wrong, or the file was changed.
    """
    from cryptography.exceptions import InvalidTag

    settings, salt, nonce, sealed = _parts(content)
    try:
        opened = _cipher(passphrase, salt).decrypt(nonce, sealed, _bound(settings))
    except (InvalidTag, ValueError) as error:
        raise Denied(
            "The passphrase is wrong, or the file was changed.", hint="Try again with the right passphrase."
        ) from error
    return Moved(settings, orjson.loads(opened))


def _parts(content: bytes) -> tuple[dict[str, Any], bytes, bytes, bytes]:
    try:
        parsed = orjson.loads(content)
        salt, nonce, sealed = (base64.b64decode(parsed[name], validate=True) for name in _PARTS)
        kind, settings = (parsed["format"], parsed["version"]), dict(parsed["settings"])
    except (ValueError, TypeError, LookupError):
        kind, settings, salt, nonce, sealed = ("", 0), {}, b"", b"", b""
    if kind != (_FORMAT, _VERSION):
        raise InvalidArgs("The file is not an exported profile.", hint="Choose another file.")
    return settings, salt, nonce, sealed


def _cipher(passphrase: str, salt: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(hashlib.scrypt(passphrase.encode(), salt=salt, dklen=32, **_COST))


def _bound(settings: Mapping[str, Any]) -> bytes:
    """Return the settings as data that the encryption authenticates: a change of them is detected."""
    return orjson.dumps([_FORMAT, _VERSION, settings], option=orjson.OPT_SORT_KEYS)


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()
