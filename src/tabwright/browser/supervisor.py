"""Supervises one browser: it starts at the first use, and is replaced at the next use after it has exited."""

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
    """One launched browser, shared by all callers."""

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
        self._scope = anyio.CancelScope()
        self._exited = anyio.Event()
        self._exited.set()

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        options: LaunchOptions | None = None,
        boundary: Boundary | None = None,
        launch: Launch = Browser.launch,
    ) -> "AsyncIterator[BrowserSupervisor]":
        """Supervise a browser while the block runs; nothing starts before the first use."""
        async with background_tasks() as group:
            supervisor = cls(options or LaunchOptions(), group, boundary, launch)
            try:
                yield supervisor
            finally:
                supervisor._scope.cancel()

    @property
    def running(self) -> bool:
        """Whether a browser is running."""
        return self._browser is not None and self._browser.alive

    async def browser(self) -> Browser:
        """Return the running browser; start one if there is none."""
        async with self._starting:
            if self._browser is None or not self._browser.alive:
                await self._exited.wait()  # two browsers cannot share a profile
                self._browser = await self._group.start(self._run)
            return self._browser

    def release(self) -> None:
        """Stop handing out this browser; the next caller waits for it to exit and gets a new one."""
        self._browser = None

    async def stop(self) -> None:
        """Stop the browser, and return when nothing of it is left."""
        self.release()
        with anyio.CancelScope(shield=True):
            self._scope.cancel()
            await self._exited.wait()

    async def _run(self, *, task_status: anyio.abc.TaskStatus[Browser]) -> None:
        self._exited = anyio.Event()
        self._scope = anyio.CancelScope()
        try:
            with self._scope:
                async with self._launch(self._options, self._boundary) as browser:
                    # If we are cancelled, the browser still runs until the block of `open` is done.
                    self._scope.shield = True
                    task_status.started(browser)
                    await browser.wait_until_gone()
                    log.warning("the browser %s has exited", browser.pid)
            if self._scope.cancelled_caught and not self._scope.shield:
                raise BrowserGone(
                    "The browser was stopped while it started.", hint="Call again; a new browser starts."
                )
        finally:
            self._exited.set()
