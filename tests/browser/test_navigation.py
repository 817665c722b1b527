"""Navigation in real Chromium."""

from tabwright.browser.navigation import Navigated
from tabwright.browser.tab import Tab
from tests.web import Web


async def test_goto_tells_the_final_address_and_the_status(tab: Tab, web: Web) -> None:
    url = web.page("<title>Shop</title>")
    assert await tab.goto(url) == Navigated(url, 200, "OK")
    assert await tab.title() == "Shop"
