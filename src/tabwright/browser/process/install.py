"""Installing a browser where there is none: with the system's package manager, else Chrome for Testing."""

import os
import shutil
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import aclosing, suppress
from functools import partial
from pathlib import Path

import anyio
import anyio.abc
from anyio.streams.text import TextReceiveStream

from tabwright.browser.process.chrome_for_testing import VERSIONS_URL, Report, download_chrome
from tabwright.browser.process.find import HEADLESS_SHELL_PATHS, find_browser, find_headless_shell
from tabwright.errors import Denied, NotFound, TimedOut

Command = tuple[str, ...]
Run = Callable[[Command], Awaitable[None]]

_MANUAL_HINT = (
    "Install one (Debian and Ubuntu: apt install chromium; Fedora: dnf install chromium; "
    "macOS: brew install --cask google-chrome), or set TABWRIGHT_BROWSER to its path."
)
# On Debian and its derivatives; without a font, a page shows boxes instead of letters.
PACKAGES = ("chromium", "fonts-dejavu-core")
# Chromium without windows, on Debian only: half the time per page, but everything works without it.
HEADLESS_SHELL_PACKAGE = "chromium-headless-shell"
_OPTIONAL = (
    "Optional and not installed: Chromium's headless shell, faster where no window is needed "
    f"(Debian: apt install {HEADLESS_SHELL_PACKAGE})."
)
_NONINTERACTIVE = ("env", "DEBIAN_FRONTEND=noninteractive")
# A package list, then hundreds of megabytes over a slow connection.
_COMMAND_TIMEOUT = 1_800.0
_MAX_LINE = 200


async def install_browser(
    report: Report,
    chosen: Path | None = None,
    *,
    downloads: Path,
    versions_url: str = VERSIONS_URL,
    shell_paths: Iterable[Path] | None = HEADLESS_SHELL_PATHS,
    command_timeout: float = _COMMAND_TIMEOUT,
) -> Path:
    """Return this computer's browser, installed first if there is none.

    Args:
        report: gets each line of progress.
        chosen: the user's choice, which is never installed.
        downloads: the folder for a browser that is downloaded.
        versions_url: where the versions of Chrome for Testing are listed.
        shell_paths: where to find the headless shell, which is installed too; None: do not install it.
        command_timeout: seconds for each command of a package manager.

    Raises:
        Denied: root rights are missing, and the download failed too.
        NotFound: the chosen one does not exist, or nothing could be installed.
    """
    run = partial(_run, report=report, timeout=command_timeout)
    try:
        found = find_browser(chosen, downloads=downloads)
    except NotFound:
        if chosen is not None:
            raise
        found = await _install(run, report, downloads, versions_url)
    if chosen is None and shell_paths is not None and find_headless_shell(paths=shell_paths) is None:
        await _install_headless_shell(run, report)
    return found


async def _install(run: Run, report: Report, downloads: Path, versions_url: str) -> Path:
    try:
        for command in _install_commands():
            await run(command)
        return find_browser(downloads=downloads)
    except (Denied, NotFound, TimedOut) as error:
        failed = error
    await report(failed.message)
    try:
        return await download_chrome(report, downloads, versions_url)
    except NotFound as error:
        raise failed.kind(f"{failed.message} {error.message}", hint=_MANUAL_HINT) from error


async def _install_headless_shell(run: Run, report: Report) -> None:
    """Install the headless shell where apt can; otherwise report that it is optional."""
    with suppress(Denied, NotFound, TimedOut):
        if shutil.which("apt-get"):
            commands = _apt_commands(HEADLESS_SHELL_PACKAGE)
            await report("Installing Chromium's headless shell, which is optional")
            for command in commands:
                await run(command)
            return
    await report(_OPTIONAL)


def _install_commands() -> list[Command]:
    if sys.platform == "darwin" and shutil.which("brew"):
        return [("brew", "install", "--cask", "google-chrome")]
    if shutil.which("apt-get"):
        return _apt_commands(*PACKAGES)
    if shutil.which("dnf"):
        return [_as_root("dnf", "install", "-y", "chromium")]
    raise NotFound("There is no browser and no known package manager (apt, dnf, brew).", hint=_MANUAL_HINT)


def _apt_commands(*packages: str) -> list[Command]:
    install = (*_NONINTERACTIVE, "apt-get", "install", "-y", "--no-install-recommends")
    return [_as_root("apt-get", "update"), _as_root(*install, *packages)]


async def _run(command: Command, report: Report, timeout: float) -> None:
    last = ""
    try:
        with anyio.fail_after(timeout):
            async with aclosing(_output_lines(command)) as lines:
                async for last in lines:
                    await report(last)
    except TimeoutError as error:
        raise TimedOut(
            f"{command[0]} did not finish in {timeout:.0f} s: {last}", hint=_MANUAL_HINT
        ) from error
    except subprocess.CalledProcessError as error:
        raise NotFound(f"{' '.join(command)} failed: {last or 'no output'}", hint=_MANUAL_HINT) from error


def _as_root(*command: str) -> Command:
    if os.geteuid() == 0:
        return command
    sudo = ("sudo", "--non-interactive")
    if shutil.which("sudo") and subprocess.run((*sudo, "true"), capture_output=True).returncode == 0:  # noqa: S603, PLW1510 - our own command
        return (*sudo, *command)
    raise Denied("Installing a browser needs root rights.", hint=_MANUAL_HINT)


async def _output_lines(command: Command) -> AsyncGenerator[str]:
    """Run a command and yield its output line by line; it is killed when we stop reading."""
    async with await anyio.open_process(
        command, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        rest = ""
        async for text in TextReceiveStream(process.stdout, errors="replace"):
            *lines, rest = (rest + text).replace("\r", "\n").split("\n")
            for line in lines:
                if line.strip():
                    yield line.strip()[:_MAX_LINE]
        if rest.strip():
            yield rest.strip()[:_MAX_LINE]
        if await process.wait() != 0:
            raise subprocess.CalledProcessError(process.returncode or 1, command)
