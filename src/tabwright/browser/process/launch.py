"""Launching a browser process on a pipe: its options, its command line and its environment.

Nothing is left when the block ends: no process and no temporary folder.
"""

import logging
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from tabwright.browser.process.find import find_browser, find_headless_shell, is_headless_shell
from tabwright.browser.process.flags import (
    DISABLE_FEATURES,
    ENABLE_FEATURES,
    HEADLESS_FLAGS,
    HEADLESS_SHELL_FLAGS,
    PROXY_ONLY_FLAGS,
    QUIET_FLAGS,
    check_args,
    merge_features,
)
from tabwright.browser.process.process import EXIT_TIMEOUT, BrowserProcess, spawn
from tabwright.browser.process.user_data_dir import (
    lock_user_data_dir,
    make_user_data_dir,
    temporary_folder,
)
from tabwright.errors import Blocked
from tabwright.home import Home

log = logging.getLogger(__name__)

_DISPLAY_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY")
# Chrome creates a socket below TMPDIR and does not start when its path is too long.
_MAX_TMPDIR_LENGTH = 60
# Exits with 0 if the kernel allows a new user namespace (CLONE_NEWUSER).
_TRIAL = "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x10000000) != 0)"
_TRIAL_TIMEOUT = 10.0
_MIN_SHARED_MEMORY = 256 * 1024 * 1024
# Docker, Podman and Kubernetes create these in every container.
_CONTAINER_MARKERS = (
    ".dockerenv",
    "run/.containerenv",
    "dev/termination-log",
    "var/run/secrets/kubernetes.io",
)


@dataclass(frozen=True, kw_only=True)
class LaunchOptions:
    """How to start a browser."""

    executable: Path | None = None
    """The browser's program; by default the first Chrome, Chromium, Edge or Brave that is found."""
    downloads: Path = field(default_factory=lambda: Home.find().browsers)
    """The folder with browsers from `tabwright install-browser`; by default the user's state folder."""
    headless: bool = True
    """Run without a window."""
    shell: bool = True
    """Use Chromium's headless shell where it is installed and neither a window nor a profile is needed."""
    profile: Path | None = None
    """The folder that keeps cookies and storage; by default a temporary one, which is deleted at the end."""
    proxy: str | None = None
    """Proxy for all requests, such as `http://127.0.0.1:3128`."""
    proxy_bypass: str | None = None
    """Hosts to reach without the proxy, in Chrome's syntax; `<-loopback>` sends localhost through it too."""
    language: str | None = None
    """Language of the browser and of its requests, such as `pt-BR`."""
    timezone: str | None = None
    """Time zone of pages, such as `Europe/Paris`."""
    args: tuple[str, ...] = ()
    """More command-line arguments for the browser."""
    start_timeout: float = 30.0
    """Seconds that the browser may take to start."""
    page_bytes: int = 3_000 * 1024 * 1024
    """Kill a page's process when it uses more memory than this; no effect on macOS."""
    webmcp: bool = True
    """Let pages declare tools through WebMCP."""


def restrict_to_proxy(options: LaunchOptions, proxy: str) -> LaunchOptions:
    """Return options with which every packet goes through a proxy, even to localhost."""
    args = (*PROXY_ONLY_FLAGS, *check_args(options.args, proxy_only=True))
    return replace(options, proxy=proxy, proxy_bypass="<-loopback>", args=args)


@asynccontextmanager
async def launch_process(options: LaunchOptions) -> AsyncIterator[BrowserProcess]:
    """Run a browser process while the block runs."""
    executable = choose_executable(options)
    with temporary_folder() as temporary:
        folder = make_user_data_dir(options.profile, temporary)
        argv, environment = command_line(executable, folder, options), _environment(options, temporary)
        async with lock_user_data_dir(folder) if options.profile else nullcontext() as lock:
            process = spawn(executable, argv, environment, lock)
            log.info("started %s, process %d", executable, process.pid)
            try:
                await process.read_output()
                yield process
            finally:
                # A profile's files need time to be written; a temporary folder is deleted anyway.
                await process.stop(timeout=EXIT_TIMEOUT if options.profile else 0.0)
                log.info("process %d has exited", process.pid)


def choose_executable(options: LaunchOptions) -> Path:
    """Return the program to launch: the headless shell unless a window, a profile or a program is given."""
    shell = options.shell and options.headless and not (options.executable or options.profile)
    return (find_headless_shell() if shell else None) or find_browser(
        options.executable, downloads=options.downloads
    )


def command_line(executable: Path, folder: Path, options: LaunchOptions) -> list[str]:
    """Return the whole argument vector."""
    check_args(options.args)
    argv = [str(executable), "--remote-debugging-pipe", f"--user-data-dir={folder}", *QUIET_FLAGS]
    argv += merge_features(options.args, webmcp=options.webmcp)
    if options.headless:
        own = HEADLESS_SHELL_FLAGS if is_headless_shell(executable) else HEADLESS_FLAGS
        argv += ["--hide-scrollbars", "--mute-audio", *own]
    if needs_sandbox_off():
        argv.append("--no-sandbox")
    if _lacks_shared_memory():
        argv.append("--disable-dev-shm-usage")
    if options.proxy:
        argv.append(f"--proxy-server={options.proxy}")
    if options.proxy_bypass:
        argv.append(f"--proxy-bypass-list={options.proxy_bypass}")
    if options.language:
        general = options.language.partition("-")[0]
        accepted = dict.fromkeys((options.language, general))  # as Chrome does when a user chooses a language
        argv += [f"--lang={options.language}", f"--accept-lang={','.join(accepted)}"]
    return argv + [arg for arg in options.args if not arg.startswith((DISABLE_FEATURES, ENABLE_FEATURES))]


def needs_sandbox_off(
    root: Path = Path("/"), user: int | None = None, has_namespaces: Callable[[], bool] | None = None
) -> bool:
    """Whether Chrome's sandbox cannot work: it refuses root, and many containers forbid its namespaces."""
    if (os.geteuid() if user is None else user) == 0:
        return True
    in_container = any((root / marker).exists() for marker in _CONTAINER_MARKERS)
    return in_container and not (has_namespaces or _has_user_namespaces)()


@cache
def _has_user_namespaces() -> bool:
    """Try whether a process of this user may create a user namespace; once, because it takes 20 ms."""
    trial = [sys.executable, "-I", "-S", "-c", _TRIAL]
    try:
        subprocess.run(trial, check=True, timeout=_TRIAL_TIMEOUT, capture_output=True)  # noqa: S603 - ours
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _lacks_shared_memory() -> bool:
    """Whether /dev/shm is missing or small, as in containers; only Chrome for Linux uses it."""
    if sys.platform != "linux":
        return False
    try:
        return shutil.disk_usage("/dev/shm").free <= _MIN_SHARED_MEMORY  # noqa: S108 - only its size is read
    except OSError:
        return True


def _environment(options: LaunchOptions, temporary: Path) -> dict[str, str]:
    environment = dict(os.environ)  # noqa: TID251 - the browser inherits ours; nothing is read from it
    if not options.headless and sys.platform == "linux" and not {*_DISPLAY_VARIABLES} & environment.keys():
        raise Blocked(
            "A browser window needs a display, and there is none.",
            hint="Set headless to true, or start the hub where DISPLAY is set.",
        )
    if options.timezone:
        environment["TZ"] = options.timezone
    if len(str(temporary)) <= _MAX_TMPDIR_LENGTH:
        # A killed Chrome leaves its socket's folder behind; here it is deleted with the rest.
        environment["TMPDIR"] = str(temporary)
    elif len(environment.get("TMPDIR", "")) > _MAX_TMPDIR_LENGTH:
        del environment["TMPDIR"]
    return environment
