"""A Chrome with the extension installed, which can be quit, crashed, suspended and restarted."""

import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio

from tabwright.browser.process.find import find_browser
from tabwright.browser.process.launch import LaunchOptions, command_line
from tabwright.browser.process.process import EXIT_TIMEOUT, BrowserProcess, spawn
from tabwright.cdp import Connection
from tabwright.doors.extension.files import SHIPPED
from tabwright.doors.extension.server import extension_id
from tabwright.errors import BrowserGone
from tests.extension.person import Person

# How Chrome records an unpacked extension in its preferences.
_INSTALLED = {"location": 4, "creation_flags": 38, "path": str(SHIPPED)}


class Chrome:
    """One Chrome of the user, with its profile."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._preferences = folder / "Default" / "Preferences"
        self._preferences.parent.mkdir(parents=True)
        self._preferences.write_text(json.dumps({"extensions": {"settings": {extension_id(): _INSTALLED}}}))
        self._process: BrowserProcess | None = None

    @asynccontextmanager
    async def run(self, *, restore: bool = True, desk: bool = True) -> AsyncIterator[Person]:
        """Run it while the block runs, and restore its earlier tabs if `restore`; then quit it.

        Without a `desk`, no page of the extension is opened.
        """
        self._write_preferences(exit_type="Normal")  # after a crash Chrome would ask whether to restore
        process = self._process = spawn(*self._command(restore=restore))
        await process.read_output()
        try:
            async with Connection.open(process.transport, lost=BrowserGone) as connection:
                person = Person(connection.root, connection)
                if desk:
                    await person.open_desk()
                    # Chrome does not save a tab without a page, and the tabs after it would come back elsewhere.
                    await person.desk.until("chrome.tabs.query({}).then(all => all.every(tab => tab.url))")
                yield person
                if self._process is not None:
                    await person.root.send("Browser.close")
        finally:
            await process.stop(timeout=EXIT_TIMEOUT)

    async def crash(self, *urls: str) -> None:
        """Kill it as soon as these URLs are in Chrome's session file."""
        assert self._process is not None, "Chrome is not running"
        with anyio.fail_after(60):
            while not all(url.encode() in self._read_session_file() for url in urls):  # noqa: ASYNC110 - a file has no event
                await anyio.sleep(0.05)
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process = None

    def suspend(self) -> None:
        """Suspend it, as on a computer that sleeps."""
        assert self._process is not None, "Chrome is not running"
        os.killpg(self._process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Resume it."""
        assert self._process is not None, "Chrome is not running"
        os.killpg(self._process.pid, signal.SIGCONT)

    def _read_session_file(self) -> bytes:
        files = (self._folder / "Default" / "Sessions").glob("Session_*")
        return max(files, key=lambda file: file.name).read_bytes()

    def _command(self, *, restore: bool) -> tuple[Path, list[str], dict[str, str]]:
        args = ("--restore-last-session",) if restore else ()
        options = LaunchOptions(webmcp=False, profile=self._folder, args=args)
        executable = find_browser(None)
        argv = command_line(executable, self._folder, options)
        argv.remove("--no-startup-window")  # without a window nothing is restored
        return executable, argv, {**os.environ}  # noqa: TID251 - Chrome inherits the tests' own

    def _write_preferences(self, **profile: Any) -> None:
        preferences = json.loads(self._preferences.read_bytes())
        preferences.setdefault("extensions", {}).setdefault("ui", {})["developer_mode"] = True
        preferences.setdefault("profile", {}).update(profile)
        self._preferences.write_text(json.dumps(preferences))
