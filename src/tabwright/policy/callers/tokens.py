"""Tokens for callers over HTTP: created, listed, rotated and revoked in one private file.

The file contains only hashes. A token is 256 random bits, so a plain SHA-256 is enough. A change of the file
takes effect at once: every request checks whether it has changed, and then reads it again.
"""

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from tabwright.errors import Denied, InvalidArgs, NotFound
from tabwright.private_files import one_writer, read_private, write_private

SCOPES = ("read", "act", "evaluate", "admin", "manage")
_MAX_DAYS = 36_500
_HASH = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Token(NamedTuple):
    """What is stored of a token; times are in UTC, in ISO 8601."""

    id: str
    name: str
    scopes: tuple[str, ...]
    hash: str
    created: str
    rotated: str = ""
    expires: str = ""
    folder: str = ""

    def expired(self, now: datetime) -> bool:
        """Whether it has expired."""
        return bool(self.expires) and datetime.fromisoformat(self.expires) <= now

    def as_json(self) -> dict[str, object]:
        """Return everything but the hash."""
        return {name: value for name, value in self._asdict().items() if name != "hash"}


class Tokens:
    """The tokens of one file; `required` if calls need one even before the file exists."""

    def __init__(
        self,
        file: Path,
        *,
        required: bool = False,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.file = file
        self._required = required
        self._clock = clock
        self._known: tuple[Token, ...] = ()
        self._seen: tuple[int, ...] | None = None

    def __iter__(self) -> Iterator[Token]:
        self._refresh()
        return iter(self._known)

    @property
    def required(self) -> bool:
        """Whether calls need a token: revoking the last one does not allow calls without one again.

        Only a file that certainly does not exist leaves calls without a token; a dangling link does not.
        """
        if self._required:
            return True
        try:
            self.file.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            return True
        return True

    def find(self, presented: str) -> Token | None:
        """Return the token that was presented; None if it is unknown, revoked or expired.

        Raises:
            Denied: others can read the file, or it is invalid.
        """
        given = _hash(presented)
        found = None
        for token in self:  # all of them, so that the time reveals nothing
            if hmac.compare_digest(token.hash, given):
                found = token
        return None if found is None or found.expired(self._clock()) else found

    def create(
        self, name: str, scopes: Iterable[str], *, days: float | None = None, folder: Path | None = None
    ) -> tuple[Token, str]:
        """Create a token; return it and its secret, which is not stored.

        Raises:
            InvalidArgs: the name, a scope or the number of days is invalid.
        """
        _validate(name, scopes := tuple(dict.fromkeys(scopes)), days)
        secret, now = _secret(), self._clock()
        with one_writer(self.file):
            token = Token(
                id=secrets.token_hex(4),
                name=name,
                scopes=scopes,
                hash=_hash(secret),
                created=_format_time(now),
                expires=_format_time(now + timedelta(days=days)) if days else "",
                folder=str(folder.absolute()) if folder else "",
            )
            self._write([*self, token])
        return token, secret

    def revoke(self, which: str) -> Token:
        """Revoke a token, given its id, or its name if only one token has it."""
        with one_writer(self.file):
            gone = self._get(which)
            self._write([token for token in self if token is not gone])
        return gone

    def rotate(self, which: str) -> tuple[Token, str]:
        """Give a token a new secret; the old one stops working at once."""
        secret = _secret()
        with one_writer(self.file):
            old = self._get(which)
            new = old._replace(hash=_hash(secret), rotated=_format_time(self._clock()))
            self._write([new if token is old else token for token in self])
        return new, secret

    def _get(self, which: str) -> Token:
        known = tuple(self)
        of_id = [token for token in known if token.id == which]
        found = of_id or [token for token in known if token.name == which]
        if not found:
            raise NotFound(f"There is no token {which}.", hint="List them: tabwright token list")
        if len(found) > 1:
            raise InvalidArgs(
                f"{len(found)} tokens are called {which}.", hint="Give the id of one: tabwright token list"
            )
        return found[0]

    def _refresh(self) -> None:
        """Read the file if it has changed."""
        try:
            facts = self.file.stat()
        except FileNotFoundError:
            self._known, self._seen = (), None
            return
        except OSError as error:
            raise Denied(
                f"{self.file} cannot be read: {error.strerror}.", hint="Correct its path."
            ) from error
        now = (facts.st_ino, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_size)
        if now != self._seen:
            self._known, self._seen = _parse(self.file, read_private(self.file)), now

    def _write(self, tokens: list[Token]) -> None:
        lines = {"tokens": [token._asdict() for token in tokens]}
        write_private(self.file, json.dumps(lines, indent=2).encode() + b"\n")


def _parse(file: Path, content: bytes) -> tuple[Token, ...]:
    if content.strip()[:1] not in (b"", b"{", b"["):
        raise Denied(
            f"{file} is not a token file; plain tokens do not work.",
            hint="Move it away, and create a token: tabwright token create NAME",
        )
    try:
        return tuple(map(_parse_token, json.loads(content or b'{"tokens": []}')["tokens"]))
    except (ValueError, KeyError, TypeError) as error:
        raise Denied(
            f"{file} is not a valid token file: {error}.", hint="Correct it, or move it away."
        ) from error


def _parse_token(entry: dict[str, Any]) -> Token:
    token = Token(**{**entry, "scopes": tuple(entry["scopes"])})
    if not all(isinstance(value, str) for value in (*token.scopes, *token[:2], *token[3:])):
        raise TypeError("a field is not a string")
    if not _HASH.fullmatch(token.hash):
        raise ValueError("a hash is invalid")
    token.expired(datetime.now(UTC))  # raises now, not at the next request, if the time is invalid
    return token


def _validate(name: str, scopes: tuple[str, ...], days: float | None) -> None:
    if not _NAME.fullmatch(name):
        hint = "Letters, digits, dots, dashes and underscores: 64 at most."
        raise InvalidArgs(f"Invalid name {name!r} for a token.", hint=hint)
    unknown = [scope for scope in scopes if scope not in SCOPES]
    if unknown or not scopes:
        message = f"Unknown scope {', '.join(unknown)}." if unknown else "A token needs a scope."
        raise InvalidArgs(message, hint=f"Scopes: {', '.join(SCOPES)}.")
    if days is not None and not 0 < days <= _MAX_DAYS:
        raise InvalidArgs(
            f"A token cannot be valid for {days:g} days.",
            hint=f"Up to {_MAX_DAYS} days.",
        )


def _secret() -> str:
    return f"tw_{secrets.token_urlsafe(32)}"


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _format_time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
