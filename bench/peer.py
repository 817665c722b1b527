"""What a peer must provide for the benchmark; each peer has its own file."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

WIDTH, HEIGHT = 1280, 720

# For both browsers, in addition to each peer's own flags.
FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--site-per-process",
    f"--window-size={WIDTH},{HEIGHT}",
)


class Page(Protocol):
    """One tab under test. Elements are named by the refs of the peer's own snapshot."""

    async def navigate(self, url: str) -> object:
        """Go there and wait for the load event."""
        ...

    async def evaluate(self, expression: str) -> Any: ...

    async def snapshot(self) -> str:
        """The page as the text that an agent reads, with refs and frames."""
        ...

    def ref(self, snapshot: str, role: str, name: str) -> str: ...

    async def click(self, ref: str) -> object: ...

    async def fill(self, ref: str, text: str) -> object: ...

    async def screenshot(self) -> str:
        """The viewport as PNG, in base64."""
        ...

    async def heap(self) -> int:
        """Bytes in use by the page's scripts in all worlds, after garbage collection."""
        ...


def change(page: Page) -> Callable[[], Awaitable[object]]:
    """Return a function that changes the page a little, so that no peer gains from a cached snapshot."""
    return lambda: page.evaluate("document.querySelector('#field').value += '.'")


class Opened(Protocol):
    """A running browser with its first page."""

    @property
    def page(self) -> Page: ...

    def relaunch(self) -> AbstractAsyncContextManager[object]:
        """Another browser and page, from the driver already running if there is one."""
        ...

    def new_context(self) -> AbstractAsyncContextManager[Page]:
        """An isolated context with a page."""
        ...


class Peer(Protocol):
    """One of the compared libraries."""

    name: str
    failures: type[Exception]  # what its operations raise

    def launch(self) -> AbstractAsyncContextManager[Opened]:
        """Launch everything, up to a first page that responds."""
        ...
