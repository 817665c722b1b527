"""How far scripts of a caller reach, and the hardened world for those that may not reach everything.

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
    """The hardened world of one tab."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._installed = False

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
