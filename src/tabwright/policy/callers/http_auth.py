"""Identifies callers over HTTP: who holds a token or the user's key, or the user if none is required."""

import hashlib
import hmac
from dataclasses import replace
from typing import Literal

from tabwright.errors import Denied
from tabwright.policy.callers.principal import Principal
from tabwright.policy.callers.rate_limit import RateLimit
from tabwright.policy.callers.tokens import Tokens

# Without a token, the caller is the user, as in the shell: both have the same sessions.
LOCAL = Principal("local:user")
# The holder of the key that the user chose; no token can have this name.
KEY_HOLDER = Principal("key:api")
# A shorter key could be found by trying. On this computer it is worth a warning; others may not try at all.
MIN_KEY_LENGTH = 16


class Unknown(Denied):
    """The caller could not be identified."""


class HttpAuth:
    """Identifies callers and limits their rate. If no token is required, every caller is the user."""

    def __init__(
        self,
        tokens: Tokens | None = None,
        mode: Literal["auto", "token", "none"] = "auto",
        *,
        key: str = "",
        limit: RateLimit | None = None,
    ) -> None:
        """Identify callers.

        Args:
            tokens: the tokens that the user created.
            mode: the setting `auth.type`.
            key: the key that the user chose; only its hash is kept. "" for none.
            limit: counts the requests of each caller.
        """
        self._tokens = tokens
        self._mode = mode
        self._key_hash = _hash(key) if key else None
        self._key_is_long = len(key) >= MIN_KEY_LENGTH
        self._limit = limit

    @property
    def needs_token(self) -> bool:
        """Whether a token is required."""
        if self._mode == "auto":
            return self._key_hash is not None or (self._tokens is not None and self._tokens.required)
        return self._mode == "token"

    def require_token(self, address: str) -> None:
        """Refuse to listen at an address where other computers can connect without a token.

        Raises:
            Denied: no token is required, or none exists and there is no long key.
        """
        if self._mode == "none":
            raise Denied(
                f"{address} can be reached from other computers, and auth.type is none.",
                hint='Set auth.type to "token", or bind to 127.0.0.1.',
            )
        if self._key_is_long or (self._tokens is not None and tuple(self._tokens)):
            return
        if self._key_hash is not None:
            raise Denied(
                f"{address} can be reached from other computers, and auth.api_key is short.",
                hint=f"Use {MIN_KEY_LENGTH} characters or more, or bind to 127.0.0.1.",
            )
        raise Denied(
            f"{address} can be reached from other computers, and there is no token.",
            hint="Create one: tabwright token create NAME. Or bind to 127.0.0.1.",
        )

    def admit(self, presented: str | None, *, own_user: bool = True) -> Principal:
        """Return the caller that presents a token, or none, and count the request.

        Without a token, a program of another user of this computer is not the user (`own_user`).

        Raises:
            Unknown: a token is required, and this one is missing, unknown, revoked or expired.
            TooFast: the caller exceeds its rate.
        """
        principal = self._identify(presented, own_user=own_user)
        if self._limit is None:
            return principal
        self._limit.take(principal.name)
        return replace(principal, counted=True)

    def _identify(self, presented: str | None, *, own_user: bool) -> Principal:
        if self._mode == "none" or (presented is None and own_user and not self.needs_token):
            return LOCAL
        if presented and self._key_hash and hmac.compare_digest(self._key_hash, _hash(presented)):
            return KEY_HOLDER
        token = self._tokens.find(presented) if self._tokens and presented else None
        if token is None:
            message = "Unknown token." if presented else "A token is required."
            create = "tabwright token create NAME (for the dashboard: --scope admin)"
            raise Unknown(message, hint=f"Send Authorization: Bearer TOKEN; create one: {create}")
        return Principal.of(token)


def _hash(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
