"""Screencasts of a tab."""

import base64
import io

import anyio
from PIL import Image

from tabwright.browser.capture.screencast import Screencast, ScreencastFrame
from tabwright.browser.tab import Tab
from tests.web import Web

PAGE = "<!doctype html><body style='margin:0;background:#f00'>"


def colour_of(frame: ScreencastFrame) -> str:
    picture = Image.open(io.BytesIO(base64.b64decode(frame.jpeg))).convert("RGB")
    pixel = picture.getpixel((picture.width // 2, picture.height // 2))
    assert isinstance(pixel, tuple)
    return max(zip(pixel, ("red", "green", "blue"), strict=True))[1]


async def until(screencast_tab: Tab, colour: str) -> ScreencastFrame:
    cast, number = screencast_tab.component(Screencast), 0
    with anyio.fail_after(60):
        while True:
            frame = await cast.next_frame(number)
            if colour_of(frame) == colour:
                return frame
            number = frame.number


async def test_a_watcher_sees_the_page_change(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(PAGE))
    async with tab.component(Screencast).watch():
        frame = await until(tab, "red")
        assert (frame.width, frame.height) == (1280, 720)
        await tab.evaluate("document.body.style.background = '#00f'")
        await until(tab, "blue")


async def test_two_watchers_share_a_tab_and_each_tab_has_its_own_frames(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(PAGE))
    other = await tab.context.new_tab(web.page(PAGE.replace("#f00", "#0f0")))
    async with tab.component(Screencast).watch() as cast, other.component(Screencast).watch():
        async with cast.watch():
            await until(tab, "red")
        await until(other, "green")
        await tab.evaluate("document.body.style.background = '#00f'")
        await until(tab, "blue")
