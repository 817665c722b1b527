"""`tabwright doctor`: look at all that can be wrong on this computer, and say how to put it right."""

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
from tabwright.doors.cli.hub import described, http_of
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
    """One thing that was looked at."""

    name: str
    state: State
    fact: str
    fix: str = ""


class Chosen(NamedTuple):
    """What the settings choose that has to be looked at.

    `fault` says why no hub starts with them and `fix` what to do; `damaged` which profiles cannot be used.
    """

    api_port: int | str = 0
    fault: str = ""
    fix: str = ""
    damaged: str = ""


def report(checks: list[Check], terminal: Terminal, *, as_json: bool) -> int:
    """Print what was found; return 1 when something is broken."""
    if as_json:
        terminal.say(json.dumps([check._asdict() for check in checks], ensure_ascii=False, indent=2))
    else:
        for check in checks:
            mark = terminal.painted(f"{check.state:4}", _COLOURS[check.state])
            terminal.say(f"{mark}  {check.name:13}  {_wrapped(check.fact, terminal)}")
            if check.fix:
                terminal.say(f"{_MARGIN}{terminal.painted(_wrapped(check.fix, terminal), 'dim')}")
    return 1 if any(check.state == "fail" for check in checks) else 0


def _wrapped(text: str, terminal: Terminal) -> str:
    room = terminal.width - len(_MARGIN)
    return f"\n{_MARGIN}".join(textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False))


def examine(home: Home, chosen: Chosen, try_browser: "Callable[[], StartupResult]") -> list[Check]:
    """Look at everything."""
    return [
        _versions(),
        _settings(home, chosen),
        *_browser(try_browser),
        *_hub_and_its_places(home, chosen),
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
        return Check("versions", "fail", f"Missing: {', '.join(missing)}.", "Install tabwright again.")
    ours = f"tabwright {__version__}, Python {platform.python_version()}"
    return Check("versions", "ok", f"{ours}, {', '.join(found)}")


def _required() -> Iterator[str]:
    """The packages that ours asks for, without their version marks."""
    for line in requires("tabwright") or ():
        if "extra ==" not in line:
            yield line.split(";")[0].split(">")[0].split("=")[0].split("[")[0].strip()


def _settings(home: Home, chosen: Chosen) -> Check:
    if chosen.fault:
        return Check("settings", "fail", chosen.fault, chosen.fix)
    if chosen.damaged:
        return Check("settings", "warn", chosen.damaged, "Correct it there.")
    there = home.config_file if home.config_file.exists() else f"defaults; {home.config_file} would be read"
    return Check("settings", "ok", str(there))


def _browser(try_browser: "Callable[[], StartupResult]") -> list[Check]:
    try:
        tried = try_browser()
    except TabwrightError as error:
        return [Check("browser", "fail", error.message, error.hint)]
    fact = f"{tried.path}, {tried.version}, starts in {tried.seconds:.1f} s"
    browser = Check("browser", "ok", fact)
    if tried.sandboxed:
        return [browser, Check("sandbox", "ok", "on")]
    why = "Chrome has none as root" if os.geteuid() == 0 else "this is a container"
    fix = "Visit only sites you trust, or run as an ordinary user outside a container."
    return [browser, Check("sandbox", "warn", f"off: {why}", fix)]


def _hub_and_its_places(home: Home, chosen: Chosen) -> list[Check]:
    try:
        hub = ask(home, Hello("status", __version__))
    except HubRefused as error:
        return [Check("hub", "fail", str(error))]
    return [_hub(home, hub), _socket(home, hub), _port(home, chosen, hub)]


def _hub(home: Home, hub: Welcome | None) -> Check:
    log = f" Log: {home.log}" if home.log.exists() else ""
    if hub is None:
        return Check("hub", "ok", f"none runs; the next command starts one.{log}")
    if hub.version != __version__:
        return Check("hub", "warn", f"{described(hub)} This is {__version__}.", "tabwright hub stop")
    return Check("hub", "ok", f"{described(hub)}{log}")


def _socket(home: Home, hub: Welcome | None) -> Check:
    path = home.socket
    if not path.exists():
        return Check("socket", "ok", f"{path} is made when the hub starts")
    wrong = _loose(path, 0o600) or _loose(path.parent, 0o700)
    if wrong:
        return Check("socket", "fail", *wrong)
    if hub is None:
        return Check(
            "socket", "warn", f"{path} was left by a hub that is gone", "The next start replaces it."
        )
    return Check("socket", "ok", f"{path}, open to you only")


def _port(home: Home, chosen: Chosen, hub: Welcome | None) -> Check:
    if hub is not None and (address := http_of(home, hub)):
        return Check("port", "ok", f"{address} is the hub's")
    port = chosen.api_port
    if not isinstance(port, int) or port == 0:
        return Check("port", "ok", "any free one" if port else "no HTTP door is wanted")
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError as error:
            fix = "End the program that has it, or set api_port to another one."
            return Check("port", "warn", f"{port} cannot be had: {error.strerror}", fix)
    return Check("port", "ok", f"{port} is free")


def _folder(home: Home) -> Check:
    place = home.state
    if not place.exists():
        return Check("state folder", "ok", f"{place} is made at the first start")
    if not os.access(place, os.W_OK | os.X_OK):
        return Check("state folder", "fail", f"{place} cannot be written to", f"chmod u+rwx {place}")
    wrong = _loose(place, 0o700)
    return Check("state folder", "fail", *wrong) if wrong else Check("state folder", "ok", f"{place}")


def _loose(path: Path, most: int) -> tuple[str, str] | None:
    """Say what lets others in."""
    found = path.stat()
    if found.st_uid != os.geteuid():
        return (
            f"{path} belongs to another user ({found.st_uid})",
            f"Remove it, or: chown {os.geteuid()} {path}",
        )
    rights = stat.S_IMODE(found.st_mode)
    if rights & 0o077:
        return f"{path} is open to others ({rights:04o})", f"chmod {most:o} {path}"
    return None


def _disk(home: Home) -> Check:
    place = home.state
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free // _MEGABYTE
    state: State = "fail" if free < 200 else "warn" if free < 1024 else "ok"
    fix = "" if state == "ok" else "Make room: a browser's profile and downloads need it."
    return Check("disk", state, f"{free:,} MB free at {place}", fix)


def _shared_memory() -> Check:
    if not _SHARED_MEMORY.exists():
        return Check("shared memory", "ok", "not used on this system")
    free = shutil.disk_usage(_SHARED_MEMORY).free // _MEGABYTE
    if free > 256:
        return Check("shared memory", "ok", f"{free:,} MB free")
    fix = "The browser uses files instead. More, in Docker: --shm-size=1g"
    return Check("shared memory", "warn", f"{free:,} MB free", fix)
