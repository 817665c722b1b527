"""Joining the browser that the user started and keeps: each session by a connection of its own.

Sessions share nothing of ours in it, so that the rights of one are not those of another; the browser and its
tabs go on when a session leaves.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

import anyio
import anyio.abc

from tabwright.aio import background_tasks
from tabwright.browser.browser import Browser
from tabwright.browser.network.gate import Boundary, Gate
from tabwright.browser.ownership import Ownership
from tabwright.browser.process.launch import LaunchOptions
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.browser.user_chrome.detach_reasons import disconnect_error
from tabwright.browser.user_chrome.link import ExtensionLink
from tabwright.browser.user_chrome.links import ExtensionLinks
from tabwright.browser.user_chrome.relay import Relay
from tabwright.browser.user_chrome.tab_ownership import TabMemory
from tabwright.cdp import CdpError
from tabwright.errors import BrowserGone, Denied, InvalidArgs, TabwrightError

log = logging.getLogger(__name__)

_EXTENSION = "extension"
_HERE = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Joined:
    """A browser that was joined, how to leave it, and whether it was restarted since it was joined before."""

    browser: Browser
    leave: Callable[[], Awaitable[None]]
    restarted: bool = False


@dataclass(frozen=True)
class Ways:
    """How the user lets their browsers be joined.

    Args:
        links: those that the extension connects.
        addresses: where others may listen to debuggers, as of now.
        never: whether none may be joined, whoever names one.
    """

    links: ExtensionLinks | None = None
    addresses: Callable[[], Iterable[str]] = tuple
    never: bool = False


class UserBrowser:
    """The browser of the user, however it is reached.

    Args:
        ways: how it may be reached.
        gate: judges where sessions go in it.
        group: runs the connections.
    """

    def __init__(self, ways: Ways, gate: Callable[[], Gate], group: anyio.abc.TaskGroup) -> None:
        self._ways = ways
        self._gate = gate
        self._group = group
        self._keepers: set[BrowserSupervisor] = set()

    @classmethod
    @asynccontextmanager
    async def open(cls, ways: Ways, gate: Callable[[], Gate]) -> "AsyncIterator[UserBrowser]":
        """Keep connections while the block runs."""
        async with background_tasks() as group:
            users = cls(ways, gate, group)
            try:
                yield users
            finally:
                with anyio.CancelScope(shield=True):
                    for supervisor in tuple(users._keepers):
                        await users._leave(supervisor)

    async def expect(self, address: str = "") -> None:
        """Wait for a Chrome that the extension connects, where one is expected to come by itself."""
        if self._ways.links is not None and address.partition(":")[0] in ("", _EXTENSION):
            await self._ways.links.expect(address.partition(":")[2])

    def disconnect_error(self, address: str) -> TabwrightError | None:
        """Return why the Chrome that `extension:NAME` means left, if its user had it leave."""
        kind, _, name = address.partition(":")
        there = self._ways.links if kind == _EXTENSION else None
        return there.disconnect_error(name) if there is not None else None

    def there(self, address: str) -> bool:
        """Whether the Chrome that `extension:NAME` means is connected."""
        kind, _, name = address.partition(":")
        return kind == _EXTENSION and self._link(name) is not None

    async def join(self, holder: str) -> Joined | None:
        """Join the first browser that answers, those of the extension first; None when none does."""
        if (link := self._link("")) is not None:
            return await self._through(link, holder)
        for address in self._ways.addresses():
            try:
                return await self._at(address)
            except (BrowserGone, InvalidArgs) as error:
                log.info("no browser of the user was joined: %s", error)
        return None

    async def join_at(self, address: str, holder: str) -> Joined:
        """Join the browser at one address of this computer, or the one that `extension:NAME` means.

        Raises:
            Denied: the user joins none, or it is of another computer.
            BrowserGone: none answers there.
        """
        if self._ways.never:
            raise Denied("The user lets no browser be joined (attach = none).", hint="Ask the user.")
        kind, _, name = address.partition(":")
        if kind == _EXTENSION:
            return await self._named(name, holder)
        host = "localhost" if address.isdecimal() else urlsplit(address).hostname
        if host not in _HERE:
            raise Denied(f"{address!r:.200} is not of this computer.", hint="Give a port, such as 9222.")
        return await self._at(address)

    async def _named(self, name: str, holder: str) -> Joined:
        if (link := self._link(name)) is not None:
            return await self._through(link, holder)
        if (left := self.disconnect_error(f"{_EXTENSION}:{name}")) is not None:
            raise left
        which = f"Chrome {name!r:.100}" if name else "Chrome"
        raise BrowserGone(
            f"No {which} is connected through the extension.",
            hint="Ask the user to open it; `tabwright extension` tells what is paired.",
        )

    def _link(self, name: str) -> ExtensionLink | None:
        return self._ways.links.find(name) if self._ways.links is not None else None

    async def _at(self, address: str) -> Joined:
        def attached(_: LaunchOptions, __: Boundary | None) -> AbstractAsyncContextManager[Browser]:
            return Browser.attach(address, gate=self._gate())

        supervisor = BrowserSupervisor(LaunchOptions(), self._group, launch=attached)
        return Joined(await self._kept(supervisor), partial(self._leave, supervisor))

    async def _through(self, link: ExtensionLink, holder: str) -> Joined:
        links = self._ways.links
        assert links is not None, "a link is one of them"
        tab_memory = links.tab_memory(holder)

        def joined(_: LaunchOptions, __: Boundary | None) -> AbstractAsyncContextManager[Browser]:
            return connect_through_link(link, tab_memory, self._gate())

        async def leave() -> None:
            over = supervisor.running  # otherwise the session may come back for its tabs
            await self._leave(supervisor)
            if over:
                links.forget(tab_memory)

        supervisor = BrowserSupervisor(LaunchOptions(), self._group, launch=joined)
        browser = await self._kept(supervisor)
        return Joined(browser, leave, restarted=tab_memory.note_run(link.chrome, link.run_id))

    async def _kept(self, supervisor: BrowserSupervisor) -> Browser:
        browser = await supervisor.browser()
        self._keepers.add(supervisor)
        return browser

    async def _leave(self, supervisor: BrowserSupervisor) -> None:
        self._keepers.discard(supervisor)
        await supervisor.stop()


_PATIENCE = 20.0


@asynccontextmanager
async def connect_through_link(link: ExtensionLink, memory: TabMemory, gate: Gate) -> AsyncIterator[Browser]:
    """Work in tabs of a linked Chrome while the block runs; they stay open when we leave.

    Raises:
        BrowserGone: it disconnected, or does not answer.
    """
    relay = Relay(link, memory)
    with memory.connected():
        async with _joined(relay, link, memory, gate) as browser:
            yield browser


@asynccontextmanager
async def _joined(relay: Relay, link: ExtensionLink, memory: TabMemory, gate: Gate) -> AsyncIterator[Browser]:
    async with Browser.over(
        relay, headless=False, ownership=Ownership.EXTENSION, gate=gate, tab_memory=memory, lost=_interrupted
    ) as browser:
        browser.address = f"extension:{link.name}"
        browser.focus_callbacks = relay.focus_callbacks
        try:
            with anyio.fail_after(_PATIENCE):
                await browser.start()
                await browser.wait_for_first_pages()
                browser.headless = "HeadlessChrome" in browser.version.user_agent
        except (TimeoutError, CdpError) as error:
            raise BrowserGone(
                f"The user's Chrome {link.name} does not answer.", hint="Ask the user to look at it."
            ) from error
        yield browser


def _interrupted(reason: str) -> TabwrightError:
    return disconnect_error(reason) or BrowserGone(
        f"The connection to the user's Chrome was interrupted ({reason}); "
        "what the call had begun may have happened.",
        hint="Call again: the session goes on in its tabs as soon as that Chrome is back.",
    )
