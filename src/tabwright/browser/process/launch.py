"""Start a browser process on a pipe, and see that nothing of it is left when we are done."""

import logging
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from tabwright.browser.process.find import find_browser, find_shell, is_shell
from tabwright.browser.process.process import EXIT_GRACE, BrowserProcess, spawn
from tabwright.browser.process.user_data_dir import held, profile_in, throwaway_folder
from tabwright.errors import Blocked, InvalidArgs

log = logging.getLogger(__name__)

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
# Chrome keeps a socket in this folder, under a name of its own, and does not start when that is too long.
_LONGEST_TEMPORARY = 60

# Nothing here changes what a page can do; it keeps Chrome from talking, asking and slowing down by itself.
_QUIET = (
    "--no-first-run",
    "--no-default-browser-check",
    "--no-startup-window",
    "--no-service-autorun",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--force-color-profile=srgb",
)
# A page restored from the back/forward cache or prerendered arrives without the events every wait stands on.
_OFF = "--disable-features="
_ON = "--enable-features="
_FEATURES_OFF = (
    "BackForwardCache",
    "Prerender2",
    "Translate",
    "OptimizationHints",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "DestroyProfileOnBrowserClose",
    "AcceptCHFrame",
    "PaintHolding",
    # A frame of its own for each document, also of the same site: a tenth to a fifth of a navigation, and the
    # first calls to the new page wait for the end of the old one.
    "RenderDocument",
    # The address bar starts a renderer with every window, for its suggestions: half the time of a new tab.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
)
# The window whose viewport is 1280 by 720; Chrome's own is that of a large phone.
_WINDOWLESS = ("--headless=new", "--window-size=1280,807")
# A shell's window is all viewport. Other than Chrome, it would not give each site a process of its own.
_SHELL = ("--window-size=1280,720", "--site-per-process")
# Tools that pages declare for agents.
_WEBMCP = "WebMCP"
# What would find a way past a proxy: WebRTC and QUIC, which are UDP, and looking names up.
_CLOSED_IN = (
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    # In a profile, Chrome's own requests go the way of its pages: these have nowhere to go.
    "--gaia-url=http://127.0.0.1:9",
    "--component-updater=url-source=http://127.0.0.1:9/",
)
# These run programs of the giver's choice, or take the browser out of our hands.
_NOT_TO_BE_GIVEN = frozenset(
    {
        "--renderer-cmd-prefix",
        "--utility-cmd-prefix",
        "--gpu-launcher",
        "--ppapi-plugin-launcher",
        "--browser-subprocess-path",
        "--remote-debugging-port",
        "--remote-debugging-pipe",
        "--user-data-dir",
        "--load-extension",
        "--log-net-log",
        "--log-file",
        "--trace-startup-file",
        "--crash-dumps-dir",
    }
)
# What Docker, Podman and Kubernetes put into every container.
_IN_CONTAINERS = (
    ".dockerenv",
    "run/.containerenv",
    "dev/termination-log",
    "var/run/secrets/kubernetes.io",
)
# These would lead past the proxy that a browser is closed in by.
_PAST_THE_PROXY = frozenset(
    {
        "--proxy-server",
        "--proxy-bypass-list",
        "--proxy-pac-url",
        "--proxy-auto-detect",
        "--no-proxy-server",
        "--host-resolver-rules",
        "--host-rules",
        "--webrtc-ip-handling-policy",
        "--force-webrtc-ip-handling-policy",
        "--enable-quic",
        "--origin-to-force-quic-on",
        "--webtransport-developer-mode",
    }
)


@dataclass(frozen=True, kw_only=True)
class LaunchOptions:
    """How to start a browser."""

    executable: Path | None = None
    headless: bool = True
    # Take the headless shell, where it is installed and does what is asked for.
    shell: bool = True
    profile: Path | None = None
    proxy: str | None = None
    proxy_bypass: str | None = None
    language: str | None = None
    timezone: str | None = None
    args: tuple[str, ...] = ()
    start_timeout: float = 30.0
    page_bytes: int = 3_000 * 1024 * 1024
    webmcp: bool = True


def closed_in(options: LaunchOptions, proxy: str) -> LaunchOptions:
    """Return the options of a browser whose every packet goes to a proxy, this computer no exception."""
    args = (*_CLOSED_IN, *checked_args(options.args))
    return replace(options, proxy=proxy, proxy_bypass="<-loopback>", args=args)


@asynccontextmanager
async def launched(options: LaunchOptions) -> AsyncIterator[BrowserProcess]:
    """Run a browser while the block runs; afterwards no process and no throw-away folder is left."""
    executable = program(options)
    with throwaway_folder() as temporary:
        folder = profile_in(options.profile, temporary)
        argv, environment = command_line(executable, folder, options), _environment(options, temporary)
        async with held(folder) if options.profile else nullcontext() as hold:
            process = spawn(executable, argv, environment, hold)
            log.info("started %s, process %d", executable, process.pid)
            try:
                await process.listen()
                yield process
            finally:
                # A profile is worth the time its files take to be written; a throw-away one is not.
                await process.end(grace=EXIT_GRACE if options.profile else 0.0)
                log.info("process %d is gone", process.pid)


def program(options: LaunchOptions) -> Path:
    """Return what will be launched: a window or a profile takes a whole browser, all else can do without."""
    bare = options.shell and options.headless and not (options.executable or options.profile)
    return (find_shell() if bare else None) or find_browser(options.executable)


def command_line(executable: Path, folder: Path, options: LaunchOptions) -> list[str]:
    """Return the whole argument vector."""
    argv = [str(executable), "--remote-debugging-pipe", f"--user-data-dir={folder}", *_QUIET]
    off = [arg.removeprefix(_OFF) for arg in options.args if arg.startswith(_OFF)]
    argv.append(_OFF + ",".join((*_FEATURES_OFF, *off)))
    on = [arg.removeprefix(_ON) for arg in options.args if arg.startswith(_ON)]
    if on := [*([_WEBMCP] if options.webmcp else []), *on]:
        argv.append(_ON + ",".join(on))
    if options.headless:
        argv += ["--hide-scrollbars", "--mute-audio", *(_SHELL if is_shell(executable) else _WINDOWLESS)]
    if needs_sandbox_off():
        argv.append("--no-sandbox")
    if not _roomy_shared_memory():
        argv.append("--disable-dev-shm-usage")
    if options.proxy:
        argv.append(f"--proxy-server={options.proxy}")
    if options.proxy_bypass:
        argv.append(f"--proxy-bypass-list={options.proxy_bypass}")
    if options.language:
        general = options.language.partition("-")[0]
        wanted = dict.fromkeys((options.language, general))  # as Chrome does for whoever chooses a language
        argv += [f"--lang={options.language}", f"--accept-lang={','.join(wanted)}"]
    # Of two lists of features Chrome takes the last.
    return argv + [arg for arg in _checked(options.args) if not arg.startswith((_OFF, _ON))]


def checked_args(args: tuple[str, ...]) -> tuple[str, ...]:
    """Return arguments for a browser that is closed in.

    Raises:
        InvalidArgs: one is no argument, or would take the browser out of our hands or past its proxy.
    """
    return _checked(args, _NOT_TO_BE_GIVEN | _PAST_THE_PROXY)


def _checked(args: tuple[str, ...], refused: frozenset[str] = _NOT_TO_BE_GIVEN) -> tuple[str, ...]:
    for arg in args:
        if not arg.startswith("--") or len(arg) == 2 or "\0" in arg:
            raise InvalidArgs(
                f"{arg!r} is not a browser argument.", hint="Give arguments such as --window-size=800,600."
            )
        name = arg.partition("=")[0]
        if name.lower() in refused:
            raise InvalidArgs(f"{name} cannot be given here.", hint="Leave it out.")
    return args


def needs_sandbox_off(root: Path = Path("/"), user: int | None = None) -> bool:
    """Chrome's sandbox refuses to run as root, and containers seldom let it make its namespaces."""
    is_root = (os.geteuid() if user is None else user) == 0
    return is_root or any((root / marker).exists() for marker in _IN_CONTAINERS)


def _roomy_shared_memory() -> bool:
    try:
        free = shutil.disk_usage("/dev/shm").free  # noqa: S108 - only its size is asked for
        return free > 256 * 1024 * 1024
    except OSError:
        return False


def _environment(options: LaunchOptions, temporary: Path) -> dict[str, str]:
    environment = dict(os.environ)  # noqa: TID251 - the browser inherits ours; nothing is read from it
    if not options.headless and sys.platform == "linux" and not {*_DISPLAYS} & environment.keys():
        raise Blocked(
            "There is no display to show a browser with a window on.",
            hint="Set headless to true, or start the hub where DISPLAY is set.",
        )
    if options.timezone:
        environment["TZ"] = options.timezone
    if len(str(temporary)) <= _LONGEST_TEMPORARY:
        environment["TMPDIR"] = str(temporary)  # a killed Chrome leaves its socket's folder there
    elif len(environment.get("TMPDIR", "")) > _LONGEST_TEMPORARY:
        del environment["TMPDIR"]
    return environment
