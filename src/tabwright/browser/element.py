"""One element of a tab, named by a target and found anew for every act: acting on it and reading it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import anyio

from tabwright.aio import seconds_until
from tabwright.browser.find.actionability import PressGuard, Ready, Requirements, get_ready
from tabwright.browser.find.locate import failure
from tabwright.browser.find.selector import parse_target
from tabwright.browser.geometry import Box, Point
from tabwright.browser.input.dispatch import await_dispatched, require_ready
from tabwright.browser.input.drag import Drag
from tabwright.browser.input.file_input import upload
from tabwright.browser.input.fill import choose_options, fill, set_checked
from tabwright.browser.input.mouse import Button, modifier_mask, require_count
from tabwright.browser.input.scroll import Direction, Scrolled, offset
from tabwright.errors import Stale

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

TIMEOUT = 5.0
# A press that landed elsewhere because the page moved is tried again, not for ever.
_PRESSES = 3


@dataclass(frozen=True, slots=True)
class State:
    """How an element is. `checked` is None for what cannot be checked."""

    visible: bool
    enabled: bool
    editable: bool
    checked: bool | None
    focused: bool


class Element:
    """What a target names. Nothing is sent until it is acted on or read.

    Every method waits up to `timeout` seconds for what it needs, then raises what stood in the way: NotFound,
    Stale, Blocked, or InvalidArgs when the target is no target or names several elements.
    """

    def __init__(self, tab: "Tab", target: str) -> None:
        self.tab = tab
        self.target = parse_target(target)
        self.label = target

    def __repr__(self) -> str:
        return f"<Element {self.label}>"

    async def click(
        self,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Iterable[str] = (),
        position: tuple[float, float] | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        """Click it: in the middle of what is seen of it, or at a `position` from its upper left corner."""
        mask = modifier_mask(modifiers)
        require_count(count)
        how = Requirements("pointer", position=position, guard=True, retarget="press")
        deadline = anyio.current_time() + timeout
        met = "nothing"
        for _ in range(_PRESSES):
            ready = await self.ready(how, seconds_until(deadline))
            await require_ready(self.tab)
            stopped = self.tab.watchdog.stopped_scripts
            events = self.tab.mouse.start_click(ready.point, button=button, count=count, mask=mask)
            guard = PressGuard(ready)
            await await_dispatched(self.tab, events, session=ready.frame.session, stopped=stopped)
            met = await guard.result()
            if met == "hit" or (met == "nothing" and ready.frame.session is self.tab.session):
                break
        if met != "hit":
            fault = "lost" if met == "nothing" else "missed"
            raise await failure(self.tab, self.target, {"fault": fault, "label": self.label, "by": met})

    async def double_click(self, *, timeout: float = TIMEOUT) -> None:
        """Click it twice."""
        await self.click(count=2, timeout=timeout)

    async def right_click(self, *, timeout: float = TIMEOUT) -> None:
        """Click it with the right button."""
        await self.click(button="right", timeout=timeout)

    async def hover(self, *, position: tuple[float, float] | None = None, timeout: float = TIMEOUT) -> None:
        """Move the pointer over it."""
        ready = await self.ready(
            Requirements("pointer", enabled=False, position=position, retarget="press"), timeout
        )
        await self.tab.mouse.move_to(ready.point, session=ready.frame.session)

    async def fill(
        self,
        value: str | bool | float | Sequence[str],
        *,
        clear: bool = True,
        timeout: float = TIMEOUT,
    ) -> str:
        """Give a control its value, whatever its kind; return what it holds afterwards."""
        return await fill(self, value, clear=clear, timeout=timeout)

    async def type(self, text: str, *, delay: float = 0, timeout: float = TIMEOUT) -> None:
        """Focus it and type at the end of what it holds, key by key."""
        ready = await self.ready(Requirements("visible", retarget="control", act="caretToEnd"), timeout)
        await self.tab.keyboard.type(text, delay=delay, session=ready.frame.session)

    async def tap(self, *, timeout: float = TIMEOUT) -> None:
        """Tap it with a finger."""
        ready = await self.ready(Requirements("pointer", retarget="press"), timeout)
        await self.tab.touch.tap_at(ready.point, session=ready.frame.session)

    async def swipe(self, direction: Direction, pixels: float, *, timeout: float = TIMEOUT) -> None:
        """Put a finger on its middle and move it, no further than the edge of the viewport."""
        dx, dy = offset(direction, pixels)
        ready = await self.ready(Requirements("pointer", enabled=False), timeout)
        width, height = await self.tab.main_frame.call("viewport")
        end = Point(min(max(ready.point.x + dx, 0), width - 1), min(max(ready.point.y + dy, 0), height - 1))
        await self.tab.touch.swipe_between(ready.point, end, session=ready.frame.session)

    async def drag_to(
        self,
        end: "Element",
        *,
        position: tuple[float, float] | None = None,
        end_position: tuple[float, float] | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        """Drag it onto another element, as HTML drag and drop if the page makes it so."""
        deadline = anyio.current_time() + timeout
        how = Requirements("point", enabled=False, position=end_position)

        async def find_end() -> Point:
            return (await end.ready(how, seconds_until(deadline))).point

        await find_end()
        ready = await self.ready(Requirements("pointer", position=position), seconds_until(deadline))
        await Drag(self.tab, ready.frame).run(ready.point, find_end)

    async def upload(self, *paths: str | Path, timeout: float = TIMEOUT) -> list[str]:
        """Give files to a file input or to what asks for them; return their names as the page sees them."""
        return await upload(self, paths, timeout=timeout)

    async def scroll(
        self, direction: Direction, pixels: float = 300, *, timeout: float = TIMEOUT
    ) -> Scrolled:
        """Scroll it, or else the nearest thing around it that scrolls that way."""
        return await self.scroll_by(*offset(direction, pixels), timeout=timeout)

    async def scroll_by(self, dx: float, dy: float, *, timeout: float = TIMEOUT) -> Scrolled:
        """Scroll it, or else the nearest thing around it that scrolls so, across and down."""
        how = Requirements("visible", enabled=False, act="scroll", args={"dx": dx, "dy": dy})
        return Scrolled(**(await self.ready(how, timeout)).facts["scrolled"])

    async def press(self, chord: str, *, timeout: float = TIMEOUT) -> None:
        """Focus it and strike a key: `Enter`, `Control+a`."""
        ready = await self._focus(timeout)
        await self.tab.keyboard.press(chord, session=ready.frame.session)

    async def check(self, *, timeout: float = TIMEOUT) -> None:
        """Check a checkbox, a radio button or a switch, if it is not."""
        await set_checked(self, checked=True, timeout=timeout)

    async def uncheck(self, *, timeout: float = TIMEOUT) -> None:
        """Uncheck a checkbox or a switch, if it is checked."""
        await set_checked(self, checked=False, timeout=timeout)

    async def select_option(
        self,
        *options: str,
        by: Literal["any", "value", "label", "index"] = "any",
        timeout: float = TIMEOUT,
    ) -> list[str]:
        """Select exactly these options of a list; return the labels of what is selected afterwards."""
        return await choose_options(self, options, by=by, timeout=timeout)

    async def select_text(self, *, timeout: float = TIMEOUT) -> None:
        """Select all text in it."""
        await self.ready(
            Requirements("visible", enabled=False, retarget="control", act="selectText"), timeout
        )

    async def focus(self, *, timeout: float = TIMEOUT) -> None:
        """Give it the keyboard."""
        await self._focus(timeout)

    async def blur(self, *, timeout: float = TIMEOUT) -> None:
        """Take the keyboard from it."""
        await self.ready(Requirements("attached", enabled=False, retarget="control", act="blur"), timeout)

    async def scroll_into_view(self, *, timeout: float = TIMEOUT) -> None:
        """Scroll until it is in view."""
        await self.ready(Requirements("visible", enabled=False, act="reveal"), timeout)

    async def text(self, *, timeout: float = TIMEOUT) -> str:
        """Return the text that it shows."""
        return str(await self._read("text", timeout))

    async def value(self, *, timeout: float = TIMEOUT) -> str | None:
        """Return what a control holds; None for what is no control."""
        value: str | None = await self._read("value", timeout, retarget="control")
        return value

    async def html(self, *, inside: bool = False, timeout: float = TIMEOUT) -> str:
        """Return its markup, itself included, or only what is inside."""
        return str(await self._read("content" if inside else "html", timeout))

    async def styles(self, *, timeout: float = TIMEOUT) -> dict[str, str]:
        """Return all its computed styles by name."""
        return dict(await self._read("styles", timeout))

    async def attribute(self, name: str, *, timeout: float = TIMEOUT) -> str | None:
        """Return an attribute, or None when it has none of that name."""
        value: str | None = await self._read("attribute", timeout, name=name)
        return value

    async def box(self, *, timeout: float = TIMEOUT) -> Box:
        """Return where it is in the viewport of the tab."""
        how = Requirements("visible", enabled=False, act="read", args={"what": "box", "name": ""})
        ready = await self.ready(how, timeout)
        frame, box = ready.frame, ready.facts["read"]
        while frame.parent is not None:
            box = await frame.parent.call("boxThroughFrame", await frame.owner(), box)
            frame = frame.parent
        return Box(*box)

    async def ref(self, *, timeout: float = TIMEOUT) -> str:
        """Return its ref, given to it now if it has none."""
        if self.target.only_ref:
            return self.target.text
        frame = (await self.ready(Requirements("attached", enabled=False, act="hold"), timeout)).frame
        number = await self.tab.refs.call(frame, "refOfHeld")
        if number is None:
            raise Stale("The page went elsewhere.", hint="Wait for it to load, then try again.")
        self.tab.refs.give(frame, number)
        return f"@e{number}"

    async def state(self, *, timeout: float = TIMEOUT) -> State:
        """Return whether it is visible, enabled, editable, checked, focused."""
        return State(**await self._read("state", timeout, retarget="control"))

    async def ready(self, how: Requirements, timeout: float) -> Ready:
        """Wait until it is ready for an act, and remember what it is called."""
        ready = await get_ready(self.tab, self.target, how, timeout)
        self.label = ready.label
        return ready

    async def _focus(self, timeout: float) -> Ready:
        return await self.ready(Requirements("visible", retarget="control", act="focus"), timeout)

    async def _read(
        self, what: str, timeout: float, *, name: str = "", retarget: Literal["", "control"] = ""
    ) -> Any:
        how = Requirements(
            "attached", enabled=False, retarget=retarget, act="read", args={"what": what, "name": name}
        )
        return (await self.ready(how, timeout)).facts["read"]
