"""Scrolling, in real Chromium."""

import math

import pytest

from tabwright.browser.input.scroll import Scrolled
from tabwright.browser.tab import Tab
from tabwright.errors import InvalidArgs
from tests.web import Web

TALL = "<body style='margin: 0'><div style='width: 3000px; height: 5000px'>x</div>"


async def test_the_page_scrolls_by_pixels_and_returns_its_position(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(TALL))
    most_x, most_y = await tab.evaluate(
        "const e = document.documentElement; return [3000 - e.clientWidth, 5000 - e.clientHeight]"
    )
    assert await tab.scroll("down", 400) == Scrolled(0, 400, 0, 400, most_x, most_y)
    assert await tab.scroll("right", 50) == Scrolled(50, 400, 50, 0, most_x, most_y)
    assert await tab.scroll("up", 1000) == Scrolled(50, 0, 0, -400, most_x, most_y)
    assert await tab.scroll("down", 1_000_000) == Scrolled(50, most_y, 0, most_y, most_x, most_y)


async def test_the_main_scroller_of_a_fixed_page_is_scrolled(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<style>html, body { margin: 0; height: 100%; overflow: hidden }</style>
            <main style="height: 100%; overflow-y: auto"><div style="height: 4000px">x</div></main>"""
        )
    )
    assert (await tab.scroll("down", 250)).y == 250
    assert await tab.evaluate("document.querySelector('main').scrollTop") == 250


async def test_scrolling_does_not_wait_for_smooth_scrolling(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(f"<style>html {{ scroll-behavior: smooth }}</style>{TALL}"))
    assert (await tab.scroll("down", 700)).y == 700


async def test_an_element_or_its_nearest_scroller_is_scrolled(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            "<ul style='height: 100px; overflow: auto'><li>first</li><li style='height: 900px'></li></ul>"
        )
    )
    assert (await tab.element("ul").scroll("down", 30)).y == 30
    assert (await tab.element("text=first").scroll("down", 40)).y == 70


async def test_an_element_is_scrolled_into_view(tab: Tab, web: Web) -> None:
    web.page("<div style='height: 2000px'></div><p>deep</p>", "/inner")
    await tab.goto(
        web.page(f"""<div style="height: 3000px"></div><p>low</p><iframe src="{web.url}/inner"></iframe>""")
    )
    await tab.element("text=low").scroll_into_view()
    assert 0 <= (await tab.element("text=low").box()).y < 700
    await tab.element("text=deep").scroll_into_view()
    box = await tab.element("text=deep").box()
    frame = await tab.element("iframe").box()
    assert frame.y <= box.y <= frame.y + frame.height


@pytest.mark.parametrize(
    ("direction", "pixels", "message"),
    [
        ("sideways", 1, "'sideways' is not a direction. Use up, down, left or right."),
        ("down", math.nan, "nan is not a distance. Give a number of pixels."),
        ("down", -5, "-5 is not a distance. Give a number of pixels."),
    ],
)
async def test_an_invalid_scroll_is_rejected(tab: Tab, direction: str, pixels: float, message: str) -> None:
    with pytest.raises(InvalidArgs) as refusal:
        await tab.scroll(direction, pixels)  # type: ignore[arg-type] # what a caller may send
    assert str(refusal.value) == message
