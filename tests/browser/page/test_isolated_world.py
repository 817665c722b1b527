"""Our isolated world: invisible to the page, and completed when its scripts were interrupted."""

from tabwright.browser.page.isolated_world import WORLD
from tabwright.browser.tab import Tab
from tests.web import Web


async def test_the_page_cannot_see_our_world(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<title>Page</title>"))
    assert await tab.title() == "Page"
    assert await tab.evaluate("typeof tabwright") == "undefined"


async def test_an_incomplete_world_is_completed(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<title>Page</title>"))
    context = tab.main_frame.contexts[WORLD]
    await tab.session.send("Runtime.evaluate", expression="tabwright = {}", contextId=context)
    assert await tab.title() == "Page"
