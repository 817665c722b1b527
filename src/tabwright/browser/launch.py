"""Start a browser process on a pipe, and see that nothing of it is left when we are done."""

import asyncio
import contextlib
import fcntl
import logging
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio

from tabwright.browser.discover import find_browser
from tabwright.cdp.pipe import PipeTransport
from tabwright.errors import BrowserGone, InvalidArgs

log = logging.getLogger(__name__)

_THROWAWAY_PREFIX = "tabwright-profile-"
_EXIT_GRACE = 5.0
_LAST_WORDS_GRACE = 1.0
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
_FEATURES_OFF = (
    "BackForwardCache",
    "Prerender2",
    "Translate",
    "OptimizationHints",
    "MediaRouter",
    "DestroyProfileOnBrowserClose",
    "AcceptCHFrame",
    "PaintHolding",
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
    }
)


@dataclass(frozen=True, kw_only=True)
class LaunchOptions:
    """How to start a browser."""

    executable: Path | None = None
    headless: bool = True
    profile: Path | None = None
    proxy: str | None = None
    proxy_bypass: str | None = None
    language: str | None = None
    timezone: str | None = None
    args: tuple[str, ...] = ()
    start_timeout: float = 30.0


class BrowserProcess:
    """A running browser: its pid, our end of its pipe, the last words it wrote."""

    def __init__(self, pid: int, transport: PipeTransport, words: "_LastWords") -> None:
        self.pid = pid
        self.transport = transport
        self._words = words
        self._exited = anyio.Event()
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._reap, args=(loop,), name=f"reap {pid}", daemon=True).start()

    def _reap(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        # Now, before the number can be given to another process.
        self._kill()
        with contextlib.suppress(RuntimeError):  # our loop ended first
            loop.call_soon_threadsafe(self._exited.set)

    def _kill(self) -> None:
        """Kill the browser and everything it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    async def last_words(self) -> str:
        """Return the tail of what the browser wrote; one that is about to end may finish its sentence."""
        with anyio.move_on_after(_LAST_WORDS_GRACE):
            await self._words.ended.wait()
        return self._words.text

    async def end(self, *, grace: float) -> None:
        """Wait `grace` seconds for the browser to leave, then kill it and everything it started."""
        with anyio.CancelScope(shield=True):
            with anyio.move_on_after(grace):
                await self._exited.wait()
            if not self._exited.is_set():
                self._kill()
            with anyio.move_on_after(_EXIT_GRACE):
                await self._exited.wait()
                # Every process of the browser holds our end of its standard error: its end is theirs.
                await self._words.ended.wait()
            self._words.close()
            await self.transport.aclose()


class _LastWords(asyncio.Protocol):
    """Keeps the tail of a stream and notices its end."""

    def __init__(self, fd: int) -> None:
        self._file = os.fdopen(fd, "rb", buffering=0)
        self._tail = b""
        self._transport: asyncio.BaseTransport | None = None
        self.ended = anyio.Event()

    @property
    def text(self) -> str:
        return self._tail.decode(errors="replace").strip()

    async def listen(self) -> None:
        await asyncio.get_running_loop().connect_read_pipe(lambda: self, self._file)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._tail = (self._tail + data)[-4096:]

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended.set()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
        else:
            self._file.close()


@asynccontextmanager
async def launched(options: LaunchOptions) -> AsyncIterator[BrowserProcess]:
    """Run a browser while the block runs; afterwards no process and no throw-away folder is left."""
    executable = find_browser(options.executable)
    with _profile_folder(options.profile) as folder:
        pid, transport, words = _spawn(executable, command_line(executable, folder, options), options)
        process = BrowserProcess(pid, transport, words)
        log.info("started %s, process %d", executable, pid)
        try:
            await words.listen()
            yield process
        finally:
            # A profile is worth the time its files take to be written; a throw-away one is not.
            await process.end(grace=_EXIT_GRACE if options.profile else 0.0)
            log.info("process %d is gone", pid)


def command_line(executable: Path, folder: Path, options: LaunchOptions) -> list[str]:
    """Return the whole argument vector."""
    argv = [str(executable), "--remote-debugging-pipe", f"--user-data-dir={folder}", *_QUIET]
    argv.append(f"--disable-features={','.join(_FEATURES_OFF)}")
    if options.headless:
        argv += ["--headless=new", "--hide-scrollbars", "--mute-audio"]
    if needs_sandbox_off():
        argv.append("--no-sandbox")
    if not _roomy_shared_memory():
        argv.append("--disable-dev-shm-usage")
    if options.proxy:
        argv.append(f"--proxy-server={options.proxy}")
    if options.proxy_bypass:
        argv.append(f"--proxy-bypass-list={options.proxy_bypass}")
    if options.language:
        argv += [f"--lang={options.language}", f"--accept-lang={options.language}"]
    return argv + list(_checked(options.args))


def _checked(args: tuple[str, ...]) -> tuple[str, ...]:
    for arg in args:
        if not arg.startswith("--") or "\0" in arg:
            raise InvalidArgs(
                f"{arg!r} is not a browser argument.", hint="Give arguments such as --window-size=800,600."
            )
        name = arg.partition("=")[0]
        if name.lower() in _NOT_TO_BE_GIVEN:
            raise InvalidArgs(f"{name} cannot be given here.", hint="Leave it out.")
    return args


def needs_sandbox_off() -> bool:
    """Chrome's sandbox refuses to run as root, and containers seldom let it make its namespaces."""
    return os.geteuid() == 0 or Path("/.dockerenv").exists() or Path("/run/.containerenv").exists()


def _roomy_shared_memory() -> bool:
    try:
        free = shutil.disk_usage("/dev/shm").free  # noqa: S108 - only its size is asked for
        return free > 256 * 1024 * 1024
    except OSError:
        return False


def _environment(options: LaunchOptions) -> dict[str, str]:
    environment = dict(os.environ)  # noqa: TID251 - the browser inherits ours; nothing is read from it
    if options.timezone:
        environment["TZ"] = options.timezone
    if len(environment.get("TMPDIR", "")) > _LONGEST_TEMPORARY:
        del environment["TMPDIR"]
    return environment


@contextmanager
def _profile_folder(chosen: Path | None) -> Iterator[Path]:
    if chosen is not None:
        with _as_bad_profile(chosen):
            chosen.mkdir(parents=True, exist_ok=True)
        yield chosen
        return
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=f"{_THROWAWAY_PREFIX}{os.getpid()}-"))
    with _locked(folder):
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _as_bad_profile(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InvalidArgs(
            f"{folder} cannot be a profile folder: {error.strerror}.", hint="Choose another folder."
        ) from error


def _sweep() -> None:
    """Remove throw-away folders whose owner was killed before it could."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_THROWAWAY_PREFIX}*-*"):
        owner = folder.name.removeprefix(_THROWAWAY_PREFIX).split("-")[0]
        # The lock tells where the number cannot: in another container, or given to another process since.
        with contextlib.suppress(OSError):
            if owner.isdigit() and not _alive(int(owner)):
                with _locked(folder):
                    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold a folder as ours; the lock goes with us however we end."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _spawn(
    executable: Path, argv: list[str], options: LaunchOptions
) -> "tuple[int, PipeTransport, _LastWords]":
    """Start the process with its end of our pipes on descriptors 3 and 4, as Chrome expects them."""
    their_in, our_out = _pipe()
    our_in, their_out = _pipe()
    our_words, their_words = _pipe()
    ours, theirs = (our_out, our_in, our_words), (their_in, their_out, their_words)
    try:
        pid = os.posix_spawn(
            executable,
            argv,
            _environment(options),
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, their_words, 1),
                (os.POSIX_SPAWN_DUP2, their_words, 2),
                (os.POSIX_SPAWN_DUP2, their_in, 3),
                (os.POSIX_SPAWN_DUP2, their_out, 4),
            ],
            setpgroup=0,
        )
    except (OSError, ValueError) as error:
        for fd in ours:
            os.close(fd)
        raise BrowserGone(f"{executable} could not be started: {error}.", hint="Check the file.") from error
    finally:
        for fd in theirs:
            os.close(fd)
    return pid, PipeTransport(our_in, our_out), _LastWords(our_words)


def _pipe() -> tuple[int, int]:
    """Make a pipe whose ends stand clear of the descriptors that the browser gets by number."""
    ends = os.pipe()
    clear = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    return clear[0], clear[1]
