"""Permissions of pages: location, notifications, camera and others."""

from typing import TYPE_CHECKING, Literal

from tabwright.cdp import CdpError
from tabwright.errors import InvalidArgs
from tabwright.urls import require_origin

if TYPE_CHECKING:
    from tabwright.browser.context import Context

Setting = Literal["granted", "denied", "prompt"]


class Permissions:
    """Grants or denies permissions such as `geolocation` to one origin, or to all pages of the context."""

    def __init__(self, context: "Context") -> None:
        self._context = context
        self._settings: dict[tuple[str, str | None], Setting] = {}

    async def grant(self, *names: str, origin: str | None = None) -> None:
        """Grant permissions, by their names in the Permissions API: `geolocation`, `clipboard-read`."""
        await self._set(names, "granted", origin)

    async def deny(self, *names: str, origin: str | None = None) -> None:
        """Deny permissions."""
        await self._set(names, "denied", origin)

    def is_granted(self, name: str, origin: str | None) -> bool:
        """Whether a permission was granted here to an origin, or to all."""
        everywhere = self._settings.get((name, None))
        return self._settings.get((name, origin), everywhere) == "granted"

    async def reset(self) -> None:
        """Reset all permissions to Chrome's defaults, for all origins."""
        self._settings.clear()
        await self._context.browser.root.send("Browser.resetPermissions", **self._context.id_params)

    async def _set(self, names: tuple[str, ...], setting: Setting, origin: str | None) -> None:
        where = self._context.id_params
        if origin is not None:
            where["origin"] = require_origin(origin)
        for name in names:
            try:
                await self._context.browser.root.send(
                    "Browser.setPermission", permission={"name": name}, setting=setting, **where
                )
                self._settings[name, where.get("origin")] = setting
            except CdpError as error:
                raise InvalidArgs(
                    f"Unknown permission {name!r}: {error.message}.",
                    hint="Use a name of the Permissions API, such as geolocation.",
                ) from error
