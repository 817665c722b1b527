"""Joins the user's own browser, with one connection per session.

Sessions share no connection, so that one session does not get the rights of another. The browser and its tabs
stay open when a session disconnects.
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
from tabwright.browser.user_chrome.document_relay import DocumentRelay
from tabwright.browser.user_chrome.link import ExtensionLink
from tabwright.browser.user_chrome.links import ExtensionLinks
from tabwright.browser.user_chrome.relay import Relay
from tabwright.browser.user_chrome.tab_ownership import TabMemory
from tabwright.cdp import CdpError
from tabwright.errors import BrowserGone, Denied, InvalidArgs, TabwrightError

log = logging.getLogger(__name__)

_START_TIMEOUT = 20.0
_EXTENSION = "extension"
_LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class JoinedBrowser:
    """A joined browser, how to disconnect, and whether it was restarted since it was last joined."""

    browser: Browser
    disconnect: Callable[[], Awaitable[None]]
    restarted: bool = False


@dataclass(frozen=True)
class Ways:
    """The ways in which the user allows sessions to join their browsers.

    Args:
        links: the Chromes that the extension connects.
        addresses: returns the debugging addresses where browsers may listen now.
        disabled: whether joining is not allowed at all, not even by address.
    """

    links: ExtensionLinks | None = None
    addresses: Callable[[], Iterable[str]] = tuple
    disabled: bool = False


class UserBrowser:
    """The user's own browser.

    Args:
        ways: how it may be reached.
        gate: creates the gate that decides which URLs a session may open in it.
        group: runs the connections.
    """

    def __init__(self, ways: Ways, gate: Callable[[], Gate], group: anyio.abc.TaskGroup) -> None:
        self._ways = ways
        self._gate = gate
        self._group = group
        self._supervisors: set[BrowserSupervisor] = set()

    @classmethod
    @asynccontextmanager
    async def open(cls, ways: Ways, gate: Callable[[], Gate]) -> "AsyncIterator[UserBrowser]":
        """Keep connections open while the block runs."""
        async with background_tasks() as group:
            users = cls(ways, gate, group)
            try:
                yield users
            finally:
                with anyio.CancelScope(shield=True):
                    for supervisor in tuple(users._supervisors):
                        await users._disconnect(supervisor)

    async def expect(self, address: str = "") -> None:
        """Wait for a Chrome of the extension, if one is expected to connect by itself."""
        if self._ways.links is not None and address.partition(":")[0] in ("", _EXTENSION):
            await self._ways.links.expect(address.partition(":")[2])

    def disconnect_error(self, address: str) -> TabwrightError | None:
        """Return why the Chrome of `extension:NAME` is disconnected, if its user disconnected it."""
        kind, _, name = address.partition(":")
        links = self._ways.links if kind == _EXTENSION else None
        return links.disconnect_error(name) if links is not None else None

    def is_connected(self, address: str) -> bool:
        """Whether the Chrome of `extension:NAME` is connected."""
        kind, _, name = address.partition(":")
        return kind == _EXTENSION and self._link(name) is not None

    async def join(self, holder: str) -> JoinedBrowser | None:
        """Join the first browser that answers, those of the extension first; None if none does."""
        if (link := self._link("")) is not None:
            return await self._join_through(link, holder)
        for address in self._ways.addresses():
            try:
                return await self._join_address(address)
            except (BrowserGone, InvalidArgs) as error:
                log.info("could not join the user's browser: %s", error)
        return None

    async def join_at(self, address: str, holder: str) -> JoinedBrowser:
        """Join the browser at an address of this computer, or the Chrome of `extension:NAME`.

        Raises:
            Denied: the settings do not allow it, or the address is another computer's.
            BrowserGone: no browser answers there.
        """
        if self._ways.disabled:
            raise Denied("The user does not allow joining a browser (attach = none).", hint="Ask the user.")
        kind, _, name = address.partition(":")
        if kind == _EXTENSION:
            return await self._join_by_name(name, holder)
        host = "localhost" if address.isdecimal() else urlsplit(address).hostname
        if host not in _LOCAL_HOSTS:
            raise Denied(f"{address!r:.200} is not of this computer.", hint="Give a port, such as 9222.")
        return await self._join_address(address)

    async def _join_by_name(self, name: str, holder: str) -> JoinedBrowser:
        if (link := self._link(name)) is not None:
            return await self._join_through(link, holder)
        if (error := self.disconnect_error(f"{_EXTENSION}:{name}")) is not None:
            raise error
        which = f"Chrome {name!r:.100}" if name else "Chrome"
        raise BrowserGone(
            f"No {which} is connected through the extension.",
            hint="Ask the user to open it; `tabwright extension` lists the paired Chromes.",
        )

    def _link(self, name: str) -> ExtensionLink | None:
        return self._ways.links.find(name) if self._ways.links is not None else None

    async def _join_address(self, address: str) -> JoinedBrowser:
        def attach(_: LaunchOptions, __: Boundary | None) -> AbstractAsyncContextManager[Browser]:
            return Browser.attach(address, gate=self._gate())

        supervisor = BrowserSupervisor(LaunchOptions(), self._group, launch=attach)
        return JoinedBrowser(await self._start(supervisor), partial(self._disconnect, supervisor))

    async def _join_through(self, link: ExtensionLink, holder: str) -> JoinedBrowser:
        links = self._ways.links
        assert links is not None, "the link comes from links"
        tab_memory = links.tab_memory(holder)

        def connect(_: LaunchOptions, __: Boundary | None) -> AbstractAsyncContextManager[Browser]:
            return connect_through_link(link, tab_memory, self._gate())

        async def disconnect() -> None:
            still_connected = supervisor.running  # otherwise the session may rejoin and need its tabs
            await self._disconnect(supervisor)
            if still_connected:
                links.forget(tab_memory)

        supervisor = BrowserSupervisor(LaunchOptions(), self._group, launch=connect)
        browser = await self._start(supervisor)
        return JoinedBrowser(browser, disconnect, restarted=tab_memory.note_run(link.chrome, link.run_id))

    async def _start(self, supervisor: BrowserSupervisor) -> Browser:
        browser = await supervisor.browser()
        self._supervisors.add(supervisor)
        return browser

    async def _disconnect(self, supervisor: BrowserSupervisor) -> None:
        self._supervisors.discard(supervisor)
        await supervisor.stop()


@asynccontextmanager
async def connect_through_link(link: ExtensionLink, memory: TabMemory, gate: Gate) -> AsyncIterator[Browser]:
    """Work in tabs of a linked Chrome while the block runs; they stay open afterwards.

    Raises:
        BrowserGone: it disconnected, or does not answer.
    """
    relay = DocumentRelay(link, memory) if link.document_only else Relay(link, memory)
    with memory.connected():
        async with _open_browser(relay, link, memory, gate) as browser:
            yield browser


@asynccontextmanager
async def _open_browser(
    relay: Relay | DocumentRelay, link: ExtensionLink, memory: TabMemory, gate: Gate
) -> AsyncIterator[Browser]:
    async with Browser.over(
        relay,
        headless=False,
        ownership=Ownership.EXTENSION,
        gate=gate,
        tab_memory=memory,
        lost=_interruption_error,
    ) as browser:
        browser.address = f"{_EXTENSION}:{link.name}"
        browser.focus_callbacks = relay.focus_callbacks
        browser.declared_pages = relay.pages if isinstance(relay, DocumentRelay) else None
        try:
            with anyio.fail_after(_START_TIMEOUT):
                await browser.start()
                await browser.wait_for_first_pages()
                browser.headless = "HeadlessChrome" in browser.version.user_agent
        except (TimeoutError, CdpError) as error:
            raise BrowserGone(
                f"The user's Chrome {link.name} does not answer.", hint="Ask the user to check it."
            ) from error
        yield browser


def _interruption_error(reason: str) -> TabwrightError:
    return disconnect_error(reason) or BrowserGone(
        f"The connection to the user's Chrome was interrupted ({reason}); "
        "what the call had begun may have happened.",
        hint="Call again: the session goes on in its tabs as soon as that Chrome is back.",
    )
