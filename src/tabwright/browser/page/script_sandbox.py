"""What scripts of a caller may reach in a tab, and the hardened world that they run in unless they may all.

Its globals are hardened in every frame before the page's own scripts run, because frames of one site reach
into each other. The page's own world knows nothing of it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tabwright.browser.page.isolated_world import script

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.tab import Tab

# Not our own world: what we keep there is out of reach.
GUARDED_WORLD = "tabwright-guarded"


class Level(StrEnum):
    """How far a script reaches."""

    READ = "read"
    GUARDED = "guarded"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Reach:
    """A level, and what to tell the caller of a script that needs a higher one."""

    level: Level = Level.FULL
    hint: str = ""


class Scripts:
    """The reach of scripts in one tab; whoever runs calls sets it, and without them it is full."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self.reach = Reach()
        self._installed = False

    @contextmanager
    def within(self, reach: Reach) -> Iterator[None]:
        """Limit scripts while the block runs."""
        self.reach = reach
        try:
            yield
        finally:
            self.reach = Reach()

    async def world(self, frame: "Frame") -> int:
        """Return the hardened world of the frame's present document.

        Tabs whose callers run no scripts do without it: it costs every document of a tab a little.
        """
        if not self._installed:
            await self._tab.session.send(
                "Page.addScriptToEvaluateOnNewDocument",
                source=script("standalone/guard.js"),
                worldName=GUARDED_WORLD,
                runImmediately=True,
            )
            self._installed = True
        if GUARDED_WORLD not in frame.contexts:
            frame.contexts[GUARDED_WORLD] = await self._made(frame)
        return frame.contexts[GUARDED_WORLD]

    async def _made(self, frame: "Frame") -> int:
        answer = await frame.ask("Page.createIsolatedWorld", frameId=frame.id, worldName=GUARDED_WORLD)
        context = int(answer["executionContextId"])
        await frame.ask("Runtime.evaluate", expression=script("standalone/guard.js"), contextId=context)
        return context
