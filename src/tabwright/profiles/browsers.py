"""The browsers of profiles: one each, started at first use with the settings of the profile."""

import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace

import anyio
import anyio.abc

from tabwright.aio import background_tasks
from tabwright.browser.browser import Browser
from tabwright.browser.network.gate import Boundary
from tabwright.browser.process.launch import LaunchOptions
from tabwright.browser.process.user_data_dir import lock_user_data_dir
from tabwright.browser.saved_state.state import ContextState
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.profiles.config_file import ProfileFile
from tabwright.profiles.profile import Profile
from tabwright.profiles.unsaved_state import beyond_folder

# Returns the boundary of a profile, given its proxy.
OpenBoundary = Callable[[str], Boundary | None]


@dataclass(frozen=True, slots=True)
class Running:
    """A browser that runs for a profile."""

    profile_id: str
    name: str
    browser: Browser
    since: float


class Profiles:
    """The profiles of a file, and their browsers."""

    def __init__(
        self,
        file: ProfileFile,
        options: LaunchOptions,
        open_boundary: OpenBoundary,
        group: anyio.abc.TaskGroup,
    ) -> None:
        self.file = file
        self._options = options
        self._open_boundary = open_boundary
        self._group = group
        self._supervisors: dict[str, BrowserSupervisor] = {}
        self._running: dict[str, Running] = {}

    @classmethod
    @asynccontextmanager
    async def open(
        cls, file: ProfileFile, options: LaunchOptions, open_boundary: OpenBoundary
    ) -> "AsyncIterator[Profiles]":
        """Run the browsers of profiles until the block ends; then their files are written."""
        async with background_tasks() as group:
            profiles = cls(file, options, open_boundary, group)
            try:
                yield profiles
            finally:
                await profiles._stop_all()

    def __contains__(self, name: object) -> bool:
        """Whether sessions of that name work in a profile's browser."""
        return name in self.file or name in self._running

    def __iter__(self) -> Iterator[Running]:
        return iter(tuple(self._running.values()))

    def running(self, profile_id: str) -> Running | None:
        """Return the running browser of a profile, if there is one."""
        return self._running.get(profile_id)

    async def browser(self, profile_id: str) -> Browser:
        """Return the browser of a profile, started if there is none."""
        if profile_id not in self._supervisors:

            def launch(_: LaunchOptions, __: Boundary | None) -> AbstractAsyncContextManager[Browser]:
                return self._launch(profile_id)

            self._supervisors[profile_id] = BrowserSupervisor(self._options, self._group, launch=launch)
        return await self._supervisors[profile_id].browser()

    def beyond_folder(self, profile_id: str, state: ContextState) -> ContextState:
        """Return the part of a state that the profile's folder does not contain."""
        return beyond_folder(state, self.file.folder(self.file.get(profile_id)))

    def release(self, profile_id: str) -> None:
        """Stop handing out the profile's browser; `end` follows."""
        if profile_id in self._supervisors:
            self._supervisors[profile_id].release()

    async def end(self, profile_id: str) -> None:
        """Close the browser of a profile, and return when its files are written."""
        if profile_id in self._supervisors:
            await self._supervisors[profile_id].stop()

    async def remove_folder(self, profile: Profile) -> None:
        """Delete the folder of a profile, if we created it.

        Raises:
            Blocked: another browser has it open.
        """
        folder = self.file.folder(profile)
        if folder.is_dir():
            async with lock_user_data_dir(folder):
                await anyio.to_thread.run_sync(lambda: shutil.rmtree(folder, ignore_errors=True))

    @asynccontextmanager
    async def _launch(self, profile_id: str) -> AsyncIterator[Browser]:
        profile = self.file.get(profile_id)
        options = replace(
            self._options,
            profile=self.file.folder(profile),
            headless=profile.headless,
            proxy=None,
            language=profile.lang or self._options.language,
            timezone=profile.timezone or self._options.timezone,
            args=(*self._options.args, *profile.custom_args),
        )
        async with Browser.launch(options, self._open_boundary(profile.proxy_server)) as browser:
            self._running[profile_id] = Running(profile_id, profile.name, browser, time.time())
            try:
                yield browser
            finally:
                del self._running[profile_id]

    async def _stop_all(self) -> None:
        with anyio.CancelScope(shield=True):
            async with anyio.create_task_group() as group:
                for supervisor in self._supervisors.values():
                    group.start_soon(supervisor.stop)
