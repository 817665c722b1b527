"""An element of a tab, named by a selector and found again for every call: actions on it, and reading it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import anyio

from tabwright.aio import seconds_until
from tabwright.browser.find.actionability import PressGuard, Ready, Requirements, wait_until_ready
from tabwright.browser.find.locate import fault_error
from tabwright.browser.find.selector import parse_target
from tabwright.browser.geometry import Box, Point
from tabwright.browser.input.dispatch import await_dispatched, require_ready
from tabwright.browser.input.drag import Drag
from tabwright.browser.input.drop import drop_files, drop_text
from tabwright.browser.input.file_input import upload
from tabwright.browser.input.fill import choose_options, fill, set_checked
from tabwright.browser.input.filled import Filled
from tabwright.browser.input.mouse import Button, modifier_mask, require_count
from tabwright.browser.input.scroll import Direction, Scrolled, offset
from tabwright.browser.input.secret_text import type_secret
from tabwright.browser.page.evaluate import evaluate, take_held
from tabwright.errors import Stale

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

TIMEOUT = 5.0
# A click that missed because the page moved is tried again.
_MAX_CLICKS = 3


@dataclass(frozen=True, slots=True)
class State:
    """The state of an element. `checked` is None for one that cannot be checked."""

    visible: bool
    enabled: bool
    editable: bool
    checked: bool | None
    focused: bool


@dataclass(frozen=True, slots=True)
class VisibleText:
    """The visible text of an element; `hidden` counts the texts that were left out."""

    text: str
    hidden: int


class Element:
    """An element named by a selector. Nothing is sent until a method is called.

    Every method waits up to `timeout` seconds for what it needs, then raises what is wrong: NotFound, Stale,
    Blocked, or InvalidArgs if the selector is malformed or matches several elements.
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
        """Click the middle of its visible part, or a `position` from its upper left corner."""
        mask = modifier_mask(modifiers)
        require_count(count)
        how = Requirements("pointer", position=position, guard=True, retarget="press")
        await self._click(how, button, count, mask, timeout)

    async def click_field(self, *, timeout: float = TIMEOUT) -> None:
        """Click the field that it is, labels or contains."""
        await self._click(Requirements("pointer", guard=True, retarget="check"), "left", 1, 0, timeout)

    async def _click(self, how: Requirements, button: Button, count: int, mask: int, timeout: float) -> None:
        deadline = anyio.current_time() + timeout
        hit = "nothing"
        for _ in range(_MAX_CLICKS):
            ready = await self.ready(how, seconds_until(deadline))
            await require_ready(self.tab)
            stopped = self.tab.watchdog.stopped_scripts
            events = self.tab.mouse.start_click(ready.point, button=button, count=count, mask=mask)
            guard = PressGuard(ready)
            await await_dispatched(self.tab, events, session=ready.frame.session, stopped=stopped)
            hit = await guard.result()
            if hit == "hit" or (hit == "nothing" and ready.frame.session is self.tab.session):
                break
        if hit != "hit":
            fault = "no_press" if hit == "nothing" else "missed"
            raise await fault_error(self.tab, self.target, {"fault": fault, "label": self.label, "by": hit})

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
        watch: bool = False,
    ) -> str:
        """Set the value of any kind of form field; return the value that it then has.

        With `watch`, a page that listens to the field gets half a second to change the value.
        """
        return (await self.fill_field(value, clear=clear, timeout=timeout, watch=watch)).value

    async def fill_field(
        self,
        value: str | bool | float | Sequence[str],
        *,
        clear: bool = True,
        timeout: float = TIMEOUT,
        watch: bool = False,
    ) -> Filled:
        """As `fill`; return also what is still to be done."""
        return await fill(self, value, clear=clear, timeout=timeout, watch=watch)

    async def type(self, text: str, *, delay: float = 0, timeout: float = TIMEOUT) -> None:
        """Focus it and type at the end of its text, key by key."""
        if self.tab.call_permissions.secrets:
            await type_secret(self, text, delay=delay, timeout=timeout)
            return
        ready = await self.ready(Requirements("visible", retarget="control", operation="caretToEnd"), timeout)
        await self.tab.keyboard.type(text, delay=delay, session=ready.frame.session)

    async def tap(self, *, timeout: float = TIMEOUT) -> None:
        """Tap it."""
        ready = await self.ready(Requirements("pointer", retarget="press"), timeout)
        await self.tab.touch.tap_at(ready.point, session=ready.frame.session)

    async def swipe(self, direction: Direction, pixels: float, *, timeout: float = TIMEOUT) -> None:
        """Swipe from its middle, no further than the edge of the viewport."""
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
        """Drag it onto another element, as HTML drag and drop if the page starts one."""
        deadline = anyio.current_time() + timeout
        how = Requirements("point", enabled=False, position=end_position)

        async def find_end() -> Point:
            return (await end.ready(how, seconds_until(deadline))).point

        await find_end()
        ready = await self.ready(Requirements("pointer", position=position), seconds_until(deadline))
        await Drag(self.tab, ready.frame).run(ready.point, find_end)

    async def upload(self, *paths: str | Path, timeout: float = TIMEOUT) -> list[str]:
        """Set the files of a file input, or of one that a button opens; return the names the page sees."""
        return await upload(self, paths, timeout=timeout)

    async def drop_files(self, *paths: str | Path, timeout: float = TIMEOUT) -> list[str]:
        """Drop files onto it, as from another window; return their names."""
        return await drop_files(self, paths, timeout=timeout)

    async def drop_text(self, text: str, mime_type: str = "text/plain", *, timeout: float = TIMEOUT) -> None:
        """Drop text, or data of another MIME type, onto it."""
        await drop_text(self, text, mime_type, timeout=timeout)

    async def scroll(
        self, direction: Direction, pixels: float = 300, *, timeout: float = TIMEOUT
    ) -> Scrolled:
        """Scroll it, or the nearest element around it that scrolls in that direction."""
        return await self.scroll_by(*offset(direction, pixels), timeout=timeout)

    async def scroll_by(self, dx: float, dy: float, *, timeout: float = TIMEOUT) -> Scrolled:
        """Scroll it, or the nearest element around it that scrolls that way, to the right and down."""
        how = Requirements("visible", enabled=False, operation="scroll", args={"dx": dx, "dy": dy})
        return Scrolled(**(await self.ready(how, timeout)).facts["scrolled"])

    async def press(self, chord: str, *, timeout: float = TIMEOUT) -> None:
        """Focus it and press a key: `Enter`, `Control+a`."""
        ready = await self._focus(timeout)
        await self.tab.keyboard.press(chord, session=ready.frame.session)

    async def check(self, *, timeout: float = TIMEOUT, watch: bool = False) -> None:
        """Check a checkbox, a radio button or a switch, unless it is checked; `watch` as for `fill`."""
        await set_checked(self, checked=True, timeout=timeout, watch=watch)

    async def uncheck(self, *, timeout: float = TIMEOUT, watch: bool = False) -> None:
        """Uncheck a checkbox or a switch, if it is checked; `watch` as for `fill`."""
        await set_checked(self, checked=False, timeout=timeout, watch=watch)

    async def select_option(
        self,
        *options: str,
        by: Literal["any", "value", "label", "index"] = "any",
        timeout: float = TIMEOUT,
        watch: bool = False,
    ) -> list[str]:
        """Select exactly these options of a list; return the labels that are then selected.

        `watch` as for `fill`.
        """
        return await choose_options(self, options, by=by, timeout=timeout, watch=watch)

    async def select_text(self, *, timeout: float = TIMEOUT) -> None:
        """Select all text in it."""
        await self.ready(
            Requirements("visible", enabled=False, retarget="control", operation="selectText"), timeout
        )

    async def focus(self, *, timeout: float = TIMEOUT) -> None:
        """Focus it."""
        await self._focus(timeout)

    async def blur(self, *, timeout: float = TIMEOUT) -> None:
        """Remove the focus from it."""
        await self.ready(
            Requirements("attached", enabled=False, retarget="control", operation="blur"), timeout
        )

    async def scroll_into_view(self, *, timeout: float = TIMEOUT) -> None:
        """Scroll it into view."""
        await self.ready(Requirements("visible", enabled=False, operation="reveal"), timeout)

    async def text(self, *, timeout: float = TIMEOUT) -> str:
        """Return its visible text."""
        return (await self.visible_text(timeout=timeout)).text

    async def visible_text(self, *, timeout: float = TIMEOUT) -> VisibleText:
        """Return its visible text, and how many hidden texts in it were left out."""
        return VisibleText(**await self._read("text", timeout))

    async def value(self, *, timeout: float = TIMEOUT) -> str | None:
        """Return the value of a form field; None for other elements."""
        value: str | None = await self._read("value", timeout, retarget="control")
        return value

    async def html(self, *, inside: bool = False, timeout: float = TIMEOUT) -> str:
        """Return its outer HTML, or its inner HTML."""
        return str(await self._read("content" if inside else "html", timeout))

    async def styles(self, *, timeout: float = TIMEOUT) -> dict[str, str]:
        """Return all its computed styles by name."""
        return dict(await self._read("styles", timeout))

    async def attribute(self, name: str, *, timeout: float = TIMEOUT) -> str | None:
        """Return an attribute, or None if it does not have it."""
        value: str | None = await self._read("attribute", timeout, name=name)
        return value

    async def box(self, *, timeout: float = TIMEOUT) -> Box:
        """Return its box in the viewport of the tab."""
        how = Requirements("visible", enabled=False, operation="read", args={"what": "box", "name": ""})
        ready = await self.ready(how, timeout)
        frame, box = ready.frame, ready.facts["read"]
        while frame.parent is not None:
            box = await frame.parent.call("boxThroughFrame", await frame.owner(), box)
            frame = frame.parent
        return Box(*box)

    async def evaluate(self, script: str, *args: Any, timeout: float = TIMEOUT) -> Any:
        """Run a script in its frame, with the element as the first argument; return its JSON value."""
        how = Requirements("attached", enabled=False, operation="hold")
        frame = (await self.ready(how, timeout)).frame
        return await evaluate(frame, script, args, element=await take_held(frame), timeout=timeout)

    async def ref(self, *, timeout: float = TIMEOUT) -> str:
        """Return its ref, a new one if it has none."""
        if self.target.only_ref:
            return self.target.text
        frame = (await self.ready(Requirements("attached", enabled=False, operation="hold"), timeout)).frame
        number = await self.tab.refs.call(frame, "refOfHeld")
        if number is None:
            raise Stale("The page navigated away.", hint="Wait for it to load, then try again.")
        self.tab.refs.give(frame, number)
        return f"@e{number}"

    async def state(self, *, timeout: float = TIMEOUT) -> State:
        """Return whether it is visible, enabled, editable, checked, focused."""
        return State(**await self._read("state", timeout, retarget="control"))

    async def ready(self, how: Requirements, timeout: float) -> Ready:
        """Wait until it is ready for an action, and store its label."""
        ready = await wait_until_ready(self.tab, self.target, how, timeout)
        self.label = ready.label
        return ready

    async def _focus(self, timeout: float) -> Ready:
        return await self.ready(Requirements("visible", retarget="control", operation="focus"), timeout)

    async def _read(
        self, what: str, timeout: float, *, name: str = "", retarget: Literal["", "control"] = ""
    ) -> Any:
        how = Requirements(
            "attached", enabled=False, retarget=retarget, operation="read", args={"what": what, "name": name}
        )
        return (await self.ready(how, timeout)).facts["read"]
