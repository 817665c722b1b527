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

from tabwright.browser.browser import Browser
from tabwright.browser.gate import Boundary, Gate
from tabwright.browser.keeper import Keeper
from tabwright.browser.launch import LaunchOptions
from tabwright.cdp.tasks import tasks_beside
from tabwright.errors import BrowserGone, Denied, InvalidArgs

log = logging.getLogger(__name__)

_HERE = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Joined:
    """A browser that was joined, and how to leave it."""

    browser: Browser
    leave: Callable[[], Awaitable[None]]


class UsersBrowser:
    """The browser of the user, wherever it listens.

    Args:
        addresses: where it may listen, as of now.
        gate: judges where sessions go in it.
        group: runs the connections.
    """

    def __init__(
        self,
        addresses: Callable[[], Iterable[str]],
        gate: Callable[[], Gate],
        group: anyio.abc.TaskGroup,
        *,
        never: bool = False,
    ) -> None:
        self._addresses = addresses
        self._never = never
        self._gate = gate
        self._group = group
        self._keepers: set[Keeper] = set()

    @classmethod
    @asynccontextmanager
    async def open(
        cls, addresses: Callable[[], Iterable[str]], gate: Callable[[], Gate], *, never: bool = False
    ) -> "AsyncIterator[UsersBrowser]":
        """Keep connections while the block runs; `never` joins none, whoever names one."""
        async with tasks_beside() as group:
            users = cls(addresses, gate, group, never=never)
            try:
                yield users
            finally:
                with anyio.CancelScope(shield=True):
                    for keeper in tuple(users._keepers):
                        await users._leave(keeper)

    async def join(self) -> Joined | None:
        """Join the first browser that answers; None when none does."""
        for address in self._addresses():
            keeper = Keeper(LaunchOptions(), self._group, launch=partial(self._attached, address))
            try:
                return await self._kept(keeper)
            except (BrowserGone, InvalidArgs) as error:
                log.info("no browser of the user was joined: %s", error)
        return None

    async def join_at(self, address: str) -> Joined:
        """Join the browser at one address of this computer.

        Raises:
            Denied: the user joins none, or it is of another computer.
            BrowserGone: none answers there.
        """
        if self._never:
            raise Denied("The user lets no browser be joined (attach = none).", hint="Ask the user.")
        host = "localhost" if address.isdecimal() else urlsplit(address).hostname
        if host not in _HERE:
            raise Denied(f"{address!r:.200} is not of this computer.", hint="Give a port, such as 9222.")
        return await self._kept(Keeper(LaunchOptions(), self._group, launch=partial(self._attached, address)))

    async def _kept(self, keeper: Keeper) -> Joined:
        browser = await keeper.browser()
        self._keepers.add(keeper)
        return Joined(browser, partial(self._leave, keeper))

    def _attached(
        self, address: str, _: LaunchOptions, __: Boundary | None
    ) -> AbstractAsyncContextManager[Browser]:
        return Browser.attach(address, gate=self._gate())

    async def _leave(self, keeper: Keeper) -> None:
        self._keepers.discard(keeper)
        await keeper.end()
