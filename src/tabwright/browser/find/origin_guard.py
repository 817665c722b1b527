"""Keeping what is typed within some origins: looked at when the element is found, and at each stroke."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tabwright.errors import Denied
from tabwright.urls import origin_of

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame


class OriginGuard:
    """The origins that input of one tab may go to; none are set most of the time, and then all may."""

    def __init__(self) -> None:
        self._origins: frozenset[str] | None = None
        self._frame: Frame | None = None

    @contextmanager
    def within(self, origins: frozenset[str]) -> Iterator[None]:
        """Let input reach frames of these origins only, and only in pages of these origins."""
        before = self._origins, self._frame
        self._origins, self._frame = origins if before[0] is None else origins & before[0], None
        try:
            yield
        finally:
            self._origins, self._frame = before

    def require(self, frame: "Frame | None" = None) -> None:
        """Refuse a frame, or the one that was let through before, that is elsewhere by now.

        Raises:
            Denied: it, or a page around it, is of another origin.
        """
        if self._origins is None:
            return
        self._frame = around = frame or self._frame
        while around is not None:
            if (origin := origin_of(around.url)) not in self._origins:
                pinned = ", ".join(sorted(self._origins))
                raise Denied(
                    f"The secret is for {pinned}, and this is {origin or 'a page without an origin'}.",
                    hint="Go to the page that it is for; ask the user if this is the right one.",
                )
            around = around.parent
