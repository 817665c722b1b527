"""Links to Chromes, with an extension at the other end that says what it is told to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import orjson
import pytest

from tabwright.aio import Signal
from tabwright.browser.user_chrome.link import ExtensionLink
from tabwright.browser.user_chrome.links import ExtensionLinks
from tabwright.browser.user_chrome.relay import carried
from tabwright.browser.user_chrome.tab_ownership import ChromeTab, TabOwnership
from tabwright.cdp.decoding import decode_message
from tabwright.cdp.transport import Message, Receive
from tabwright.errors import Denied


class Extension:
    """The wire to an extension."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.over = anyio.Event()
        self._receive: Receive = lambda _: None

    def send(self, message: Message) -> None:
        self.heard.append(orjson.loads(orjson.dumps(message)))

    async def run(self, receive: Receive) -> str:
        self._receive = receive
        await self.over.wait()
        return "it ended"

    async def aclose(self) -> None:
        self.over.set()

    def says(self, raw: bytes | None = None, **message: Any) -> None:
        self._receive(message if raw is None else decode_message(raw))


@asynccontextmanager
async def linked(links: ExtensionLinks, chrome: str, name: str) -> AsyncIterator[Extension]:
    extension = Extension()
    async with anyio.create_task_group() as group:

        async def serve() -> None:
            await links.serve(extension, chrome=chrome, name=name)

        group.start_soon(serve)
        await anyio.wait_all_tasks_blocked()
        yield extension
        extension.over.set()


def introduced(extension: Extension, focused: int = 0) -> None:
    about = {"name": "Chrome", "version": "156", "userAgent": "Chrome/156"}
    extension.says(type="connected", browser=about, tabs=[], focusedAt=focused)


def found(links: ExtensionLinks, name: str = "") -> str | None:
    link = links.find(name)
    return link.chrome if link is not None else None


async def test_the_chrome_that_its_user_had_before_them_last_is_found_unless_another_is_named() -> None:
    links = ExtensionLinks()
    async with linked(links, "1", "work") as work, linked(links, "2", "home") as home:
        assert (work.heard, found(links)) == ([{"type": "connect"}], None)  # nothing is known of it yet
        introduced(work, focused=10)
        assert (found(links), found(links, "work"), found(links, "home")) == ("1", "1", None)
        introduced(home, focused=20)
        assert found(links) == "2"
        work.says(type="windowFocused", at=30)
        assert (found(links), found(links, "home"), found(links, "none")) == ("1", "2", None)
        async with linked(links, "1", "work") as again:  # its worker was started anew
            assert (work.over.is_set(), found(links)) == (True, "2")
            introduced(again)
            assert found(links, "work") == "1"
            again.says(type="disconnected", reason="stopped")
            assert found(links, "work") is None
    assert list(links) == []


async def test_just_after_the_start_a_chrome_that_is_paired_is_waited_for_and_no_other() -> None:
    links = ExtensionLinks(lambda: ["work"], patience=60)
    with anyio.fail_after(1):
        await links.expect("home")
        await ExtensionLinks().expect()
        await ExtensionLinks(lambda: ["work"], patience=0).expect()
    async with anyio.create_task_group() as group, linked(links, "1", "work") as extension:
        group.start_soon(links.expect)
        group.start_soon(links.expect, "work")
        await anyio.wait_all_tasks_blocked()
        introduced(extension)
    with anyio.fail_after(1), pytest.raises(TimeoutError), anyio.fail_after(0.05):
        await links.expect()  # it is gone again, and may come back


async def test_a_chrome_that_lost_its_link_is_waited_for_unless_it_said_goodbye_or_is_not_paired_any_more() -> (
    None
):
    paired = ["work"]
    links = ExtensionLinks(lambda: paired, patience=0.2)
    await anyio.sleep(0.25)  # we have long been started
    async with linked(links, "1", "work") as extension:
        introduced(extension)
    began = anyio.current_time()
    await links.expect("work")
    assert 0.1 < anyio.current_time() - began < 5
    assert links.disconnect_error("work") is None
    for reason, words in (
        ("stopped", "The user stopped all agents in their Chrome."),
        ("unpaired", "The user unpaired their Chrome."),
    ):
        async with linked(links, "1", "work") as extension:
            introduced(extension)
            assert links.disconnect_error("work") is None
            extension.says(type="disconnected", reason=reason)
            with anyio.fail_after(0.1):
                await links.expect("work")
        left = links.disconnect_error("work")
        assert (type(left), left and left.message) == (Denied, words)
    async with linked(links, "1", "work") as extension:
        introduced(extension)
    paired.clear()
    with anyio.fail_after(0.1):
        await links.expect("work")


async def test_what_is_no_message_is_passed_over_and_a_ping_is_answered() -> None:
    links = ExtensionLinks()
    async with linked(links, "1", "work") as extension:
        introduced(extension)
        for raw in (b"", b"[]", b"{}", b'{"type": "surprise"}', b'{"type": "tabCreated"}', b"\xff"):
            extension.says(raw)
        extension.says(type="tabClosed", tabId=9)
        extension.says(type="toolResult", callId="9")
        extension.says(type="cdpEvent", tabId=9, method="Page.loadEventFired")
        extension.says(type="ping")
        assert extension.heard == [{"type": "connect"}, {"type": "pong"}]
        assert found(links) == "1"


async def test_a_link_on_which_nothing_comes_any_more_is_given_up() -> None:
    extension = Extension()
    with anyio.fail_after(5):
        assert await ExtensionLink(extension, "1", "work", Signal(), silence=0.05).run() == "it ended"
    assert extension.over.is_set()


class Worker:
    """Somebody who works in tabs."""

    def __init__(self, name: str, used: float) -> None:
        self.name = name
        self.used = used
        self.news: list[tuple[str, Any]] = []

    def offer(self, tab: ChromeTab) -> None:
        self.news.append(("offered", tab.id))

    def event(self, tab_id: int, message: dict[str, Any]) -> None:
        self.news.append(("event", tab_id))

    def attend(self, tab_id: int) -> None:
        self.news.append(("attended", tab_id))

    def lose(self, tab_id: int, reason: str) -> None:
        self.news.append((reason, tab_id))

    def end(self, reason: str) -> None:
        self.news.append(("end", reason))


def tab(number: int, *, holder: str = "", opener: int | None = None, tools: int = 1) -> ChromeTab:
    return ChromeTab.told({"id": number, "holder": holder, "opener": opener, "tools": [1] * tools}, True)


def test_a_tab_goes_to_whoever_had_it_whose_page_opened_it_or_worked_last() -> None:
    holding = TabOwnership(lambda name: name == "away", lambda: None)
    holding.begin(
        [tab(1), tab(2, holder="two"), tab(3, holder="away"), tab(4, tools=0), tab(5, holder="gone")]
    )
    two, one = Worker("two", used=1), Worker("one", used=2)
    assert [got.id for got in holding.join(two)] == [1, 2, 5]  # those of one who may come back are kept
    assert holding.join(one) == []
    holding.know(tab(6, opener=2))
    holding.know(tab(7))
    holding.know(tab(4))
    holding.know(tab(2, tools=0))
    holding.close(1, "unshared")
    assert two.news == [("offered", 6), ("unreachable", 2), ("unshared", 1)]
    assert one.news == [("offered", 7), ("offered", 4)]
    holding.know(tab(2, holder="two"))
    assert (two.news[-1], holding.freed("away")) == (("offered", 2), [3])
    holding.leave(two)
    holding.know(tab(3))
    holding.end("lost")
    assert (one.news[-2:], two.news[-1], holding.tabs) == (
        [("offered", 3), ("end", "lost")],
        ("offered", 2),
        {},
    )


def test_arguments_that_hold_a_null_go_as_text_and_come_out_as_they_were() -> None:
    whole = {
        "functionDeclaration": "f",
        "arguments": [{"value": 1}, {"objectId": "7"}, {"value": [{"a": 2}]}],
    }
    assert carried("Runtime.callFunctionOn", whole) is whole
    assert carried("Runtime.evaluate", {"arguments": [{"value": None}]}) == {"arguments": [{"value": None}]}
    lossy = {
        "functionDeclaration": "f",
        "arguments": [{"value": "x"}, {"value": {"a": [None]}}, {"value": None}],
    }
    assert carried("Runtime.callFunctionOn", lossy) == {
        "functionDeclaration": "function (...given) { for (const at of [1, 2]) given[at] = "
        "JSON.parse(given[at]); return (f\n).apply(this, given); }",
        "arguments": [{"value": "x"}, {"value": '{"a":[null]}'}, {"value": "null"}],
    }
