"""What the benchmark asks of a peer; one file for each beside this one."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

WIDTH, HEIGHT = 1280, 720

# Given to both browsers on top of each peer's own flags.
FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--site-per-process",
    f"--window-size={WIDTH},{HEIGHT}",
)


class Page(Protocol):
    """One tab under test. Elements are named by the ref that the peer's own snapshot gives them."""

    async def navigate(self, url: str) -> object:
        """Go there and wait for the load event."""
        ...

    async def evaluate(self, expression: str) -> Any: ...

    async def snapshot(self) -> str:
        """The page as the text an agent would read, refs and frames included."""
        ...

    def ref(self, snapshot: str, role: str, name: str) -> str: ...

    async def click(self, ref: str) -> object: ...

    async def fill(self, ref: str, text: str) -> object: ...

    async def screenshot(self) -> str:
        """The viewport as PNG, in base64."""
        ...

    async def heap(self) -> int:
        """Bytes the page's scripts hold after garbage collection, all worlds together."""
        ...


def changing(page: Page) -> Callable[[], Awaitable[object]]:
    """Return what changes a page a little: agents look at what changed, and nobody gains by remembering."""
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
    """One of the two."""

    name: str
    failures: type[Exception]  # what its operations raise

    def launch(self) -> AbstractAsyncContextManager[Opened]:
        """Everything from nothing to a first page that answers."""
        ...
