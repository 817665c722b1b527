"""An extension that knows only the messages of the tab-server document pairs, and its tabs and tools are used."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from tabwright.errors import Denied
from tests.dialects.tabs_client import CONNECTED, FOCUSED, NONE, TABS, TabsClient, connect_client, tabs_door
from tests.extension.document_peer import OPEN_THREAD, SEARCH_INBOX, STAR_REPO, connect_peer
from tests.extension.linked import LinkedHub, run_hub

MAIL = (123456789, "Inbox (3)", "https://mail.example/inbox", SEARCH_INBOX, OPEN_THREAD)
CODE = (987654321, "Code", "https://code.example/", STAR_REPO)


@pytest.fixture
async def hub(tmp_path: Path) -> AsyncIterator[LinkedHub]:
    async with run_hub(tmp_path, reconnect_time=0.0) as hub:
        yield hub


async def call_text(client: TabsClient, tool: str, **arguments: Any) -> str:
    """Call a page tool, which succeeds; return its text."""
    result = await client.agent.call(tool, **arguments)
    assert not result["isError"], result
    return "\n".join(part["text"] for part in result["content"])


async def test_its_tabs_and_tools_are_those_of_the_dialect(hub: LinkedHub) -> None:
    async with connect_peer(hub, MAIL, CODE) as peer, connect_client(tabs_door(hub.runner)) as client:
        assert await client.do("connect_browser") == {
            "connected": True,
            "browser": {"name": "Chrome", "version": "120.0.0"},
            "tabCount": 2,
        }
        assert (client.change_count, await client.tool_names()) == (1, TABS)
        assert await client.do("focus_tab", tabId=1) == {
            "success": True,
            "tab": {"id": 1, "title": "Inbox (3)", "url": "https://mail.example/inbox"},
            "toolsAvailable": ["search_inbox", "open_thread"],
        }
        assert (client.change_count, await client.tool_names()) == (
            2,
            [*FOCUSED, "search_inbox", "open_thread"],
        )
        search = (await client.tools())[-2]
        assert search["description"] == (
            "A tool of the user's extension. From the page: “Search emails in inbox”"
        )
        assert search["inputSchema"]["properties"]["query"] == {
            "type": "string",
            "description": "From the page: “Search query”",
        }
        text = await call_text(client, "open_thread", index=0)
        assert 'open_thread of tab 123456789 with {"index": 0}' in text
        sent = await peer.wait_for("callTool")
        assert (sent["tabId"], sent["toolName"], sent["args"]) == (123456789, "open_thread", {"index": 0})

        opened = await client.do("open_tab", url="https://new.example/")
        assert opened == {
            "tab": {"id": 3, "title": "Opened", "url": "https://new.example/"},
            "focused": True,
            "toolsAvailable": ["star_repo"],
        }
        assert (client.change_count, await client.tool_names()) == (3, [*FOCUSED, "star_repo"])
        assert (await client.do("open_tab", url="https://b.example/", focus=False))["focused"] is False
        assert client.change_count == 3
        listed = await client.do("list_tabs")
        assert [(tab["id"], tab["toolCount"]) for tab in listed["tabs"]] == [(1, 2), (2, 0), (3, 1), (4, 0)]
        assert listed["focusedTabId"] == 3
        assert await client.do("close_tab") == {"closed": True, "tabId": 3}
        assert (client.change_count, await client.tool_names()) == (4, TABS)


async def test_what_happens_in_the_browser_is_reported_as_documented(hub: LinkedHub) -> None:
    async with connect_peer(hub, MAIL, CODE) as peer, connect_client(tabs_door(hub.runner)) as client:
        await client.do("connect_browser")
        await client.do("focus_tab", tabId=1)
        client.agent.notices.clear()
        await peer.send("toolsChanged", tabId=MAIL[0], tools=[SEARCH_INBOX])  # the page changes
        await client.wait_for_changes(1)
        assert await client.tool_names() == [*FOCUSED, "search_inbox"]
        gone = await client.expect_error("open_thread", index=0)
        assert gone.startswith("Stale (-32011): The tool open_thread of https://mail.example/inbox is gone.")
        # A new tab, a title, another tab's tools and the same tools change nothing that is listed.
        await peer.send("tabCreated", tab=peer.add_tab(7, "New", "https://new.example/"))
        await peer.send("tabUpdated", tab=peer.add_tab(MAIL[0], "Inbox (4)", MAIL[2], SEARCH_INBOX))
        await peer.send("toolsChanged", tabId=CODE[0], tools=[])
        await peer.send("toolsChanged", tabId=MAIL[0], tools=[SEARCH_INBOX])
        await peer.sync()
        tabs = (await client.do("list_tabs"))["tabs"]
        assert [tab["title"] for tab in tabs] == ["Inbox (4)", "Code", "New"]
        assert (await client.tool_names(), client.change_count) == ([*FOCUSED, "search_inbox"], 1)
        # It navigates; its tools follow.
        await peer.send("tabUpdated", tab=peer.add_tab(MAIL[0], "Thread", "https://mail.example/1"))
        await peer.send("toolsChanged", tabId=MAIL[0], tools=[STAR_REPO])
        await client.wait_for_changes(2)
        assert await client.tool_names() == [*FOCUSED, "star_repo"]
        for tool, arguments, error in (
            ("focus_tab", {"tabId": 99}, "NotFound (-32010): There is no tab 99; open tabs: 1, 2, 3."),
            ("open_tab", {"url": "no url"}, "InvalidParams (-32602): 'no url' is not a URL."),
            ("open_tab", {"url": "file:///etc/passwd"}, "AuthorizationError (-32002): file: URLs"),
        ):
            assert (await client.expect_error(tool, **arguments)).startswith(error)
        assert not [message for message in peer.received if message["type"] == "openTab"]
        await peer.send("tabClosed", tabId=MAIL[0])  # the user closes the focused tab
        await client.wait_for_changes(3)
        assert await client.tool_names() == TABS
        await peer.send("tabClosed", tabId=CODE[0])
        await peer.send("tabClosed", tabId=7)
        await client.wait_for_changes(4)
        assert await client.tool_names() == CONNECTED
        await peer.send("disconnected")
        await client.wait_for_changes(5)
        assert await client.tool_names() == NONE


async def test_a_lost_extension_fails_the_running_call_at_once(hub: LinkedHub) -> None:
    async with connect_peer(hub, MAIL) as peer, connect_client(tabs_door(hub.runner)) as client:
        await client.do("connect_browser")
        await client.do("focus_tab", tabId=1)
        peer.on["callTool"] = lambda _: None
        async with anyio.create_task_group() as group:

            async def close() -> None:
                await peer.wait_for("callTool")
                await peer.close()

            group.start_soon(close)
            error = await client.expect_error("search_inbox", query="x")
        assert error.startswith("BrowserGone (-32015): The connection to the user's Chrome was interrupted")
        await client.wait_for_changes(3)
        assert await client.tool_names() == NONE


async def test_errors_of_tools_are_the_pages_and_wrong_arguments_are_not_sent(hub: LinkedHub) -> None:
    async with connect_peer(hub, MAIL) as peer, connect_client(tabs_door(hub.runner)) as client:
        await client.do("connect_browser")
        await client.do("focus_tab", tabId=1)
        wrong = await client.expect_error("open_thread", index="first")
        assert "index must be a number" in wrong
        assert not [message for message in peer.received if message["type"] == "callTool"]
        peer.on["callTool"] = lambda call: [
            ("toolResult", {"callId": call["callId"], "error": "No thread \u202e7"})
        ]
        error = await client.expect_error("open_thread", index=7)
        assert "PageFailed" in error
        assert "open_thread failed" in error
        assert "\u202e" not in error


async def test_other_actions_are_refused_with_the_next_step(hub: LinkedHub) -> None:
    async with connect_peer(hub, MAIL):
        await hub.do("connect_browser")
        await hub.do("switch_tab", id="t1")
        calls: tuple[tuple[str, dict[str, Any]], ...] = (
            ("snapshot", {}),
            ("click", {"target": "text=Send"}),
            ("navigate", {"url": "https://other.example/"}),
            ("evaluate", {"script": "1"}),
            ("screenshot", {}),
        )
        for action, arguments in calls:
            with pytest.raises(Denied, match="offers its own page tools only") as refused:
                await hub.do(action, **arguments)
            assert refused.value.hint.endswith("Tabwright's own extension: tabwright extension")
        listed = await hub.do("list_page_tools")
        assert "search_inbox" in listed.text


async def test_a_focus_that_is_answered_with_an_invalid_message_fails_at_once(hub: LinkedHub) -> None:
    async with connect_peer(hub, MAIL) as peer, connect_client(tabs_door(hub.runner)) as client:
        await client.do("connect_browser")
        peer.on["focusTab"] = lambda call: [("tabFocused", {"tabId": call["tabId"], "tools": "none"})]
        error = await client.expect_error("focus_tab", tabId=1)
        assert error.startswith(
            "PageFailed (-32014): Tab t1 did not come to the front: the extension failed: "
            "it sent an invalid tabFocused."
        )
        assert await client.tool_names() == TABS


async def test_more_tabs_than_an_agent_may_open_stay_open(hub: LinkedHub) -> None:
    tabs = [(number, f"Tab {number}", f"https://{number}.example/") for number in range(1, 151)]
    async with connect_peer(hub, *tabs) as peer:
        await hub.do("connect_browser")
        listed = await hub.do("list_tabs")
        assert len(listed.text.splitlines()) >= 100
        await peer.sync()
        assert not [message for message in peer.received if message["type"] == "closeTab"]
