"""The list of a tab's tools: read on request, cached until the page changes, followed if wanted."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream

from tabwright.browser.context import Context
from tabwright.browser.tab import Tab
from tabwright.page_tools import Listing, inventory_of
from tests.web import Web

FORM = "<form><label>Email <input name=email></label><button>Subscribe</button></form>"
WORDS = ("mail", "notes", "files", "bills", "tasks", "drafts", "photos", "letters", "reports", "invoices")


@asynccontextmanager
async def open_follower(tab: Tab) -> AsyncIterator[MemoryObjectReceiveStream[list[str]]]:
    """Follow the list of a tab; return a stream of its changes."""
    sender, news = anyio.create_memory_object_stream[list[str]](100)

    async def changed(listing: Listing) -> None:
        sender.send_nowait([tool.name for tool in listing.shown])

    async with anyio.create_task_group() as group, sender, news:
        group.start_soon(inventory_of(tab).follow, changed)
        with anyio.fail_after(60):
            yield news
        group.cancel_scope.cancel()


async def test_a_list_is_cached_until_the_page_changes(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(FORM))
    inventory = inventory_of(tab)
    assert inventory.latest is None
    first = await inventory.list_tools()
    assert await inventory.list_tools() is first
    await tab.evaluate("document.body.insertAdjacentHTML('beforeend', '<button>Help me</button>')")
    second = await inventory.list_tools()
    assert [tool.name for tool in second.shown] == ["subscribe", "help_me"]
    await tab.goto(web.page("<p>Nothing"))
    assert list(await inventory.list_tools()) == []


async def test_names_are_the_same_after_a_reload(tab: Tab, web: Web) -> None:
    page = web.page(FORM + "<button>Star</button><button>Star</button>" + FORM)
    await tab.goto(page)
    first = await inventory_of(tab).list_tools()
    await tab.navigation.reload()
    second = await inventory_of(tab).list_tools()
    assert second is not first
    assert second.fingerprint == first.fingerprint
    assert [tool.name for tool in second] == ["subscribe", "subscribe_2", "star", "star_2"]


async def test_followers_are_called_for_changed_lists_only(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(FORM))
    async with open_follower(tab) as news:
        assert await news.receive() == ["subscribe"]
        await tab.element("input").fill("a@b.example")
        await tab.evaluate("document.body.insertAdjacentHTML('beforeend', '<p>More text</p>')")
        await tab.evaluate("document.body.insertAdjacentHTML('beforeend', '<button>Help me</button>')")
        assert await news.receive() == ["subscribe", "help_me"]
        await tab.goto(web.page("<button>Elsewhere</button>"))
        assert await news.receive() == ["elsewhere"]
        await tab.evaluate("history.pushState({}, '', '?same=list')")
        await tab.goto(web.page("<p>Nothing"))
        assert await news.receive() == []
        assert news.statistics().current_buffer_used == 0


async def test_a_change_at_any_time_is_noticed(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button>Archive</button>"))
    async with open_follower(tab) as news:
        assert await news.receive() == ["archive"]
        for moment in range(len(WORDS)):  # one message later each: some fall between two calls to the page
            for _ in range(moment):
                await tab.evaluate("1")
            await tab.evaluate(f"document.querySelector('button').textContent = 'Archive {WORDS[moment]}'")
            assert await news.receive() == [f"archive_{WORDS[moment]}"]


async def test_every_follower_learns_of_a_list_that_another_caller_read(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button>Archive</button>"))
    async with open_follower(tab) as one, open_follower(tab) as other:
        assert [await one.receive(), await other.receive()] == [["archive"], ["archive"]]
        for word in WORDS[:3]:
            await tab.evaluate(f"document.querySelector('button').textContent = 'Archive {word}'")
            await inventory_of(tab).list_tools()
            assert [await one.receive(), await other.receive()] == [[f"archive_{word}"]] * 2
        assert one.statistics().current_buffer_used == other.statistics().current_buffer_used == 0


async def test_following_ends_with_the_tab(context: Context, web: Web) -> None:
    tab = await context.new_tab(web.page(FORM))
    listings: list[Listing] = []

    async def changed(listing: Listing) -> None:
        listings.append(listing)
        await tab.close()

    with anyio.fail_after(60):
        await inventory_of(tab).follow(changed)
    assert len(listings) == 1


async def test_a_tab_without_inventory_gets_no_scripts(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(FORM))
    await tab.snapshot()
    assert await tab.main_frame.call("callIfDefined", "pageTools", 1) is None


async def test_scripts_are_preloaded_in_a_tab_with_an_inventory(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(FORM))
    await inventory_of(tab).list_tools()
    inner = web.page("<p>Inner").replace(web.url, web.other_site)
    await tab.goto(web.page(f"<button>Help me</button><iframe src={inner}></iframe>"))
    assert [await frame.call("callIfDefined", "pageToolsChanged") for frame in tab.frames] == [[True], [True]]
    assert [tool.name for tool in await inventory_of(tab).list_tools()] == ["help_me"]
