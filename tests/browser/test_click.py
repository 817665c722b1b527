"""Clicking, in real Chromium."""

import pytest

from tabwright.browser.tab import Tab
from tabwright.errors import Blocked
from tests.web import Web


async def test_click_presses_the_button(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("""<button onclick="this.textContent = 'done'">Save</button>"""))
    button = tab.element("button")
    await button.click()
    assert button.label == 'button "Save"'
    assert await button.text() == "done"


async def test_click_on_a_covered_element_names_what_covers_it(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<button onclick="this.textContent = 'pressed'">Save</button>
            <div style="position: fixed; inset: 0; background: white"><p>We use cookies</p></div>"""
        )
    )
    with pytest.raises(Blocked) as refusal:
        await tab.element("button").click(timeout=0.3)
    assert refusal.value.message == 'button "Save" is covered by div "We use cookies".'
    assert await tab.element("button").text() == "Save"
