"""Where browsers that the user started say that they listen: a file in the folder of their profiles."""

import logging
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

log = logging.getLogger(__name__)

_FILE = "DevToolsActivePort"
_SAID = re.compile(r"(\d{1,5})\n(/devtools/browser/[\w-]{1,100})\s*")
_LINUX = (
    ".config/google-chrome",
    ".config/chromium",
    "snap/chromium/common/chromium",
    ".config/microsoft-edge",
    ".config/BraveSoftware/Brave-Browser",
)
_MAC = ("Google/Chrome", "Chromium", "Microsoft Edge", "BraveSoftware/Brave-Browser")
_WINDOWS = ("Google/Chrome", "Chromium", "Microsoft/Edge", "BraveSoftware/Brave-Browser")


def listening(folders: Iterable[Path] | None = None) -> Iterator[str]:
    """Yield addresses at which browsers with these folders, by default the usual ones, said they listen.

    A browser that ended badly leaves its file behind: nobody may answer there.
    """
    for folder in _usual() if folders is None else folders:
        try:
            said = _SAID.fullmatch((folder / _FILE).read_text())
        except (OSError, UnicodeDecodeError) as error:
            log.debug("no browser listens for %s: %s", folder, error)
            continue
        if said is not None:
            yield f"ws://127.0.0.1:{said[1]}{said[2]}"


def _usual() -> Iterator[Path]:
    home = Path.home()
    if sys.platform == "darwin":
        yield from (home / "Library" / "Application Support" / place for place in _MAC)
    elif sys.platform == "win32":
        yield from (home / "AppData" / "Local" / place / "User Data" for place in _WINDOWS)
    else:
        yield from (home / place for place in _LINUX)
