"""localStorage and sessionStorage of a frame's origin, and clearing everything an origin stores."""

from typing import TYPE_CHECKING, Any, Literal

from tabwright.browser.ownership import Ownership
from tabwright.browser.page.frame import Frame
from tabwright.browser.storage.indexed_db import IndexedDb
from tabwright.errors import Blocked
from tabwright.urls import origin_of, require_origin

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

Kind = Literal["local", "session"]

# All storage types of Chrome except cookies.
_WITHOUT_COOKIES = "local_storage,indexeddb,cache_storage,service_workers,file_systems,websql,storage_buckets"


class WebStorage:
    """One of the two key-value stores of a frame."""

    def __init__(self, frame: Frame, kind: Kind) -> None:
        self._frame = frame
        self._kind = kind

    async def all(self) -> dict[str, str]:
        """Return every entry."""
        entries = (await self._call("all"))["entries"]
        return {str(key): str(value) for key, value in entries}

    async def get(self, key: str) -> str | None:
        """Return one value, or None."""
        value = (await self._call("get", key))["value"]
        return None if value is None else str(value)

    async def set(self, key: str, value: str) -> None:
        """Set a value."""
        await self._call("set", key, value)

    async def remove(self, key: str) -> None:
        """Remove a value, if there is one."""
        await self._call("remove", key)

    async def clear(self) -> None:
        """Remove all entries."""
        await self._call("clear")

    async def _call(self, operation: str, *args: str) -> dict[str, Any]:
        answer: dict[str, Any] = await self._frame.call("webStorage", self._kind, operation, *args)
        if "refused" in answer:
            raise storage_error(self._frame, answer)
        return answer


def storage_error(frame: Frame, answer: dict[str, Any]) -> Blocked:
    """Return why a frame's origin cannot store something."""
    origin = origin_of(frame.url) or frame.url[:100]
    if answer["refused"] == "QuotaExceededError":
        return Blocked(f"The storage of {origin} is full.", hint="Remove something first.")
    if answer["refused"] == "SecurityError":
        return Blocked(
            f"{origin} has no storage: its origin is opaque, or forbids it.",
            hint="Navigate to a page of the site first.",
        )
    return Blocked(f"{origin} refuses: {answer['message']}", hint="Check the page, then try again.")


class Storage:
    """What the origin of one frame stores in the browser, except cookies."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self.local = WebStorage(frame, "local")
        self.session = WebStorage(frame, "session")
        self.databases = IndexedDb(frame)


async def clear_origin(tab: "Tab", url: str) -> bool:
    """Clear everything that an origin stores: cookies, storage, databases, caches, service workers.

    Session storage belongs to a tab and is cleared in this one, in the frames that show the origin. Returns
    whether cookies were cleared too: those of the user's own Chrome are the user's logins, and stay.
    """
    origin, with_cookies = require_origin(url), tab.context.browser.ownership is not Ownership.EXTENSION
    types = "all" if with_cookies else _WITHOUT_COOKIES
    await tab.session.send("Storage.clearDataForOrigin", origin=origin, storageTypes=types)
    for frame in tuple(tab.frames):
        if origin_of(frame.url) == origin:
            await WebStorage(frame, "session").clear()
    return with_cookies
