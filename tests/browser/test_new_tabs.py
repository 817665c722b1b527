"""Tabs that pages open."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tabwright.browser.browser import Browser
from tabwright.browser.ownership import Ownership
from tabwright.browser.process.launch import LaunchOptions, launch_process
from tabwright.browser.snapshot.observe import observe
from tabwright.browser.tab import Tab
from tabwright.cdp.transport import Message, Receive, Transport
from tests.web import Web

# Longer than a page that does not change is observed.
DELAY = 0.6


class LateTabs:
    """A transport on which news of new tabs arrives late."""

    def __init__(self, wire: Transport) -> None:
        self._wire = wire
        self.late = False

    def send(self, message: Message) -> None:
        self._wire.send(message)

    async def run(self, receive: Receive) -> str:
        def deliver(message: Message) -> None:
            if self.late and message.get("method") == "Target.attachedToTarget":
                asyncio.get_running_loop().call_later(DELAY, receive, message)
            else:
                receive(message)

        return await self._wire.run(deliver)

    async def aclose(self) -> None:
        await self._wire.aclose()


@pytest.fixture
async def wired(anyio_backend: str) -> AsyncIterator[tuple[Tab, LateTabs]]:
    async with launch_process(LaunchOptions()) as process:
        wire = LateTabs(process.transport)
        async with Browser.over(wire, headless=True, ownership=Ownership.LAUNCHED) as browser:
            await browser.start()
            yield await (await browser.new_context()).new_tab(), wire


@pytest.mark.parametrize(
    "html",
    ["<a href=/pop target=_blank>Open</a>", "<button onclick=\"window.open('/pop')\">Open</button>"],
    ids=["link", "script"],
)
async def test_a_click_reports_its_new_tab_even_if_chrome_announces_it_late(
    wired: tuple[Tab, LateTabs], web: Web, html: str
) -> None:
    tab, wire = wired
    web.page("<title>Popup</title>", "/pop")
    await tab.goto(web.page(html))
    await tab.snapshot()
    wire.late = True
    _, effects = await observe(tab, tab.element("@e1").click)
    assert effects.tabs == [f"t2 {web.url}/pop"]


async def test_an_action_opens_only_so_many_tabs(tab: Tab, web: Web) -> None:
    web.page("<title>Popup</title>", "/pop")
    await tab.goto(web.page("<a href=/pop target=_blank>Open</a>"))
    tab.context.new_tabs.max_opened = 2

    async def click_often() -> None:
        for _ in range(4):
            await tab.element("a").click()

    for _ in range(2):  # each action may open as many
        before = set(tab.context.tabs)
        _, effects = await observe(tab, click_often)
        assert effects.closed_windows == "Closed 2 more windows that the page opened."
        assert len(effects.tabs) == len(set(tab.context.tabs) - before) == 2


async def test_windows_beyond_the_limit_of_tabs_are_counted(tab: Tab, web: Web) -> None:
    web.page("<title>Popup</title>", "/pop")
    await tab.goto(web.page("<a href=/pop target=_blank>Open</a>"))
    tab.context.max_tabs = 1
    _, effects = await observe(tab, tab.element("a").click)
    assert effects.closed_windows == "Closed 1 window that the page opened."
    assert effects.tabs == []
