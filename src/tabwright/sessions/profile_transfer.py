"""Moves profiles between computers: gathers what one holds, and keeps it for the first use of another."""

import contextlib
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import orjson

from tabwright.browser.browser import Browser
from tabwright.browser.context import Context
from tabwright.browser.process.launch import LaunchOptions, restrict_to_proxy
from tabwright.browser.saved_state.capture import capture
from tabwright.browser.saved_state.empty_page import serve_empty_pages, visit_empty_page
from tabwright.browser.saved_state.state import ContextState, Entries
from tabwright.cdp import CdpError
from tabwright.errors import Blocked, InvalidArgs, TabwrightError
from tabwright.profiles.config_file import ProfileFile
from tabwright.profiles.encrypted_export import Moved
from tabwright.profiles.profile import OWNER, Profile
from tabwright.profiles.unsaved_state import beyond_folder
from tabwright.sessions.store import Store
from tabwright.urls import origin_of

# Origins whose storage is gathered, and how many addresses of the history are looked at for them.
_MOST_ORIGINS = 50
_MOST_ADDRESSES = 5_000
# Nothing of a browser that is only looked into gets further than this, where nobody listens.
_NOWHERE = "http://127.0.0.1:9"
_MOVES = ("name", "description", "lang", "timezone", "headless", "tags", "custom_args")


class ProfileTransfer:
    """Exports and imports the profiles of a file."""

    def __init__(self, file: ProfileFile, store: Store, options: LaunchOptions) -> None:
        self._file = file
        self._store = store
        self._options = options

    async def gathered(self, profile_id: str) -> Moved:
        """Return all that moves with a profile: settings, cookies, and the storage of origins that are known.

        Raises:
            Blocked: its browser runs.
        """
        profile = self._file.get(profile_id)
        folder = self._file.folder(profile)
        kept = _parsed(await self._store.get(OWNER + profile_id, profile_id))
        visited = _visited(folder) if folder.is_dir() else []
        beyond = beyond_folder(kept, folder) if kept else None
        origins = [*(kept.local_storage if kept else ()), *visited]
        state = await self._looked_into(folder, beyond, dict.fromkeys(origins))
        settings = {"id": profile.id, **profile.model_dump(mode="json", include=set(_MOVES))}
        secret = {"proxy_server": profile.proxy_server, "state": asdict(state)}
        return Moved(settings, secret)

    async def put(self, moved: Moved, profile_id: str | None = None) -> Profile:
        """Make a profile of what was gathered; its first browser starts with all of it.

        Raises:
            InvalidArgs: there is a profile of that id, or a setting cannot be.
        """
        try:
            state = ContextState.parse(moved.secret["state"])
            values: dict[str, Any] = {name: moved.settings[name] for name in _MOVES if name in moved.settings}
            values["proxy_server"] = str(moved.secret["proxy_server"])
        except (ValueError, TypeError, LookupError) as error:
            raise InvalidArgs(
                "The file holds no profile that is understood.", hint="Export it anew."
            ) from error
        profile = self._file.create({**values, "id": profile_id or ""})
        now = replace(state, taken=time.time(), tabs=[], active=None)
        await self._store.put(OWNER + profile.id, profile.id, now)
        return profile

    async def close(self) -> None:
        """Close the store."""
        await self._store.close()

    async def _looked_into(
        self, folder: Path, beyond: ContextState | None, origins: Iterable[str]
    ) -> ContextState:
        """Start the profile's browser, cut off from the world, and look at what it holds."""
        options = restrict_to_proxy(replace(self._options, profile=folder, headless=True), _NOWHERE)
        try:
            async with Browser.launch(options) as browser:
                context = browser.default_context
                await context.cookies.set_raw(beyond.cookies if beyond else [])
                cookies = await context.cookies.raw()
                storage = await _storage(context, list(origins)[:_MOST_ORIGINS])
        except Blocked as error:
            raise Blocked(error.message, hint="End it: tabwright kill-browser ID") from error
        local = {**storage, **(beyond.local_storage if beyond else {})}
        return ContextState(time.time(), cookies, local, [])


async def _storage(context: Context, origins: list[str]) -> dict[str, Entries]:
    """Read the storage of origins on empty documents."""
    async with serve_empty_pages(context):
        tab, state = await context.new_tab(), None
        for origin in origins:
            with contextlib.suppress(TabwrightError, CdpError):
                await visit_empty_page(tab, f"{origin}/")
                state = await capture(context, before=state, active=None)
    return state.local_storage if state else {}


def _parsed(kept: bytes | None) -> ContextState | None:
    try:
        return ContextState.parse(orjson.loads(kept)) if kept else None
    except (ValueError, TypeError, LookupError):
        return None


def _visited(folder: Path) -> list[str]:
    """Return the origins that the history of a profile tells, the latest first."""
    found: dict[str, None] = {}
    for file in folder.glob("*/History"):
        with contextlib.suppress(sqlite3.Error), contextlib.closing(_opened(file)) as database:
            rows = database.execute(
                "SELECT url FROM urls ORDER BY last_visit_time DESC LIMIT ?", (_MOST_ADDRESSES,)
            )
            found |= dict.fromkeys(origin for (url,) in rows if (origin := origin_of(url)))
    return list(found)


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
