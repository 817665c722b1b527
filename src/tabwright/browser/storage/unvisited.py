"""localStorage that was restored for origins that no tab has visited since.

Storage can only be written by a document of its origin, and each costs a process and 0.1 s. So entries wait
here, and a state of any size loads at once. The first request for a document of an origin is paused until its
entries are written by a hidden page, so the site's first script can read them.
"""

import json
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio

from tabwright.aio import deadline
from tabwright.cdp import CdpError, Params
from tabwright.errors import PageFailed, TabwrightError
from tabwright.urls import origin_of

if TYPE_CHECKING:
    from tabwright.browser.context import Context

log = logging.getLogger(__name__)

Entries = dict[str, str]

# Seconds for the storage of one origin to be written.
_TIMEOUT = 10.0
_WRITE = """(origin, entries) => {
  if (self.origin !== origin) return false;
  for (const [key, value] of entries) localStorage.setItem(key, value);
  return true;
}"""


class UnvisitedStorage:
    """The entries of one context that wait for a visit to their origin."""

    def __init__(self, context: "Context") -> None:
        self._context = context
        self._entries: dict[str, Entries] = {}
        self._locks: dict[str, anyio.Lock] = {}

    @property
    def entries(self) -> dict[str, Entries]:
        """All of them, by origin."""
        return dict(self._entries)

    async def add(self, storage: dict[str, Entries]) -> None:
        """Write entries when their origin is visited, in addition to what it stores."""
        for origin, entries in storage.items():
            self._entries[origin] = {**self._entries.get(origin, {}), **entries}
        if self._entries:
            await self._context.interception.hold_documents(self._hold)

    async def write(self, origin: str) -> None:
        """Write the entries of an origin now.

        Raises:
            TabwrightError, CdpError: it failed; they still wait.
        """
        async with self._locks.setdefault(origin, anyio.Lock()):
            entries = self._entries.get(origin)
            if entries is None:
                return
            with deadline(_TIMEOUT, f"The storage of {origin} was not written in {_TIMEOUT:g} s.", hint=""):
                await self._write_on_hidden_page(origin, entries)
            if self._entries.get(origin) is entries:  # nothing was added meanwhile
                del self._entries[origin]
        self._locks.pop(origin, None)

    def forget(self, origin: str) -> None:
        """Drop the entries of an origin."""
        self._entries.pop(origin, None)

    def _hold(self, event: Params, proceed: Callable[[], None]) -> bool:
        """Return whether a document has to wait; `proceed` is then called when its storage is written."""
        origin = origin_of(event["request"]["url"])
        if origin not in self._entries:
            return False
        self._context.browser.group.start_soon(self._prepare, origin, proceed)
        return True

    async def _prepare(self, origin: str, proceed: Callable[[], None]) -> None:
        try:
            await self.write(origin)
        except (CdpError, TabwrightError) as error:
            log.warning("the storage of %s was not restored: %s", origin, error)
        finally:
            proceed()
        if not self._entries:
            await self._context.interception.hold_documents(None)

    async def _write_on_hidden_page(self, origin: str, entries: Entries) -> None:
        expression = f"({_WRITE})({json.dumps(origin)}, {json.dumps(list(entries.items()))})"
        context = self._context
        async with context.browser.hidden_pages.open(context.id_params, f"{origin}/") as session:
            answer = await session.send("Runtime.evaluate", expression=expression)
        if "exceptionDetails" in answer or not answer["result"].get("value"):
            raise PageFailed(f"{origin} refused its storage.", hint="")
