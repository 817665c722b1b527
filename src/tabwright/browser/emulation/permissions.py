"""What pages of a context may do: location, notifications, camera and the like."""

from typing import TYPE_CHECKING, Literal

from tabwright.cdp import CdpError
from tabwright.errors import InvalidArgs
from tabwright.urls import required_origin

if TYPE_CHECKING:
    from tabwright.browser.context import Context

Setting = Literal["granted", "denied", "prompt"]


class Permissions:
    """The permissions of one context, by origin or for all of them."""

    def __init__(self, context: "Context") -> None:
        self._context = context

    async def grant(self, *names: str, origin: str | None = None) -> None:
        """Allow, by the names of the Permissions API: `geolocation`, `clipboard-read`."""
        await self._set(names, "granted", origin)

    async def deny(self, *names: str, origin: str | None = None) -> None:
        """Forbid."""
        await self._set(names, "denied", origin)

    async def reset(self) -> None:
        """Return to what Chrome does by itself, for all origins."""
        await self._context.browser.root.send("Browser.resetPermissions", **self._context.id_params)

    async def _set(self, names: tuple[str, ...], setting: Setting, origin: str | None) -> None:
        where = self._context.id_params
        if origin is not None:
            where["origin"] = required_origin(origin)
        for name in names:
            try:
                await self._context.browser.root.send(
                    "Browser.setPermission", permission={"name": name}, setting=setting, **where
                )
            except CdpError as error:
                raise InvalidArgs(
                    f"Chrome has no permission {name!r} to set: {error.message}.",
                    hint="Use a name of the Permissions API, such as geolocation.",
                ) from error
