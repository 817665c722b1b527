"""Getting a browser where there is none: by the system's own package manager, else Chrome for Testing."""

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

from tabwright.browser.process.chrome_for_testing import ADDRESS, get_chrome
from tabwright.browser.process.find import SHELL_PLACES, find_browser, find_shell
from tabwright.errors import Denied, NotFound, TabwrightError, TimedOut
from tabwright.settings import Settings

Command = tuple[str, ...]
Say = Callable[[str], Awaitable[None]]
Run = Callable[[Command], Awaitable[None]]

_BY_HAND = (
    "Install one (Debian and Ubuntu: apt install chromium; Fedora: dnf install chromium; "
    "macOS: brew install --cask google-chrome), or name its path in TABWRIGHT_BROWSER."
)
# Of Debian and its kin; a page without a font is a page of boxes.
PACKAGES = ("chromium", "fonts-dejavu-core")
# Chromium without windows, of Debian only: pages in half the time, and no loss where it is missing.
SHELL = "chromium-headless-shell"
_OPTIONAL = (
    f"Optional, and not here: Chromium's headless shell, quicker where no window is asked for (Debian: apt "
    f"install {SHELL})."
)
_QUIETLY = ("env", "DEBIAN_FRONTEND=noninteractive")
# A list of packages, then hundreds of megabytes over a slow line.
_PATIENCE = 1_800.0


async def install_browser(
    say: Say,
    chosen: Path | None = None,
    *,
    address: str = ADDRESS,
    shell_places: Iterable[Path] | None = SHELL_PLACES,
    patience: float = _PATIENCE,
) -> Path:
    """Return the browser of this computer, installed first if there is none; `say` hears how it goes.

    Args:
        say: hears each line.
        chosen: the user's choice, which is only looked for.
        address: where Chrome for Testing is told of.
        shell_places: where the headless shell may be, which is welcome beside a browser; None: unwanted.
        patience: how many seconds each command of a package manager may take.

    Raises:
        Denied: it takes rights that we do not have, and none could be downloaded.
        NotFound: the chosen one is not there, or there is no way to one; last words are told.
    """
    run = partial(_run, say=say, patience=patience)
    try:
        found = find_browser(chosen)
    except NotFound:
        if chosen is not None:
            raise
        found = await _installed(run, say, address)
    if chosen is None and shell_places is not None and find_shell(elsewhere=shell_places) is None:
        await _bring_shell(run, say)
    return found


async def _installed(run: Run, say: Say, address: str) -> Path:
    try:
        for command in _commands():
            await run(command)
        return find_browser()
    except (Denied, NotFound, TimedOut) as error:
        failed = error
    await say(failed.message)
    try:
        return await get_chrome(say, address)
    except NotFound as error:
        raise failed.kind(f"{failed.message} {error.message}", hint=_BY_HAND) from error


async def _bring_shell(run: Run, say: Say) -> None:
    """Get the headless shell where that is simple; else say that it would be welcome."""
    with suppress(Denied, NotFound, TimedOut):
        if shutil.which("apt-get"):
            commands = _apt(SHELL)
            await say("Getting Chromium's headless shell beside it, which is optional")
            for command in commands:
                await run(command)
            return
    await say(_OPTIONAL)


def _commands() -> list[Command]:
    """What to run, in order."""
    if sys.platform == "darwin" and shutil.which("brew"):
        return [("brew", "install", "--cask", "google-chrome")]
    if shutil.which("apt-get"):
        return _apt(*PACKAGES)
    if shutil.which("dnf"):
        return [_as_root("dnf", "install", "-y", "chromium")]
    raise NotFound("There is no browser, and no package manager that we know.", hint=_BY_HAND)


def _apt(*packages: str) -> list[Command]:
    install = (*_QUIETLY, "apt-get", "install", "-y", "--no-install-recommends")
    return [_as_root("apt-get", "update"), _as_root(*install, *packages)]


async def _run(command: Command, say: Say, patience: float) -> None:
    last = ""
    try:
        with anyio.fail_after(patience):
            async with aclosing(_lines(command)) as lines:
                async for last in lines:
                    await say(last)
    except TimeoutError as error:
        raise TimedOut(f"{command[0]} did not end in {patience:.0f} s: {last}", hint=_BY_HAND) from error
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


def main(address: str = ADDRESS) -> None:
    """Print where the browser is, installed first if there is none."""
    try:
        settings = Settings.read()
        places = SHELL_PLACES if settings.headless_shell else None
        install = partial(install_browser, _told, settings.browser, address=address, shell_places=places)
        sys.stdout.write(f"{anyio.run(install)}\n")
    except TabwrightError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
