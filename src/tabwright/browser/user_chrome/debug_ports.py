"""The debugging ports of browsers that the user started, read from the file in their profile folder."""

import logging
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

log = logging.getLogger(__name__)

_FILE = "DevToolsActivePort"
_CONTENT = re.compile(r"(\d{1,5})\n(/devtools/browser/[\w-]{1,100})\s*")
_LINUX = (
    ".config/google-chrome",
    ".config/chromium",
    "snap/chromium/common/chromium",
    ".config/microsoft-edge",
    ".config/BraveSoftware/Brave-Browser",
)
_MAC = ("Google/Chrome", "Chromium", "Microsoft Edge", "BraveSoftware/Brave-Browser")


def find_debug_ports(folders: Iterable[Path] | None = None) -> Iterator[str]:
    """Yield the debugging addresses of browsers with these profile folders, by default the usual ones.

    A browser that crashed leaves its file behind, so an address may be dead.
    """
    for folder in _usual_folders() if folders is None else folders:
        try:
            content = _CONTENT.fullmatch((folder / _FILE).read_text())
        except (OSError, UnicodeDecodeError) as error:
            log.debug("no debugging port in %s: %s", folder, error)
            continue
        if content is not None:
            yield f"ws://127.0.0.1:{content[1]}{content[2]}"


def _usual_folders() -> Iterator[Path]:
    home = Path.home()
    if sys.platform == "darwin":
        yield from (home / "Library" / "Application Support" / folder for folder in _MAC)
    else:
        yield from (home / folder for folder in _LINUX)
