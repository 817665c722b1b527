"""Moves profiles between computers: exports what one contains, and stores it for the first use of another."""

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

# Origins whose storage is exported, and URLs of the history that are searched for them.
_MAX_ORIGINS = 50
_MAX_URLS = 5_000
# The proxy of a browser that is only read; nothing listens there.
_DEAD_PROXY = "http://127.0.0.1:9"
_EXPORTED_SETTINGS = ("name", "description", "lang", "timezone", "headless", "tags", "custom_args")


class ProfileTransfer:
    """Exports and imports the profiles of a file."""

    def __init__(self, file: ProfileFile, store: Store, options: LaunchOptions) -> None:
        self._file = file
        self._store = store
        self._options = options

    async def export(self, profile_id: str) -> Moved:
        """Return everything that moves with a profile: settings, cookies, and the storage of known origins.

        Raises:
            Blocked: its browser is running.
        """
        profile = self._file.get(profile_id)
        folder = self._file.folder(profile)
        kept = _parse(await self._store.get(OWNER + profile_id, profile_id))
        visited = _visited_origins(folder) if folder.is_dir() else []
        beyond = beyond_folder(kept, folder) if kept else None
        origins = [*(kept.local_storage if kept else ()), *visited]
        state = await self._read_browser(folder, beyond, dict.fromkeys(origins))
        settings = {"id": profile.id, **profile.model_dump(mode="json", include=set(_EXPORTED_SETTINGS))}
        secret = {"proxy_server": profile.proxy_server, "state": asdict(state)}
        return Moved(settings, secret)

    async def import_(self, moved: Moved, profile_id: str | None = None) -> Profile:
        """Create a profile from an export; its first browser starts with all of it.

        Raises:
            InvalidArgs: the id is taken, or a setting is invalid.
        """
        try:
            state = ContextState.parse(moved.secret["state"])
            values: dict[str, Any] = {
                name: moved.settings[name] for name in _EXPORTED_SETTINGS if name in moved.settings
            }
            values["proxy_server"] = str(moved.secret["proxy_server"])
        except (ValueError, TypeError, LookupError) as error:
            raise InvalidArgs("The profile in the file is invalid.", hint="Export it again.") from error
        profile = self._file.create({**values, "id": profile_id or ""})
        now = replace(state, taken=time.time(), tabs=[], active=None)
        await self._store.put(OWNER + profile.id, profile.id, now)
        return profile

    async def close(self) -> None:
        """Close the store."""
        await self._store.close()

    async def _read_browser(
        self, folder: Path, beyond: ContextState | None, origins: Iterable[str]
    ) -> ContextState:
        """Start the profile's browser without network, and read what it contains."""
        options = restrict_to_proxy(replace(self._options, profile=folder, headless=True), _DEAD_PROXY)
        try:
            async with Browser.launch(options) as browser:
                context = browser.default_context
                await context.cookies.set_raw(beyond.cookies if beyond else [])
                cookies = await context.cookies.raw()
                storage = await _storage(context, list(origins)[:_MAX_ORIGINS])
        except Blocked as error:
            raise Blocked(error.message, hint="Stop it: tabwright kill-browser ID") from error
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


def _parse(kept: bytes | None) -> ContextState | None:
    try:
        return ContextState.parse(orjson.loads(kept)) if kept else None
    except (ValueError, TypeError, LookupError):
        return None


def _visited_origins(folder: Path) -> list[str]:
    """Return the origins in the history of a profile, the latest first."""
    found: dict[str, None] = {}
    for file in folder.glob("*/History"):
        with contextlib.suppress(sqlite3.Error), contextlib.closing(_open_read_only(file)) as database:
            rows = database.execute(
                "SELECT url FROM urls ORDER BY last_visit_time DESC LIMIT ?", (_MAX_URLS,)
            )
            found |= dict.fromkeys(origin for (url,) in rows if (origin := origin_of(url)))
    return list(found)


def _open_read_only(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
