"""The operations that are measured, and their clocks on the pages."""

import base64
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

import anyio

from bench.floor import FLOOR, MinimalTab
from bench.measure import Cell, Clock, interleave, time_after, time_call, time_opening
from bench.pages import BUTTON, END, FIELD
from bench.peer import Opened, Page, Peer, change


@dataclass(frozen=True)
class Operation:
    """What is measured, how often, and its budgets as ratios to Playwright's time and to the floor."""

    name: str
    aim: float | None
    repeat: int
    seconds: float
    of_floor: float | None = None

    async def measure(self, page: str, clocks: Mapping[str, Clock]) -> Cell:
        """Run the peers' clocks in turns."""
        return Cell(self.name, page, await interleave(clocks, repeat=self.repeat, seconds=self.seconds))


# For a user, launching includes the driver process; the second row leaves it out.
LAUNCH = Operation("launch", 0.6, repeat=6, seconds=25)
RELAUNCH = Operation("launch, driver running", None, repeat=6, seconds=20)
CONTEXT = Operation("new context", None, repeat=15, seconds=10)
NAVIGATE = Operation("navigate", 0.8, repeat=16, seconds=10)
EVALUATE = Operation("evaluate", 0.35, repeat=40, seconds=2)
SNAPSHOT = Operation("snapshot", 0.25, repeat=10, seconds=4)
CLICK = Operation("click", 0.25, repeat=20, seconds=2)
FILL = Operation("fill", 0.3, repeat=20, seconds=2)
SCREENSHOT = Operation("screenshot", None, repeat=10, seconds=2, of_floor=1.3)

OPERATIONS = (LAUNCH, RELAUNCH, CONTEXT, NAVIGATE, EVALUATE, SNAPSHOT, CLICK, FILL, SCREENSHOT)

_NO_PAGE = "-"
# Seconds before a navigation: pages still render after load, and no peer should pay for another's page.
_RENDER_TIME = 0.15


async def launch_cell(peers: Mapping[str, Peer]) -> Cell:
    """Measure from nothing to a first page."""
    return await LAUNCH.measure(_NO_PAGE, {name: time_opening(peer.launch) for name, peer in peers.items()})


async def browser_cells(browsers: Mapping[str, Opened]) -> AsyncIterator[Cell]:
    """Measure what needs a running browser, but no page."""
    yield await RELAUNCH.measure(
        _NO_PAGE, {name: time_opening(peer.relaunch) for name, peer in browsers.items()}
    )
    yield await CONTEXT.measure(
        _NO_PAGE, {name: time_opening(peer.new_context) for name, peer in browsers.items()}
    )


async def page_cells(pages: Mapping[str, Page], bare: MinimalTab, name: str, url: str) -> AsyncIterator[Cell]:
    """Measure every operation on one page; afterwards, check that clicks and fills took effect."""
    navigations = {
        peer: time_after(_wait_for_rendering, _navigate(page, url)) for peer, page in pages.items()
    }
    yield await NAVIGATE.measure(
        name, {**navigations, FLOOR: time_after(_wait_for_rendering, lambda: bare.navigate(url))}
    )
    evaluations = {peer: time_call(_evaluate(page)) for peer, page in pages.items()}
    yield await EVALUATE.measure(name, {**evaluations, FLOOR: time_call(bare.evaluate)})
    clocks = {peer: time_after(change(page), page.snapshot) for peer, page in pages.items()}
    snapshot = await SNAPSHOT.measure(name, clocks)
    snapshots = {peer: await page.snapshot() for peer, page in pages.items()}
    yield replace(snapshot, cut=tuple(peer for peer, text in snapshots.items() if END not in text))
    screenshots = {peer: time_call(page.screenshot) for peer, page in pages.items()}
    yield await SCREENSHOT.measure(name, {**screenshots, FLOOR: time_call(bare.screenshot)})
    sizes = {
        _size(await shoot()) for shoot in (bare.screenshot, *(page.screenshot for page in pages.values()))
    }
    assert len(sizes) == 1, f"screenshots of different sizes cannot be compared: {sizes}"
    clicks = {
        peer: _Clicks(page, page.ref(snapshots[peer], "button", BUTTON)) for peer, page in pages.items()
    }
    clicking = {peer: time_call(click) for peer, click in clicks.items()}
    yield await CLICK.measure(name, {**clicking, FLOOR: time_call(bare.click)})
    fills = {peer: _Fills(page, page.ref(snapshots[peer], "textbox", FIELD)) for peer, page in pages.items()}
    filling = {peer: time_call(fill) for peer, fill in fills.items()}
    yield await FILL.measure(name, {**filling, FLOOR: time_call(bare.fill)})
    checks: list[_Clicks | _Fills] = [*clicks.values(), *fills.values()]
    for check in checks:
        await check.verify()


def _size(png: str) -> tuple[int, int]:
    """Return width and height, from the header of the PNG."""
    return struct.unpack(">2I", base64.b64decode(png[:44])[16:24])


async def _wait_for_rendering() -> None:
    await anyio.sleep(_RENDER_TIME)


def _navigate(page: Page, url: str) -> Callable[[], Awaitable[object]]:
    return lambda: page.navigate(url)


def _evaluate(page: Page) -> Callable[[], Awaitable[object]]:
    return lambda: page.evaluate("1")


class _Clicks:
    """Clicks the page's button and counts."""

    def __init__(self, page: Page, ref: str) -> None:
        self._page = page
        self._ref = ref
        self._count = 0

    async def __call__(self) -> None:
        self._count += 1
        await self._page.click(self._ref)

    async def verify(self) -> None:
        seen = await self._page.evaluate("window.clicks")
        assert seen == self._count, f"{self._count} clicks were reported, the page saw {seen}"


class _Fills:
    """Fills the page's field with a different text each time."""

    def __init__(self, page: Page, ref: str) -> None:
        self._page = page
        self._ref = ref
        self._count = 0

    async def __call__(self) -> None:
        self._count += 1
        await self._page.fill(self._ref, f"text number {self._count}")

    async def verify(self) -> None:
        value = await self._page.evaluate("document.querySelector('#field').value")
        assert value == f"text number {self._count}", f"fill {self._count} left {value!r}"
