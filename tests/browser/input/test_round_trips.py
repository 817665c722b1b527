"""How often an observed action waits for the browser."""

from collections.abc import AsyncIterator

import pytest

from tabwright.browser.browser import Browser
from tabwright.browser.ownership import Ownership
from tabwright.browser.process.launch import LaunchOptions, launch_process
from tabwright.browser.snapshot.observe import observe
from tabwright.browser.tab import Tab
from tests.fakes.recording_wire import RecordingWire
from tests.web import Web

PAGE = """<button onclick="this.textContent = 'Saved'">Save</button><label>Name <input></label>"""


@pytest.fixture(scope="module")
async def wired(anyio_backend: str) -> AsyncIterator[tuple[Tab, RecordingWire]]:
    async with launch_process(LaunchOptions()) as process:
        wire = RecordingWire(process.transport)
        async with Browser.over(wire, headless=True, ownership=Ownership.LAUNCHED) as browser:
            await browser.start()
            yield await (await browser.new_context()).new_tab(), wire


async def test_a_click_takes_three_round_trips(wired: tuple[Tab, RecordingWire], web: Web) -> None:
    tab, wire = wired
    await tab.goto(web.page(PAGE))
    await tab.snapshot()
    wire.clear()
    _, effects = await observe(tab, tab.element("@e1").click)
    assert str(effects) == '~ @e1: button "Saved" (focused)'
    assert wire.round_trips == [
        ["startObserving", "prepare"],
        ["mouseMoved", "mousePressed", "mouseReleased", "waitForPress"],
        ["settleAndReport"],
        ["stopObserving"],  # its answer is not waited for
    ]


async def test_filling_a_field_takes_three_round_trips(wired: tuple[Tab, RecordingWire], web: Web) -> None:
    tab, wire = wired
    await tab.goto(web.page(PAGE))
    await tab.snapshot()
    wire.clear()
    _, effects = await observe(tab, lambda: tab.element("input").fill("Ada"))
    assert 'textbox "Name" = "Ada"' in str(effects)
    assert wire.round_trips == [
        ["startObserving", "prepare"],
        ["Input.insertText", "readFilled"],
        ["settleAndReport"],
        ["stopObserving"],  # its answer is not waited for
    ]


async def test_a_page_not_seen_before_is_walked_before_the_click(
    wired: tuple[Tab, RecordingWire], web: Web
) -> None:
    tab, wire = wired
    await tab.goto(web.page(PAGE))
    wire.clear()
    _, effects = await observe(tab, tab.element("button").click)
    assert str(effects).startswith("~ @e")
    assert [call for trip in wire.round_trips for call in trip if call != "Runtime.evaluate"] == [
        "startObserving",
        "DOMDebugger.getEventListeners",
        "DOM.resolveNode",
        "registerListeners",
        "snapshot",
        "startObserving",
        "prepare",
        "mouseMoved",
        "mousePressed",
        "mouseReleased",
        "waitForPress",
        "settleAndReport",
        "stopObserving",
    ]


async def test_a_snapshot_of_a_known_page_takes_one_round_trip(
    wired: tuple[Tab, RecordingWire], web: Web
) -> None:
    tab, wire = wired
    await tab.goto(web.page(PAGE))
    await tab.snapshot()
    await tab.snapshot()
    wire.clear()
    await tab.snapshot()
    assert wire.round_trips == [["DOMDebugger.getEventListeners", "Runtime.evaluate", "snapshot"]]


async def test_input_waits_until_the_page_observes(wired: tuple[Tab, RecordingWire], web: Web) -> None:
    tab, wire = wired
    await tab.goto(web.page("<body onkeydown=\"document.title = 'Typed'\">Type"))
    await tab.snapshot()
    wire.clear()
    _, effects = await observe(tab, lambda: tab.keyboard.press("a"))
    assert str(effects) == 'The title is now "Typed"'
    assert wire.round_trips[:2] == [["startObserving"], ["keyDown", "keyUp"]]
