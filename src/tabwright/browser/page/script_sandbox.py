"""How much a caller's scripts may do, and the hardened world for those that may not do everything.

Its globals are hardened in every frame before the page's own scripts run, because frames of one site reach
into each other. The page's own world knows nothing of it.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tabwright.browser.page.isolated_world import script

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.tab import Tab

# Not our own world, so that scripts cannot reach our data there.
GUARDED_WORLD = "tabwright-guarded"


class Level(StrEnum):
    """How much a script may do: read the page, change it too, or everything a page's script can do."""

    READ = "read"
    GUARDED = "guarded"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Reach:
    """A level, and the hint in the error for a script that needs a higher one."""

    level: Level = Level.FULL
    hint: str = ""


class Scripts:
    """The hardened world of one tab."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._installed = False

    async def world(self, frame: "Frame") -> int:
        """Return the hardened world of the frame's current document.

        It is installed at the first use, because it slows every document of the tab a little.
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
            frame.contexts[GUARDED_WORLD] = await self._create_world(frame)
        return frame.contexts[GUARDED_WORLD]

    async def _create_world(self, frame: "Frame") -> int:
        answer = await frame.ask("Page.createIsolatedWorld", frameId=frame.id, worldName=GUARDED_WORLD)
        context = int(answer["executionContextId"])
        await frame.ask("Runtime.evaluate", expression=script("standalone/guard.js"), contextId=context)
        return context
