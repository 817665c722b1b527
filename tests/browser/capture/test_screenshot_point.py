"""Points of a screenshot as targets."""

import pytest

from tabwright.browser.capture.screenshot import capture
from tabwright.browser.capture.screenshot_point import ScreenshotPoint, parse_screenshot_point
from tabwright.browser.tab import Tab
from tabwright.errors import InvalidArgs, NotFound, Stale
from tests.web import Web

# A button from 600, 1000 to 700, 1040 of a page that is 3000 high; clicks are recorded in page coordinates.
PAGE = """<body style="margin:0;height:3000px"><script>
    addEventListener("click", event => { window.at = [Math.round(event.pageX), Math.round(event.pageY)] })
    </script><button style="position:absolute;left:600px;top:1000px;width:100px;height:40px">Go</button>"""


async def at(tab: Tab) -> object:
    return await tab.evaluate("window.at")


@pytest.mark.parametrize("ratio", [1, 2])
async def test_a_point_of_a_scaled_screenshot_is_scaled_back(tab: Tab, web: Web, ratio: float) -> None:
    await tab.session.send(
        "Emulation.setDeviceMetricsOverride", width=1200, height=800, deviceScaleFactor=ratio, mobile=False
    )
    await tab.goto(web.page(PAGE))
    await tab.evaluate("scrollTo(0, 600)")
    shot = await capture(tab, max_side=600)
    assert (shot.width, shot.scale) == (600, 0.5)
    point = ScreenshotPoint(tab, 325, 210)
    await point.click()
    assert (await at(tab), point.label) == ([650, 1020], 'button "Go" at 325, 210')


async def test_a_point_of_an_element_screenshot_is_relative_to_the_element(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(PAGE))
    await capture(tab, area=tab.element("button"))
    await ScreenshotPoint(tab, 10, 20).click()
    assert await at(tab) == [610, 1020]


async def test_a_point_of_a_full_page_screenshot_is_scrolled_to(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(PAGE))
    shot = await capture(tab, area="page", max_side=1500)
    await tab.evaluate("scrollTo(0, 2000)")
    await ScreenshotPoint(tab, 650 * shot.scale, 1020 * shot.scale).click()
    assert await at(tab) == [650, 1020]


async def test_points_are_refused_after_scrolling_and_navigation(tab: Tab, web: Web) -> None:
    url = web.page(PAGE)
    with pytest.raises(NotFound) as none:
        await ScreenshotPoint(tab, 1, 1).click()
    assert none.value.message == "This tab has no screenshot yet."
    await tab.goto(url)
    await capture(tab)
    await tab.evaluate("scrollTo(0, 100)")
    with pytest.raises(Stale) as scrolled:
        await ScreenshotPoint(tab, 1, 1).click()
    assert scrolled.value.message == "The page was scrolled or resized after the last screenshot."
    await capture(tab)
    with pytest.raises(InvalidArgs) as outside:
        await ScreenshotPoint(tab, 5000, 1).click()
    assert outside.value.message.startswith("5000, 1 is outside the last screenshot, which is ")
    await tab.goto(f"{url}#there")
    with pytest.raises(Stale) as gone:
        await ScreenshotPoint(tab, 1, 1).click()
    assert gone.value.message == "The tab navigated after the last screenshot."
    assert await at(tab) is None


def test_parse_accepts_only_the_xy_form(tab: Tab) -> None:
    point = parse_screenshot_point(tab, " @xy( 12.5, 7 ) ")
    assert point is not None
    assert (point.x, point.y) == (12.5, 7)
    for other in ("@e7", "@xy(1)", "@xy(-1,2)", "@xy(1,2) >> a", "xy(1,2)"):
        assert parse_screenshot_point(tab, other) is None
