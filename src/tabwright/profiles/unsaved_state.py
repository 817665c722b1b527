"""What a profile's folder does not hold of an earlier browser: that, and only that, is put back."""

from dataclasses import replace
from pathlib import Path

from tabwright.browser.saved_state.state import ContextState

_COOKIES = ("*/Network/Cookies", "*/Cookies")
# Of more cookies than this, not all are kept.
_ALL = 3_000
_STORAGE = ("*/Local Storage/leveldb/*",)


def beyond_folder(state: ContextState, folder: Path) -> ContextState:
    """Leave out what the browser itself wrote down since the state was taken; the later of the two is right.

    Cookies that end with the browser are nowhere else, and neither is what tabs held.
    """
    cookies, storage = state.cookies, state.local_storage
    alone = _written(folder, _COOKIES) < state.taken
    if not alone:
        cookies = [cookie for cookie in cookies if "expires" not in cookie]
    if _written(folder, _STORAGE) >= state.taken:
        storage = {}
    return replace(state, cookies=cookies, local_storage=storage, alone=alone and len(cookies) < _ALL)


def _written(folder: Path, patterns: tuple[str, ...]) -> float:
    """Return when one of the files was last written to."""
    files = (file for pattern in patterns for file in folder.glob(pattern))
    return max((file.stat().st_mtime for file in files), default=0.0)
