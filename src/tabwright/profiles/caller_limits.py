"""What callers may put into a profile. The user can put more into the settings file, by hand.

A browser argument can load programs, write files, or bypass the proxy, and Chrome has thousands of them. So
callers may use only arguments that are known to be harmless, each with a value of a known form.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tabwright.errors import Denied
from tabwright.proxy_url import ProxyUrl

_NONE = re.compile("")
_PAIR = re.compile(r"=\d{1,5},\d{1,5}")
_SWITCH = re.compile(r"=(enabled|disabled)")
_ALLOWED_ARGS = {
    "--autoplay-policy": re.compile(r"=(no-user-gesture-required|user-gesture-required)"),
    "--disable-notifications": _NONE,
    "--disable-smooth-scrolling": _NONE,
    "--font-render-hinting": re.compile(r"=(none|slight|medium|full|max)"),
    "--force-dark-mode": _NONE,
    "--force-device-scale-factor": re.compile(r"=\d{1,2}(\.\d{1,3})?"),
    "--force-prefers-reduced-motion": _NONE,
    "--hide-scrollbars": _NONE,
    "--mute-audio": _NONE,
    "--start-fullscreen": _NONE,
    "--start-maximized": _NONE,
    "--touch-events": _SWITCH,
    "--use-fake-device-for-media-stream": _NONE,
    "--window-position": _PAIR,
    "--window-size": _PAIR,
}
_BY_HAND = "Or let the user write it into tabwright.toml."


@dataclass(frozen=True)
class CallerLimits:
    """The folder that the folders of profiles lie in, and the proxies that the user allowed."""

    folders: Path
    proxies: Sequence[str] = ()

    def check(self, values: Mapping[str, Any]) -> None:
        """Refuse values that a caller may not set.

        Raises:
            Denied: naming the value.
        """
        for arg in values.get("custom_args") or ():
            _check_arg(arg)
        if folder := values.get("user_data_dir"):
            self._check_folder(folder)
        if proxy := values.get("proxy_server"):
            self._check_proxy(proxy)

    def _check_folder(self, folder: str) -> None:
        path, folders = Path(folder).expanduser(), self.folders.resolve()
        if not path.is_absolute() or path.resolve() == folders or not path.resolve().is_relative_to(folders):
            raise Denied(f"{folder} is not in {self.folders}.", hint=f"Leave out user_data_dir. {_BY_HAND}")

    def _check_proxy(self, proxy: str) -> None:
        address = str(ProxyUrl.parse(proxy, "proxy_server"))
        if not any(fnmatchcase(address, pattern.lower()) for pattern in self.proxies):
            raise Denied(
                f"The proxy {address} is not in security.allowed_proxies.",
                hint="Leave it out, or let the user add it there.",
            )


def _check_arg(arg: str) -> None:
    name, given, value = arg.partition("=")
    form = _ALLOWED_ARGS.get(name)
    if form is None:
        allowed = ", ".join(sorted(_ALLOWED_ARGS))
        raise Denied(f"Callers may not set {name}.", hint=f"Use one of {allowed}. {_BY_HAND}")
    if not form.fullmatch(given + value):
        raise Denied(f"Invalid value of {name}.", hint=f"Its form is {name}{form.pattern}. {_BY_HAND}")
