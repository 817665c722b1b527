"""Which frame an element of the page holds."""

from typing import TYPE_CHECKING

from tabwright.errors import InvalidArgs

if TYPE_CHECKING:
    from tabwright.browser.frame import Frame
    from tabwright.browser.tab import Tab


async def frame_in(tab: "Tab", target: str) -> "Frame":
    """Return the frame that an element holds.

    Raises:
        InvalidArgs: it holds none.
    """
    element = tab.element(target)
    around, number = await tab.refs.locate(await element.ref())
    async with tab.refs.lock:
        for frame in tuple(around.children):
            found, tab.refs.next = await around.call("number", await frame.owner(), tab.refs.next)
            if found == number:
                return frame
    raise InvalidArgs(f"{target} is no frame.", hint="List the frames, then choose one.")
