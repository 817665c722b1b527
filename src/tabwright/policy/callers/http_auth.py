"""Who comes in over HTTP: the holder of a token, or the user of this computer where no token is asked for."""

from dataclasses import replace
from typing import Literal

from tabwright.errors import Denied
from tabwright.policy.callers.principal import Principal
from tabwright.policy.callers.rate_limit import RateLimit
from tabwright.policy.callers.tokens import Tokens

LOCAL = Principal("local:rest")


class Unknown(Denied):
    """Nobody knows who it is."""


class HttpAuth:
    """Names callers, and counts how fast each comes. Without tokens everyone is the user."""

    def __init__(
        self,
        tokens: Tokens | None = None,
        how: Literal["auto", "token", "none"] = "auto",
        *,
        limit: RateLimit | None = None,
    ) -> None:
        self._tokens = tokens
        self._how = how
        self._limit = limit

    @property
    def needs_token(self) -> bool:
        """Whether nobody comes in without."""
        if self._how == "auto":
            return self._tokens is not None and self._tokens.made
        return self._how == "token"

    def require_closed(self, address: str) -> None:
        """Refuse to listen where others can come while anybody may.

        Raises:
            Denied: no token is asked for, or there is none.
        """
        if self._how == "none":
            raise Denied(
                f"{address} is open to other computers, and auth.type is none.",
                hint='Set auth.type to "token", or bind to 127.0.0.1.',
            )
        if self._tokens is None or not tuple(self._tokens):
            raise Denied(
                f"{address} is open to other computers, and there is no token.",
                hint="Make one: tabwright token create NAME. Or bind to 127.0.0.1.",
            )

    def admit(self, presented: str | None) -> Principal:
        """Name whoever presents a token, or none; count that they came.

        Raises:
            Unknown: a token is needed and this is none; the same for one unknown, revoked and expired.
            TooFast: they came too often.
        """
        principal = self._named(presented)
        if self._limit is None:
            return principal
        self._limit.take(principal.name)
        return replace(principal, counted=True)

    def _named(self, presented: str | None) -> Principal:
        if self._how == "none" or (presented is None and not self.needs_token):
            return LOCAL
        token = self._tokens.find(presented) if self._tokens and presented else None
        if token is None:
            told = "The token is not known." if presented else "A token is needed."
            make = "tabwright token create NAME (for the dashboard: --scope admin)"
            raise Unknown(told, hint=f"Send Authorization: Bearer TOKEN; make one: {make}")
        return Principal.of(token)
