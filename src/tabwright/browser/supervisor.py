"""Keeps one browser at hand: started at its first use, replaced at the next use after it went away."""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio
import anyio.abc

from tabwright.aio import background_tasks
from tabwright.browser.browser import Browser
from tabwright.browser.network.gate import Boundary
from tabwright.browser.process.launch import LaunchOptions
from tabwright.errors import BrowserGone

log = logging.getLogger(__name__)

Launch = Callable[[LaunchOptions, Boundary | None], AbstractAsyncContextManager[Browser]]


class BrowserSupervisor:
    """One launched browser for whoever asks."""

    def __init__(
        self,
        options: LaunchOptions,
        group: anyio.abc.TaskGroup,
        boundary: Boundary | None = None,
        launch: Launch = Browser.launch,
    ) -> None:
        self._launch = launch
        self._options = options
        self._boundary = boundary
        self._group = group
        self._starting = anyio.Lock()
        self._browser: Browser | None = None
        self._shelter = anyio.CancelScope()
        self._over = anyio.Event()
        self._over.set()

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        options: LaunchOptions | None = None,
        boundary: Boundary | None = None,
        launch: Launch = Browser.launch,
    ) -> "AsyncIterator[BrowserSupervisor]":
        """Keep a browser while the block runs; nothing starts before it is asked for."""
        async with background_tasks() as group:
            supervisor = cls(options or LaunchOptions(), group, boundary, launch)
            try:
                yield supervisor
            finally:
                supervisor._shelter.cancel()

    @property
    def running(self) -> bool:
        """Whether a browser runs now."""
        return self._browser is not None and self._browser.alive

    async def browser(self) -> Browser:
        """Return the running browser, started if there is none."""
        async with self._starting:
            if self._browser is None or not self._browser.alive:
                await self._over.wait()  # two browsers cannot share a profile
                self._browser = await self._group.start(self._run)
            return self._browser

    def release(self) -> None:
        """Hand the browser to nobody any more: whoever asks next waits for its end and gets another."""
        self._browser = None

    async def end(self) -> None:
        """End the browser, and return when nothing of it is left."""
        self.release()
        with anyio.CancelScope(shield=True):
            self._shelter.cancel()
            await self._over.wait()

    async def _run(self, *, task_status: anyio.abc.TaskStatus[Browser]) -> None:
        self._over = anyio.Event()
        self._shelter = anyio.CancelScope()
        try:
            with self._shelter:
                async with self._launch(self._options, self._boundary) as browser:
                    # Whatever ends us all, the browser is there until the block that we keep it for is done.
                    self._shelter.shield = True
                    task_status.started(browser)
                    await browser.gone()
                    log.warning("the browser %s went away", browser.pid)
            if self._shelter.cancelled_caught and not self._shelter.shield:
                raise BrowserGone(
                    "The browser was ended while it started.", hint="Call again; a new browser starts."
                )
        finally:
            self._over.set()
