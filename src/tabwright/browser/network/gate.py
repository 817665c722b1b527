"""The way out of a context: what it may reach, and why something was not reached."""

from typing import Protocol

from tabwright.errors import TabwrightError


class Gate(Protocol):
    """Watches the way out of one context; whoever opens the context gives it one."""

    @property
    def proxy(self) -> str | None:
        """The proxy that all its requests go through; loopback is no exception."""

    @property
    def paused(self) -> tuple[str, ...]:
        """URLs that Chrome must ask about before it requests them, as its own patterns."""

    def check(self, url: str) -> None:
        """Let pass a URL that a caller wants opened.

        Raises:
            InvalidArgs: it is no URL.
            Denied: it may not be reached.
        """

    def allows(self, url: str) -> bool:
        """Whether a request that Chrome asks about may go."""

    def failure(self, url: str) -> TabwrightError | None:
        """Return why the way to a URL was closed or failed, where the gate knows."""

    def close(self) -> None:
        """Note that the context is gone."""


class Boundary(Protocol):
    """Gives every context of a browser its gate."""

    @property
    def closed(self) -> str:
        """A proxy that refuses everything: for what the browser itself would like to say to the world."""

    async def gate(self) -> Gate:
        """Open the gate of a new context."""


class OpenGate:
    """Nothing is watched: the engine on its own."""

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
