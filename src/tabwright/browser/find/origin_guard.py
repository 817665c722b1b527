"""Keeps input within some origins: checked when the element is found, and before each input event."""

from typing import TYPE_CHECKING

from tabwright.errors import Denied
from tabwright.urls import origin_of

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame


class OriginGuard:
    """The origins that may receive input; None allows all of them."""

    def __init__(self, origins: frozenset[str] | None = None) -> None:
        self._origins = origins
        self._frame: Frame | None = None

    def narrow(self, origins: frozenset[str]) -> "OriginGuard":
        """Return a guard that allows only those of its origins that are also in `origins`."""
        return OriginGuard(origins if self._origins is None else origins & self._origins)

    def require(self, frame: "Frame | None" = None) -> None:
        """Check the origins of a frame and of the pages around it; by default, of the frame checked before.

        Raises:
            Denied: one of them has another origin.
        """
        if self._origins is None:
            return
        self._frame = around = frame or self._frame
        while around is not None:
            if (origin := origin_of(around.url)) not in self._origins:
                allowed = ", ".join(sorted(self._origins))
                raise Denied(
                    f"The secret is for {allowed}, and this is {origin or 'a page without an origin'}.",
                    hint="Go to the page that it is for; ask the user if this is the right one.",
                )
            around = around.parent
