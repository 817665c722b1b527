"""Watching a tab."""

import base64
import io

import anyio
from PIL import Image

from tabwright.browser.capture.screencast import Still, screencast_of
from tabwright.browser.tab import Tab
from tests.web import Web

PAGE = "<!doctype html><body style='margin:0;background:#f00'>"


def colour_of(still: Still) -> str:
    picture = Image.open(io.BytesIO(base64.b64decode(still.jpeg))).convert("RGB")
    pixel = picture.getpixel((picture.width // 2, picture.height // 2))
    assert isinstance(pixel, tuple)
    return max(zip(pixel, ("red", "green", "blue"), strict=True))[1]


async def until(screencast_tab: Tab, colour: str) -> Still:
    cast, number = screencast_of(screencast_tab), 0
    with anyio.fail_after(20):
        while True:
            still = await cast.after(number)
            if colour_of(still) == colour:
                return still
            number = still.number


async def test_a_watcher_sees_the_page_and_what_becomes_of_it(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(PAGE))
    async with screencast_of(tab).watched():
        still = await until(tab, "red")
        assert (still.width, still.height) == (1280, 720)
        await tab.evaluate("document.body.style.background = '#00f'")
        await until(tab, "blue")


async def test_two_watch_one_tab_and_each_tab_has_its_own_pictures(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(PAGE))
    other = await tab.context.new_tab(web.page(PAGE.replace("#f00", "#0f0")))
    async with screencast_of(tab).watched() as cast, screencast_of(other).watched():
        async with cast.watched():
            await until(tab, "red")
        await until(other, "green")
        await tab.evaluate("document.body.style.background = '#00f'")
        await until(tab, "blue")
