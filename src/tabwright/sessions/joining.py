"""Joining the browser that the user started and keeps: each session by a connection of its own.

Sessions share nothing of ours in it, so that the rights of one are not those of another; the browser and its
tabs go on when a session leaves.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial

import anyio
import anyio.abc

from tabwright.browser.browser import Browser
from tabwright.browser.gate import Boundary, Gate
from tabwright.browser.keeper import Keeper
from tabwright.browser.launch import LaunchOptions
from tabwright.cdp.tasks import tasks_beside
from tabwright.errors import BrowserGone, InvalidArgs

log = logging.getLogger(__name__)


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
        self, addresses: Callable[[], Iterable[str]], gate: Callable[[], Gate], group: anyio.abc.TaskGroup
    ) -> None:
        self._addresses = addresses
        self._gate = gate
        self._group = group
        self._keepers: set[Keeper] = set()

    @classmethod
    @asynccontextmanager
    async def open(
        cls, addresses: Callable[[], Iterable[str]], gate: Callable[[], Gate]
    ) -> "AsyncIterator[UsersBrowser]":
        """Keep connections while the block runs."""
        async with tasks_beside() as group:
            users = cls(addresses, gate, group)
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
                browser = await keeper.browser()
            except (BrowserGone, InvalidArgs) as error:
                log.info("no browser of the user was joined: %s", error)
                continue
            self._keepers.add(keeper)
            return Joined(browser, partial(self._leave, keeper))
        return None

    def _attached(
        self, address: str, _: LaunchOptions, __: Boundary | None
    ) -> AbstractAsyncContextManager[Browser]:
        return Browser.attach(address, gate=self._gate())

    async def _leave(self, keeper: Keeper) -> None:
        self._keepers.discard(keeper)
        await keeper.end()
