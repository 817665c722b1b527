"""Keeps input within some origins: checked when the element is found, and before each input event."""

from typing import TYPE_CHECKING

from tabwright.errors import Denied, Stale
from tabwright.urls import origin_of

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame, WorldKey


class OriginGuard:
    """The origins that may receive input; None allows all of them."""

    def __init__(self, origins: frozenset[str] | None = None) -> None:
        self.origins = origins
        self._frame: Frame | None = None

    def narrow(self, origins: frozenset[str]) -> "OriginGuard":
        """Return a guard that allows only those of its origins that are also in `origins`."""
        return OriginGuard(origins if self.origins is None else origins & self.origins)

    def require(self, frame: "Frame | None" = None) -> None:
        """Check the origins of a frame and of the pages around it; by default, of the frame checked before.

        A frame that shows about:blank, srcdoc or a data: URL counts as one without an origin.

        Raises:
            Denied: one of them has another origin.
        """
        if self.origins is None:
            return
        self._frame = around = frame or self._frame
        while around is not None:
            if (origin := origin_of(around.url)) not in self.origins:
                raise self.refusal(origin or "")
            around = around.parent

    def require_world(self, frame: "Frame", world: str) -> "WorldKey":
        """Return the key of a world of a frame, whose document Chrome itself says to have such an origin.

        Raises:
            Denied: it has another one.
            Stale: the frame has no document now.
        """
        self.require(frame)
        key = frame.world_keys.get(world)
        if key is None:
            raise Stale("The page is navigating.", hint="Wait for it to load, then try again.")
        if self.origins is not None and key.origin not in self.origins:
            raise self.refusal(key.origin)
        return key

    def refusal(self, origin: str) -> Denied:
        """Return the error for a document of another origin."""
        allowed = ", ".join(sorted(self.origins or ()))
        named = origin if origin_of(origin) else "a page without an origin"
        return Denied(
            f"The secret is for {allowed}, and this is {named}.",
            hint="Go to the page that it is for; ask the user if this is the right one.",
        )
