"""Our isolated world: there before it is needed, made again when it was broken off."""

from tabwright.browser.page.isolated_world import WORLD
from tabwright.browser.tab import Tab
from tests.web import Web


async def test_the_page_sees_nothing_of_our_world(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<title>Page</title>"))
    assert await tab.title() == "Page"
    assert await tab.evaluate("typeof tabwright") == "undefined"


async def test_a_world_that_was_broken_off_is_completed(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<title>Page</title>"))
    context = tab.main_frame.contexts[WORLD]
    await tab.session.send("Runtime.evaluate", expression="tabwright = {}", contextId=context)
    assert await tab.title() == "Page"
