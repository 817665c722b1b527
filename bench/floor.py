"""The floor: the time of the fewest protocol calls that do an operation, without any check before or after.

No tool that checks its actions can be faster, so a budget below the floor cannot be met.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from bench.peer import FLAGS
from tabwright.browser.process.launch import LaunchOptions, launch_process
from tabwright.cdp import CdpSession, Connection

FLOOR = "floor"

_MIDDLE = "(e => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })"
_BUTTON = "document.querySelector('form button')"
_SELECT = "document.querySelector('#field').focus(), document.querySelector('#field').select()"


class MinimalTab:
    """A tab that sends only the calls that an operation needs."""

    def __init__(self, session: CdpSession) -> None:
        self._session = session
        self._filled = 0

    @classmethod
    @asynccontextmanager
    async def open(cls, program: Path) -> "AsyncIterator[MinimalTab]":
        """Launch a browser with one tab."""
        options = LaunchOptions(executable=program, args=FLAGS)
        async with launch_process(options) as process, Connection.open(process.transport) as connection:
            target = await connection.root.send("Target.createTarget", url="about:blank")
            attached = await connection.root.send("Target.attachToTarget", **target, flatten=True)
            session = connection.session(attached["sessionId"])
            await session.send("Page.enable")
            yield cls(session)

    async def navigate(self, url: str) -> None:
        """Go there and wait for the load event."""
        loaded = anyio.Event()
        unsubscribe = self._session.on("Page.loadEventFired", lambda _: loaded.set())
        await self._session.send("Page.navigate", url=url)
        await loaded.wait()
        unsubscribe()

    async def evaluate(self) -> None:
        """Evaluate a number."""
        await self._session.send("Runtime.evaluate", expression="1")

    async def screenshot(self) -> str:
        """Take a screenshot of the viewport, in the same format as ours."""
        taken = await self._session.send("Page.captureScreenshot", format="png", optimizeForSpeed=True)
        return str(taken["data"])

    async def click(self) -> None:
        """Read where the button is, then press and release there."""
        where = await self._session.send(
            "Runtime.evaluate", expression=f"{_MIDDLE}({_BUTTON})", returnByValue=True
        )
        x, y = where["result"]["value"]
        mouse = {"x": x, "y": y, "button": "left", "clickCount": 1}
        moved = self._session.start("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        pressed = self._session.start("Input.dispatchMouseEvent", type="mousePressed", **mouse)
        await self._session.send("Input.dispatchMouseEvent", type="mouseReleased", **mouse)
        await moved
        await pressed

    async def fill(self) -> None:
        """Select the text of the field and replace it."""
        self._filled += 1
        await self._session.send("Runtime.evaluate", expression=_SELECT)
        await self._session.send("Input.insertText", text=f"text number {self._filled}")
