"""What the engine needs from the policy on requests: what a context may reach, and why a request failed."""

from typing import Protocol

from tabwright.errors import TabwrightError


class Gate(Protocol):
    """Checks the requests of one context."""

    @property
    def proxy(self) -> str | None:
        """The proxy for all its requests, including those to loopback."""

    @property
    def paused(self) -> tuple[str, ...]:
        """The requests that Chrome must pause for `allows`, as Chrome's URL patterns."""

    def check(self, url: str) -> None:
        """Check a URL that a caller wants to open.

        Raises:
            InvalidArgs: it is not a URL.
            Denied: it is not allowed.
        """

    def allows(self, url: str) -> bool:
        """Whether a paused request may continue."""

    def failure(self, url: str) -> TabwrightError | None:
        """Return why a URL was refused or failed, if the gate knows."""

    def close(self) -> None:
        """Close it with its context."""


class Boundary(Protocol):
    """Makes the gate of each context of a browser."""

    @property
    def closed(self) -> str:
        """A proxy that refuses everything: for the browser's own requests."""

    async def gate(self) -> Gate:
        """Open the gate of a new context."""


class OpenGate:
    """Allows everything: for the engine without a policy."""

    proxy: str | None = None
    paused: tuple[str, ...] = ()

    def check(self, url: str) -> None:
        return

    def allows(self, url: str) -> bool:
        return True

    def failure(self, url: str) -> TabwrightError | None:
        return None

    def close(self) -> None:
        return
