"""Finds what the folder of a profile lacks of an earlier browser; only that is restored."""

from dataclasses import replace
from pathlib import Path

from tabwright.browser.saved_state.state import ContextState

_COOKIES = ("*/Network/Cookies", "*/Cookies")
# With more cookies than this, not all were captured.
_MAX_COOKIES = 3_000
_STORAGE = ("*/Local Storage/leveldb/*",)


def beyond_folder(state: ContextState, folder: Path) -> ContextState:
    """Remove what the browser itself wrote after the state was captured; the later of the two is right.

    Session cookies and the content of tabs are in the state only.
    """
    cookies, storage = state.cookies, state.local_storage
    alone = _last_write(folder, _COOKIES) < state.taken
    if not alone:
        cookies = [cookie for cookie in cookies if "expires" not in cookie]
    if _last_write(folder, _STORAGE) >= state.taken:
        storage = {}
    return replace(state, cookies=cookies, local_storage=storage, alone=alone and len(cookies) < _MAX_COOKIES)


def _last_write(folder: Path, patterns: tuple[str, ...]) -> float:
    """Return when one of the files was last written."""
    files = (file for pattern in patterns for file in folder.glob(pattern))
    return max((file.stat().st_mtime for file in files), default=0.0)
