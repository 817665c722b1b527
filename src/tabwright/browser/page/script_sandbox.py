"""How much a caller's scripts may do, and the hardened world for those that may not do everything.

The page's own world knows nothing of the hardened one. A script that may act gets no window of another frame,
so only its own frame is hardened. One that only reads gets the real window: all frames are hardened first.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from tabwright.browser.page.frame import describe_exception
from tabwright.browser.page.isolated_world import script
from tabwright.errors import Internal

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame

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
    """The hardened worlds of one tab."""

    def __init__(self) -> None:
        self._installed = False

    async def world(self, frame: "Frame") -> int:
        """Return the world for scripts of the frame's current document.

        What runs a script there checks that the world is hardened.
        """
        if GUARDED_WORLD not in frame.contexts:
            return await self.harden(frame)
        return frame.contexts[GUARDED_WORLD]

    async def harden(self, frame: "Frame") -> int:
        """Harden the world of the frame's current document; a second time changes nothing.

        Another frame's script may have created the world already, by touching the frame's window. After the
        first use, later documents of the tab are hardened while they load: a script need not wait for it.
        """
        if not self._installed:
            self._installed = True
            await frame.tab.session.send(
                "Page.addScriptToEvaluateOnNewDocument", source=_guard(), worldName=GUARDED_WORLD
            )
        if GUARDED_WORLD not in frame.contexts:
            answer = await frame.ask("Page.createIsolatedWorld", frameId=frame.id, worldName=GUARDED_WORLD)
            frame.contexts[GUARDED_WORLD] = int(answer["executionContextId"])
        context = frame.contexts[GUARDED_WORLD]
        answer = await frame.ask("Runtime.evaluate", expression=_guard(), contextId=context)
        if "exceptionDetails" in answer:
            fault = describe_exception(answer["exceptionDetails"])
            raise Internal(f"The isolated world for scripts could not be hardened: {fault}.")
        return context


@cache
def _guard() -> str:
    names = ("standalone/guard.js", "standalone/script_result.js", "standalone/guard_scope.js")
    parts = map(script, names)
    return '"use strict";{' + "\n".join(parts) + "}"
