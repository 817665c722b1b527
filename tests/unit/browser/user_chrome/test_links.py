"""Links to Chromes, with a scripted extension at the other end."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import orjson
import pytest

from tabwright.aio import Signal
from tabwright.browser.user_chrome.link import ExtensionLink
from tabwright.browser.user_chrome.links import ExtensionLinks
from tabwright.browser.user_chrome.relay import protect_nulls
from tabwright.browser.user_chrome.tab_ownership import ChromeTab, TabOwnership
from tabwright.cdp.decoding import decode_message
from tabwright.cdp.transport import Message, Receive
from tabwright.errors import Denied


class Extension:
    """A transport to a scripted extension."""

    def __init__(self) -> None:
        self.received: list[dict[str, Any]] = []
        self.ended = anyio.Event()
        self._receive: Receive = lambda _: None

    def send(self, message: Message) -> None:
        self.received.append(orjson.loads(orjson.dumps(message)))

    async def run(self, receive: Receive) -> str:
        self._receive = receive
        await self.ended.wait()
        return "it ended"

    async def aclose(self) -> None:
        self.ended.set()

    def send_to_us(self, raw: bytes | None = None, **message: Any) -> None:
        self._receive(message if raw is None else decode_message(raw))


@asynccontextmanager
async def connect(links: ExtensionLinks, chrome: str, name: str) -> AsyncIterator[Extension]:
    extension = Extension()
    async with anyio.create_task_group() as group:

        async def serve() -> None:
            await links.serve(extension, chrome=chrome, name=name)

        group.start_soon(serve)
        await anyio.wait_all_tasks_blocked()
        yield extension
        extension.ended.set()


def introduce(extension: Extension, focused: int = 0) -> None:
    about = {"name": "Chrome", "version": "156", "userAgent": "Chrome/156"}
    extension.send_to_us(type="connected", browser=about, tabs=[], focusedAt=focused)


def find(links: ExtensionLinks, name: str = "") -> str | None:
    link = links.find(name)
    return link.chrome if link is not None else None


async def test_the_chrome_focused_last_is_found_unless_another_is_named() -> None:
    links = ExtensionLinks()
    async with connect(links, "1", "work") as work, connect(links, "2", "home") as home:
        assert (work.received, find(links)) == (
            [{"type": "connect"}],
            None,
        )  # it has not introduced itself yet
        introduce(work, focused=10)
        assert (find(links), find(links, "work"), find(links, "home")) == ("1", "1", None)
        introduce(home, focused=20)
        assert find(links) == "2"
        work.send_to_us(type="windowFocused", at=30)
        assert (find(links), find(links, "home"), find(links, "none")) == ("1", "2", None)
        async with connect(links, "1", "work") as again:  # its worker was restarted
            assert (work.ended.is_set(), find(links)) == (True, "2")
            introduce(again)
            assert find(links, "work") == "1"
            again.send_to_us(type="disconnected", reason="stopped")
            assert find(links, "work") is None
    assert list(links) == []


async def test_after_our_start_only_paired_chromes_are_waited_for() -> None:
    links = ExtensionLinks(lambda: ["work"], reconnect_time=60)
    with anyio.fail_after(60):
        await links.expect("home")
        await ExtensionLinks().expect()
        await ExtensionLinks(lambda: ["work"], reconnect_time=0).expect()
    async with anyio.create_task_group() as group, connect(links, "1", "work") as extension:
        group.start_soon(links.expect)
        group.start_soon(links.expect, "work")
        await anyio.wait_all_tasks_blocked()
        introduce(extension)
    with anyio.fail_after(1), pytest.raises(TimeoutError), anyio.fail_after(0.05):
        await links.expect()  # it disconnected, and may reconnect


async def test_a_lost_chrome_is_waited_for_unless_it_left_or_was_unpaired() -> None:
    paired = ["work"]
    links = ExtensionLinks(lambda: paired, reconnect_time=0.2)
    await anyio.sleep(0.25)  # past the wait after our start
    async with connect(links, "1", "work") as extension:
        introduce(extension)
    began = anyio.current_time()
    await links.expect("work")
    assert 0.1 < anyio.current_time() - began < 5
    assert links.disconnect_error("work") is None
    for reason, message in (
        ("stopped", "The user stopped all agents in their Chrome."),
        ("unpaired", "The user unpaired their Chrome."),
    ):
        async with connect(links, "1", "work") as extension:
            introduce(extension)
            assert links.disconnect_error("work") is None
            extension.send_to_us(type="disconnected", reason=reason)
            with anyio.fail_after(60):
                await links.expect("work")
        left = links.disconnect_error("work")
        assert (type(left), left and left.message) == (Denied, message)
    async with connect(links, "1", "work") as extension:
        introduce(extension)
    paired.clear()
    with anyio.fail_after(60):
        await links.expect("work")


async def test_an_invalid_message_is_ignored_and_a_ping_is_answered() -> None:
    links = ExtensionLinks()
    async with connect(links, "1", "work") as extension:
        introduce(extension)
        for raw in (b"", b"[]", b"{}", b'{"type": "surprise"}', b'{"type": "tabCreated"}', b"\xff"):
            extension.send_to_us(raw)
        extension.send_to_us(type="tabClosed", tabId=9)
        extension.send_to_us(type="toolResult", callId="9")
        extension.send_to_us(type="cdpEvent", tabId=9, method="Page.loadEventFired")
        extension.send_to_us(type="ping")
        assert extension.received == [{"type": "connect"}, {"type": "pong"}]
        assert find(links) == "1"


async def test_a_silent_link_is_closed() -> None:
    extension = Extension()
    with anyio.fail_after(60):
        assert await ExtensionLink(extension, "1", "work", Signal(), silence_limit=0.05).run() == "it ended"
    assert extension.ended.is_set()


class Holder:
    """A holder of tabs that records its callbacks."""

    def __init__(self, name: str, used: float) -> None:
        self.name = name
        self.last_used = used
        self.seen: list[tuple[str, Any]] = []

    def on_tab_offered(self, tab: ChromeTab) -> None:
        self.seen.append(("offered", tab.id))

    def on_tab_updated(self, tab: ChromeTab) -> None:
        self.seen.append(("updated", tab.id))

    def on_event(self, tab_id: int, message: dict[str, Any]) -> None:
        self.seen.append(("event", tab_id))

    def on_tab_focused(self, tab_id: int) -> None:
        self.seen.append(("focused", tab_id))

    def on_tab_lost(self, tab_id: int, reason: str) -> None:
        self.seen.append((reason, tab_id))

    def on_link_ended(self, reason: str) -> None:
        self.seen.append(("end", reason))


def tab(number: int, *, holder: str = "", opener: int | None = None, tools: int = 1) -> ChromeTab:
    return ChromeTab.parse({"id": number, "holder": holder, "opener": opener, "tools": [1] * tools}, True)


def test_a_tab_goes_to_its_holder_its_openers_holder_or_the_last_active() -> None:
    ownership = TabOwnership(lambda name: name == "away", lambda: None)
    ownership.replace_all(
        [tab(1), tab(2, holder="two"), tab(3, holder="away"), tab(4, tools=0), tab(5, holder="gone")]
    )
    two, one = Holder("two", used=1), Holder("one", used=2)
    assert [got.id for got in ownership.join(two)] == [
        1,
        2,
        5,
    ]  # tab 3 is reserved for a session that may come back
    assert ownership.join(one) == []
    ownership.update(tab(6, opener=2))
    ownership.update(tab(7))
    ownership.update(tab(4))
    ownership.update(tab(2, tools=0))
    ownership.close(1, "unshared")
    assert two.seen == [("offered", 6), ("unreachable", 2), ("unshared", 1)]
    assert one.seen == [("offered", 7), ("offered", 4)]
    ownership.update(tab(2, holder="two"))
    assert (two.seen[-1], ownership.release("away")) == (("offered", 2), [3])
    ownership.leave(two)
    ownership.update(tab(3))
    ownership.end("lost")
    assert (one.seen[-2:], two.seen[-1], ownership.tabs) == (
        [("offered", 3), ("end", "lost")],
        ("offered", 2),
        {},
    )


def test_arguments_with_a_null_are_sent_as_text_and_parsed_in_the_page() -> None:
    whole = {
        "functionDeclaration": "f",
        "arguments": [{"value": 1}, {"objectId": "7"}, {"value": [{"a": 2}]}],
    }
    assert protect_nulls("Runtime.callFunctionOn", whole) is whole
    assert protect_nulls("Runtime.evaluate", {"arguments": [{"value": None}]}) == {
        "arguments": [{"value": None}]
    }
    lossy = {
        "functionDeclaration": "f",
        "arguments": [{"value": "x"}, {"value": {"a": [None]}}, {"value": None}],
    }
    assert protect_nulls("Runtime.callFunctionOn", lossy) == {
        "functionDeclaration": "function (...given) { for (const at of [1, 2]) given[at] = "
        "JSON.parse(given[at]); return (f\n).apply(this, given); }",
        "arguments": [{"value": "x"}, {"value": '{"a":[null]}'}, {"value": "null"}],
    }
