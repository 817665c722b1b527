"""`tabwright doctor`: checks everything that can be wrong on this computer, and says how to fix it."""

import json
import os
import platform
import shutil
import socket
import stat
import textwrap
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from tabwright import __version__
from tabwright.doors.cli.hub import describe, http_address
from tabwright.doors.terminal import Terminal
from tabwright.doors.wire.handshake import Hello, Welcome
from tabwright.doors.wire.hub_client import HubRefused, ask
from tabwright.errors import TabwrightError
from tabwright.home import Home

if TYPE_CHECKING:
    from tabwright.browser.startup_check import StartupResult

State = Literal["ok", "warn", "fail"]
_COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}
_MARGIN = " " * 21
_MEGABYTE = 1024 * 1024
_SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - only its size is asked for


class Check(NamedTuple):
    """The result of one check."""

    name: str
    state: State
    fact: str
    fix: str = ""


class Chosen(NamedTuple):
    """What the settings choose, for the checks.

    `fault` says why no hub starts with them, and `fix` what to do; `damaged` names unusable profiles and
    unsafe keys.
    """

    api_port: int | str = 0
    fault: str = ""
    fix: str = ""
    damaged: str = ""


def report(checks: list[Check], terminal: Terminal, *, as_json: bool) -> int:
    """Print the results; return 1 if a check failed."""
    if as_json:
        terminal.say(json.dumps([check._asdict() for check in checks], ensure_ascii=False, indent=2))
    else:
        for check in checks:
            mark = terminal.paint(f"{check.state:4}", _COLOURS[check.state])
            terminal.say(f"{mark}  {check.name:13}  {_wrap(check.fact, terminal)}")
            if check.fix:
                terminal.say(f"{_MARGIN}{terminal.paint(_wrap(check.fix, terminal), 'dim')}")
    return 1 if any(check.state == "fail" for check in checks) else 0


def _wrap(text: str, terminal: Terminal) -> str:
    room = terminal.width - len(_MARGIN)
    return f"\n{_MARGIN}".join(textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False))


def examine(home: Home, chosen: Chosen, check_browser: "Callable[[], StartupResult]") -> list[Check]:
    """Run all checks."""
    return [
        _versions(),
        _settings(home, chosen),
        *_browser(check_browser),
        *_hub_checks(home, chosen),
        _folder(home),
        _disk(home),
        _shared_memory(),
    ]


def _versions() -> Check:
    found, missing = [], []
    for name in _required():
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Check(
            "versions", "fail", f"Missing packages: {', '.join(missing)}.", "Install tabwright again."
        )
    ours = f"tabwright {__version__}, Python {platform.python_version()}"
    return Check("versions", "ok", f"{ours}, {', '.join(found)}")


def _required() -> Iterator[str]:
    """Yield the names of the packages that tabwright requires."""
    for line in requires("tabwright") or ():
        if "extra ==" not in line:
            yield line.split(";")[0].split(">")[0].split("=")[0].split("[")[0].strip()


def _settings(home: Home, chosen: Chosen) -> Check:
    if chosen.fault:
        return Check("settings", "fail", chosen.fault, chosen.fix)
    if chosen.damaged:
        return Check("settings", "warn", chosen.damaged, "Correct the file.")
    there = home.config_file if home.config_file.exists() else f"defaults; {home.config_file} does not exist"
    return Check("settings", "ok", str(there))


def _browser(check_browser: "Callable[[], StartupResult]") -> list[Check]:
    try:
        result = check_browser()
    except TabwrightError as error:
        return [Check("browser", "fail", error.message, error.hint)]
    fact = f"{result.path}, {result.version}, starts in {result.seconds:.1f} s"
    browser = Check("browser", "ok", fact)
    if result.sandboxed:
        return [browser, Check("sandbox", "ok", "on")]
    if os.geteuid() == 0:
        why, fix = "Chrome has no sandbox as root", "Visit only sites you trust, or run as an ordinary user."
    else:
        why = "this container does not allow user namespaces"
        fix = "Visit only sites you trust, or allow them: docker run --security-opt seccomp=unconfined"
    return [browser, Check("sandbox", "warn", f"off: {why}", fix)]


def _hub_checks(home: Home, chosen: Chosen) -> list[Check]:
    try:
        hub = ask(home, Hello("status", __version__))
    except HubRefused as error:
        return [Check("hub", "fail", str(error))]
    return [_hub(home, hub), _socket(home, hub), _port(home, chosen, hub)]


def _hub(home: Home, hub: Welcome | None) -> Check:
    log = f" Log: {home.log}" if home.log.exists() else ""
    if hub is None:
        return Check("hub", "ok", f"not running; the next command starts it.{log}")
    if hub.version != __version__:
        return Check("hub", "warn", f"{describe(hub)} This is {__version__}.", "tabwright hub stop")
    return Check("hub", "ok", f"{describe(hub)}{log}")


def _socket(home: Home, hub: Welcome | None) -> Check:
    path = home.socket
    if not path.exists():
        return Check("socket", "ok", f"{path} will be created when the hub starts")
    wrong = _access_problem(path, 0o600) or _access_problem(path.parent, 0o700)
    if wrong:
        return Check("socket", "fail", *wrong)
    if hub is None:
        return Check(
            "socket", "warn", f"{path} is left from a hub that has exited", "The next start replaces it."
        )
    return Check("socket", "ok", f"{path}, accessible only to you")


def _port(home: Home, chosen: Chosen, hub: Welcome | None) -> Check:
    if hub is not None and (address := http_address(home, hub)):
        return Check("port", "ok", f"the hub listens at {address}")
    port = chosen.api_port
    if not isinstance(port, int) or port == 0:
        return Check("port", "ok", "any free port" if port else "HTTP is off")
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError as error:
            fix = "Stop the program that uses it, or set api_port to another port."
            return Check("port", "warn", f"{port} is not available: {error.strerror}", fix)
    return Check("port", "ok", f"{port} is free")


def _folder(home: Home) -> Check:
    place = home.state
    nearest = _nearest_folder(place)
    if not nearest.is_dir():
        return Check("state folder", "fail", f"{nearest} is not a folder", "Set TABWRIGHT_HOME to a folder.")
    if not os.access(nearest, os.W_OK | os.X_OK):
        fix = f"chmod u+rwx {nearest}, or set TABWRIGHT_HOME to a folder that you can write to."
        return Check("state folder", "fail", f"{nearest} is not writable", fix)
    if nearest != place:
        return Check("state folder", "ok", f"{place} will be created at the first start")
    wrong = _access_problem(place, 0o700)
    return Check("state folder", "fail", *wrong) if wrong else Check("state folder", "ok", f"{place}")


def _nearest_folder(place: Path) -> Path:
    """Return the folder, or the closest one above it that exists."""
    while not os.path.lexists(place):
        place = place.parent
    return place


def _access_problem(path: Path, most: int) -> tuple[str, str] | None:
    """Return the fact and the fix if others can access a path."""
    found = path.stat()
    if found.st_uid != os.geteuid():
        return (
            f"{path} belongs to another user ({found.st_uid})",
            f"Remove it, or: chown {os.geteuid()} {path}",
        )
    rights = stat.S_IMODE(found.st_mode)
    if rights & 0o077:
        return f"{path} is accessible to other users ({rights:04o})", f"chmod {most:o} {path}"
    return None


def _disk(home: Home) -> Check:
    place = _nearest_folder(home.state)
    free = shutil.disk_usage(place).free // _MEGABYTE
    state: State = "fail" if free < 200 else "warn" if free < 1024 else "ok"
    fix = "" if state == "ok" else "Free some space for the browser's profile and downloads."
    return Check("disk", state, f"{free:,} MB free at {place}", fix)


def _shared_memory() -> Check:
    if not _SHARED_MEMORY.exists():
        return Check("shared memory", "ok", "not used on this system")
    free = shutil.disk_usage(_SHARED_MEMORY).free // _MEGABYTE
    if free > 256:
        return Check("shared memory", "ok", f"{free:,} MB free")
    fix = "The browser uses files instead. In Docker, use --shm-size=1g."
    return Check("shared memory", "warn", f"{free:,} MB free", fix)
