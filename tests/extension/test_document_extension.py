"""A Manifest V3 extension that other people wrote to the tab-server document, in a real Chrome."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from tests.dialects.tabs_client import FOCUSED, NONE, TABS, connect_client, tabs_door
from tests.extension.linked import run_hub
from tests.extension.person import Page, Person, launch_plain_chrome
from tests.web import Web

FOLDER = Path(__file__).parent / "document_extension"
INBOX = """<title>Inbox</title><form name=search_inbox title="Search emails in inbox"
    onsubmit="document.title = 'Found ' + query.value; return false"><input name=query></form>
    <ol id=threads><li><a href="#first">First</a><li><a href="#second">Second</a></ol>"""


@pytest.fixture
async def chrome() -> AsyncIterator[tuple[Person, Page, str]]:
    """A Chrome with that extension only: its user, its options page, and its id."""
    async with launch_plain_chrome() as person:
        loaded = await person.root.send("Extensions.loadUnpacked", path=str(FOLDER))
        page = await person.open_page(f"chrome-extension://{loaded['id']}/options.html")
        yield person, page, loaded["id"]


async def test_an_extension_of_others_pairs_and_its_tools_are_used(
    chrome: tuple[Person, Page, str], tmp_path: Path, web: Web
) -> None:
    person, options, extension = chrome
    inbox = web.page(INBOX)
    async with run_hub(tmp_path, reconnect_time=0.0) as hub:
        await person.open_page(inbox)
        _, address = await hub.door.pair_extension(extension, "")
        await options.run(f"chrome.storage.local.set({json.dumps({'server': address})})")
        await hub.links.expect(seconds=60)
        async with connect_client(tabs_door(hub.runner)) as client:
            assert (await client.do("connect_browser"))["tabCount"] == 1
            assert await client.tool_names() == TABS
            focused = await client.do("focus_tab", tabId=1)
            assert focused == {
                "success": True,
                "tab": {"id": 1, "title": "Inbox", "url": inbox},
                "toolsAvailable": ["search_inbox", "open_thread"],
            }
            assert await client.tool_names() == [*FOCUSED, "search_inbox", "open_thread"]
            found = await client.agent.call("search_inbox", query="tea")
            assert "Found tea" in json.dumps(found["content"])
            thread = await client.agent.call("open_thread", index=0)
            assert '{\\"opened\\":\\"First\\"}' in json.dumps(thread["content"][-1]["text"])
            assert "There is no thread 5" in await client.expect_error("open_thread", index=5)

            other = web.page("<title>Other</title><form name=star_repo></form>")
            opened = await client.do("open_tab", url=other)
            assert (opened["tab"]["id"], opened["focused"], opened["toolsAvailable"]) == (
                2,
                True,
                ["star_repo"],
            )
            assert await client.tool_names() == [*FOCUSED, "star_repo"]
            before = client.change_count
            await options.run(
                f"chrome.tabs.query({{active: true}}).then(tabs => chrome.tabs.update(tabs[0].id, {{url: '{inbox}'}}))"
            )
            await client.wait_for_changes(before + 1)  # the user navigates
            assert await client.tool_names() == [*FOCUSED, "search_inbox", "open_thread"]
            assert await client.do("close_tab") == {"closed": True, "tabId": 2}
            assert await client.tool_names() == TABS
            await options.run("chrome.storage.local.remove('server')")  # the extension disconnects
            with anyio.fail_after(60):
                while await client.tool_names() != NONE:
                    pass
