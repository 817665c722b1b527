"""Getting a browser where there is none: by the system's own package manager, if we may use it."""

import os
import shutil
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from pathlib import Path

import anyio
import anyio.abc
from anyio.streams.text import TextReceiveStream

from tabwright.browser.discover import find_browser
from tabwright.errors import Denied, NotFound, TabwrightError, TimedOut
from tabwright.settings import Settings

Command = tuple[str, ...]
Say = Callable[[str], Awaitable[None]]

_BY_HAND = (
    "Install one (Debian and Ubuntu: apt install chromium; Fedora: dnf install chromium; "
    "macOS: brew install --cask chromium), or name its path in TABWRIGHT_BROWSER."
)
# Of Debian and its kin; a page without a font is a page of boxes.
PACKAGES = ("chromium", "fonts-dejavu-core")
# Chromium without windows, of Debian only: pages in half the time, and no loss where it is missing.
SHELL = "chromium-headless-shell"
_QUIETLY = ("env", "DEBIAN_FRONTEND=noninteractive")
# A list of packages, then hundreds of megabytes over a slow line.
_TIMEOUT = 1_800.0


async def install_browser(say: Say, chosen: Path | None = None) -> Path:
    """Return the browser of this computer, installed first if there is none; `say` hears how it goes.

    Raises:
        Denied: it takes rights that we do not have.
        NotFound: the chosen one is not there, or no package manager brought one; its last words are told.
    """
    try:
        return find_browser(chosen)
    except NotFound:
        if chosen is not None:
            raise
        needed, welcome = _commands()
    for command in needed:
        await _run(command, say)
    for command in welcome:
        with suppress(NotFound):
            await _run(command, say)
    return find_browser()


def _commands() -> tuple[list[Command], list[Command]]:
    """What to run, in order: what must succeed, and what may."""
    if shutil.which("brew"):
        return [("brew", "install", "--cask", "chromium")], []
    if shutil.which("apt-get"):
        install = (*_QUIETLY, "apt-get", "install", "-y", "--no-install-recommends")
        needed = [_as_root("apt-get", "update"), _as_root(*install, *PACKAGES)]
        return needed, [_as_root(*install, SHELL)]
    if shutil.which("dnf"):
        return [_as_root("dnf", "install", "-y", "chromium")], []
    raise NotFound("There is no browser, and no package manager that we know.", hint=_BY_HAND)


async def _run(command: Command, say: Say) -> None:
    last = ""
    try:
        with anyio.fail_after(_TIMEOUT):
            async with aclosing(_lines(command)) as lines:
                async for last in lines:
                    await say(last)
    except TimeoutError as error:
        raise TimedOut(f"{command[0]} did not end in {_TIMEOUT:.0f} s: {last}", hint=_BY_HAND) from error
    except subprocess.CalledProcessError as error:
        raise NotFound(f"{' '.join(command)} failed: {last or 'no words'}", hint=_BY_HAND) from error


def _as_root(*command: str) -> Command:
    if os.geteuid() == 0:
        return command
    if shutil.which("sudo") and _succeeds("sudo", "--non-interactive", "true"):
        return ("sudo", "--non-interactive", *command)
    raise Denied("Installing a browser takes the rights of root.", hint=_BY_HAND)


def _succeeds(*command: str) -> bool:
    run = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - words of our own
    return run.returncode == 0


async def _lines(command: Command) -> AsyncGenerator[str]:
    """Run a command and yield what it says, line by line; it ends with us."""
    async with await anyio.open_process(
        command, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        rest = ""
        async for text in TextReceiveStream(process.stdout, errors="replace"):
            *lines, rest = (rest + text).replace("\r", "\n").split("\n")
            for line in lines:
                if line.strip():
                    yield line.strip()[:200]
        if rest.strip():
            yield rest.strip()[:200]
        if await process.wait() != 0:
            raise subprocess.CalledProcessError(process.returncode or 1, command)


async def _told(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{anyio.run(install_browser, _told, Settings().browser)}\n")
    except TabwrightError as error:
        sys.exit(str(error))
