"""Where configuration, state, socket and log are. Imports little, because every command imports it."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

# The kernel's limit for a Unix socket's path, less the closing NUL (104 on macOS, 108 on Linux).
_MAX_SOCKET_PATH = 103
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
_COMMON_VARIABLES = frozenset(
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
# Where programs store their settings, by the variable that changes it.
_SETTINGS_FOLDERS = {
    "XDG_CONFIG_HOME": "~/.config",
    "CLAUDE_CONFIG_DIR": "~",
    "CODEX_HOME": "~/.codex",
    "COPILOT_HOME": "~/.copilot",
}
# It must fit in the first line that a client sends.
_MAX_ENVIRONMENT = 10_000


class HomeUnusable(PermissionError):
    """Our folders cannot be used; the message says why, and what to do."""


class Home(NamedTuple):
    """The folders of one user; both are the folder that `TABWRIGHT_HOME` names, if it is set."""

    config: Path
    state: Path

    @classmethod
    def find(cls) -> "Home":
        """Return the folders that the environment names."""
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
        """The TOML file with all settings."""
        return self.config / "tabwright.toml"

    @property
    def log(self) -> Path:
        """The log of the hub."""
        return self.state / "hub.log"

    @property
    def and_its_log(self) -> str:
        """The end of a sentence about the hub; empty if there is no log, as for a hub in a terminal."""
        return f"; its log is {self.log}" if self.log.exists() else ""

    @property
    def browsers(self) -> Path:
        """The folder of the browsers that `tabwright install-browser` downloaded."""
        return self.state / "chrome"

    @property
    def audit(self) -> Path:
        """The audit log."""
        return self.state / "audit.jsonl"

    @property
    def secrets(self) -> Path:
        """The secrets that agents use by name."""
        return self.config / "secrets.toml"

    @property
    def lock(self) -> Path:
        """Locked by the process that starts a hub, so that only one hub is started."""
        return self.state / "hub.lock"

    @property
    def http(self) -> Path:
        """The file with the URL of the hub's HTTP server."""
        return self.state / "http.json"

    @property
    def downloads(self) -> Path:
        """Where downloads go, until a session chooses another folder."""
        return self.state / "downloads"

    @property
    def recipes(self) -> Path:
        """The user's recipes for page tools, one file each."""
        return self.config / "recipes"

    @property
    def profiles(self) -> Path:
        """The folders of profiles that name no other folder."""
        return self.state / "profiles"

    @property
    def socket(self) -> Path:
        """The socket of the hub; in the temporary folder if the path would be too long."""
        path = self.state / "hub.sock"
        if len(os.fsencode(path)) <= _MAX_SOCKET_PATH:
            return path
        import hashlib  # rarely needed, and 10 ms of every command otherwise
        import tempfile

        name = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"tabwright-{os.getuid()}" / f"{name}.sock"

    def mentions(self, setting: str) -> bool:
        """Whether the environment or the file may contain a setting, so that they must be read."""
        if f"TABWRIGHT_{setting.upper()}" in os.environ:
            return True
        try:
            return setting in self.config_file.read_text(errors="replace")
        except OSError:
            return False

    def prepare(self) -> None:
        """Create the folders, readable by their owner only.

        Raises:
            HomeUnusable: one cannot be created, or belongs to another user.
        """
        for folder in (self.config, self.state, self.socket.parent):
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as error:
                raise HomeUnusable(
                    f"{folder} cannot be created ({error.strerror}). Set TABWRIGHT_HOME to a folder that you "
                    "can write to."
                ) from error
        place = self.socket.parent
        if place.stat().st_uid != os.getuid():
            raise HomeUnusable(
                f"{place} belongs to another user. Set TABWRIGHT_HOME to a folder that you own."
            )
        place.chmod(0o700)


def program_path(path: str) -> Path:
    """Return the path of another program's file; ~ and a variable such as $CODEX_HOME may begin it.

    $APPLICATION_SETTINGS is where desktop applications of this system store their settings.
    """
    if path.startswith("$APPLICATION_SETTINGS"):
        folder = "~/Library/Application Support" if sys.platform == "darwin" else "$XDG_CONFIG_HOME"
        path = path.replace("$APPLICATION_SETTINGS", folder)
    if path.startswith("$"):
        variable, _, rest = path[1:].partition("/")
        path = f"{os.environ.get(variable) or _SETTINGS_FOLDERS[variable]}/{rest}"
    return Path(path).expanduser().absolute()


def default_session() -> str | None:
    """Return the session for commands that name none, if the environment has one."""
    return os.environ.get("AGENT_BROWSER_SESSION") or None


def proxy_variables() -> dict[str, str]:
    """Return the variables about proxies that are set, with upper-case names; lower-case ones count more."""
    named = {name: os.environ.get(name.lower()) or os.environ.get(name) for name in _PROXIES}
    return {name: value for name, value in named.items() if value}


def client_environment(sent: object = None) -> dict[str, str]:
    """Return the variables for commands of a client, from those it sent or from our environment.

    These are the PATH, the variables of agent-browser, and proxies.
    """
    kept = {
        name: value
        for name, value in (sent if isinstance(sent, dict) else os.environ).items()
        if isinstance(value, str)
        and (name == "PATH" or name.startswith("AGENT_BROWSER_") or name.upper() in _PROXIES)
    }
    few = sum(map(len, kept.values())) <= _MAX_ENVIRONMENT
    return kept if few else {"PATH": kept.get("PATH", "")[:_MAX_ENVIRONMENT]}


def command_environment(folder: Path, *, ours: bool) -> dict[str, str]:
    """Return the variables that a program needs, and our own to find its hub; no secrets.

    Our own program may also write files in that folder only.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in _COMMON_VARIABLES
        or name.startswith(("LC_", "XDG_"))
        or (ours and name.startswith(("TABWRIGHT_", "PYTHON")))
    }
    return {**kept, _FILES_BELOW: str(folder)} if ours else kept


def files_below() -> Path | None:
    """Return the folder that commands are limited to when they write files, if there is one."""
    folder = os.environ.get(_FILES_BELOW)
    return Path(folder).resolve() if folder else None


def settle(chosen: Mapping[str, str]) -> None:
    """Set settings for the processes that this one starts."""
    os.environ.update({f"TABWRIGHT_{name.upper()}": value for name, value in chosen.items()})


def has_display() -> bool:
    """Whether a window can be shown."""
    return sys.platform != "linux" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _xdg(variable: str, usual: str) -> Path:
    """Return our folder in an XDG base directory. A library for this costs every command 17 ms."""
    chosen = Path(os.environ.get(variable, ""))
    return (chosen if chosen.is_absolute() else Path.home() / usual) / "tabwright"
