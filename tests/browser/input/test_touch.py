"""Touch, in real Chromium."""

import pytest

from tabwright.browser.tab import Tab
from tabwright.errors import InvalidArgs
from tests.web import Web


async def test_a_tap_is_a_touch_and_a_click(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<button>Save</button><script>
            const seen = [];
            for (const type of ["touchstart", "touchend", "click"])
              document.querySelector("button").addEventListener(type, event =>
                seen.push([type, event.isTrusted, event.pointerType ?? ""]));
            </script>"""
        )
    )
    await tab.element("button").tap()
    await tab.waits.function("seen.length === 3")
    assert await tab.evaluate("seen") == [
        ["touchstart", True, ""],
        ["touchend", True, ""],
        ["click", True, "touch"],
    ]


async def test_a_swipe_is_one_finger_moving(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<body style="touch-action: none; margin: 0; height: 400px"><script>
            const seen = [];
            for (const type of ["touchstart", "touchmove", "touchend"])
              addEventListener(type, event =>
                seen.push([type, event.changedTouches[0].clientX, event.changedTouches[0].clientY]));
            </script>"""
        )
    )
    await tab.touch.swipe(50, 60, 250, 60, steps=4)
    first, *moves, last = await tab.evaluate("seen")
    assert first == ["touchstart", 50, 60]
    assert moves[-1] == ["touchmove", 250, 60]
    assert last == ["touchend", 250, 60]


async def test_a_swipe_scrolls_the_page(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<body style='height: 5000px'>"))
    await tab.touch.swipe(100, 400, 100, 100)
    assert await tab.waits.function("scrollY > 100")


async def test_a_swipe_of_zero_steps_is_rejected(tab: Tab) -> None:
    with pytest.raises(InvalidArgs, match=r"^steps must be 1 to 1000, not 0\."):
        await tab.touch.swipe(1, 1, 2, 2, steps=0)
