"""Where configuration, state, socket and log live. Light imports only: the pump starts here."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

# The kernel's limit for a Unix socket's path, less the closing NUL (104 on macOS, 108 on Linux).
_LONGEST_SOCKET = 103
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
_ORDINARY = frozenset(
    (
        "HOME",
        "USER",
        "LOGNAME",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "XAUTHORITY",
    )
)
_FILES_BELOW = "TABWRIGHT_FILES_BELOW"
# It must fit the first line of a client.
_MOST_TOLD = 10_000


class Home(NamedTuple):
    """The places of one user, or all in one folder when `TABWRIGHT_HOME` names it."""

    config: Path
    state: Path

    @classmethod
    def find(cls) -> "Home":
        """Return the places, as the environment has them."""
        chosen = os.environ.get("TABWRIGHT_HOME")
        if chosen:
            folder = Path(chosen).expanduser().absolute()
            return cls(folder, folder)
        if sys.platform == "darwin":
            folder = Path.home() / "Library/Application Support/tabwright"
            return cls(folder, folder)
        return cls(_xdg("XDG_CONFIG_HOME", ".config"), _xdg("XDG_STATE_HOME", ".local/state"))

    @property
    def config_file(self) -> Path:
        """The one TOML file."""
        return self.config / "tabwright.toml"

    @property
    def log(self) -> Path:
        """Where the hub writes what it does."""
        return self.state / "hub.log"

    @property
    def and_its_log(self) -> str:
        """What ends a sentence about the hub; "" where there is no log, as of one in a terminal."""
        return f"; its log is {self.log}" if self.log.exists() else ""

    @property
    def audit(self) -> Path:
        """Where every action is noted."""
        return self.state / "audit.jsonl"

    @property
    def secrets(self) -> Path:
        """The secrets that agents use by name."""
        return self.config / "secrets.toml"

    @property
    def lock(self) -> Path:
        """Held by whoever starts a hub, so that two starters end with one."""
        return self.state / "hub.lock"

    @property
    def http(self) -> Path:
        """Where a hub with an HTTP door tells its address."""
        return self.state / "http.json"

    @property
    def downloads(self) -> Path:
        """Where downloads go, until a session chooses another folder."""
        return self.state / "downloads"

    @property
    def recipes(self) -> Path:
        """What the user says of the tools of sites, a file each."""
        return self.config / "recipes"

    @property
    def profiles(self) -> Path:
        """Where browsers of profiles keep their files, unless a profile names another folder."""
        return self.state / "profiles"

    @property
    def socket(self) -> Path:
        """Where the hub listens; elsewhere, by a name of its own, when the folder is too deep for it."""
        path = self.state / "hub.sock"
        if len(os.fsencode(path)) <= _LONGEST_SOCKET:
            return path
        import hashlib  # seldom needed, and 10 ms of every command otherwise
        import tempfile

        name = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"tabwright-{os.getuid()}" / f"{name}.sock"

    def mentions(self, setting: str) -> bool:
        """Whether the environment or the file may say something of a setting, so that it must be read."""
        if f"TABWRIGHT_{setting.upper()}" in os.environ:
            return True
        try:
            return setting in self.config_file.read_text(errors="replace")
        except OSError:
            return False

    def prepare(self) -> None:
        """Make the folders, open to nobody else."""
        for folder in (self.config, self.state, self.socket.parent):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        place = self.socket.parent
        if place.stat().st_uid != os.getuid():
            raise PermissionError(f"{place} is another user's. Set TABWRIGHT_HOME to a folder of your own.")
        place.chmod(0o700)


def default_session() -> str | None:
    """Return the session that the environment names for commands that name none."""
    return os.environ.get("AGENT_BROWSER_SESSION") or None


def client_environment(told: object = None) -> dict[str, str]:
    """Return what commands of a client are told, of what it told or of our own environment.

    That is where programs are, what agent-browser is to do, and proxies.
    """
    kept = {
        name: value
        for name, value in (told if isinstance(told, dict) else os.environ).items()
        if isinstance(value, str)
        and (name == "PATH" or name.startswith("AGENT_BROWSER_") or name.upper() in _PROXIES)
    }
    few = sum(map(len, kept.values())) <= _MOST_TOLD
    return kept if few else {"PATH": kept.get("PATH", "")[:_MOST_TOLD]}


def command_environment(folder: Path, *, ours: bool) -> dict[str, str]:
    """Return what every program needs to run, and ours to find its hub; no secret of whoever started us.

    Ours is also told to write no file outside of the folder.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in _ORDINARY
        or name.startswith(("LC_", "XDG_"))
        or (ours and name.startswith(("TABWRIGHT_", "PYTHON")))
    }
    return {**kept, _FILES_BELOW: str(folder)} if ours else kept


def files_below() -> Path | None:
    """Return the folder that commands write their files in, where they are kept to one."""
    folder = os.environ.get(_FILES_BELOW)
    return Path(folder).resolve() if folder else None


def settle(chosen: Mapping[str, str]) -> None:
    """Choose settings for what this process starts."""
    os.environ.update({f"TABWRIGHT_{name.upper()}": value for name, value in chosen.items()})


def has_display() -> bool:
    """Whether a window can be shown to somebody."""
    return sys.platform != "linux" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _xdg(variable: str, usual: str) -> Path:
    """Return our folder in one of the freedesktop places. A library for this costs every command 17 ms."""
    chosen = Path(os.environ.get(variable, ""))
    return (chosen if chosen.is_absolute() else Path.home() / usual) / "tabwright"
