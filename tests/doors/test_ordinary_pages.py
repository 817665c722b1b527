"""Ordinary pages: nearly every call succeeds, screenshots are fast, and a timeout leaves nothing running."""

import re
import statistics
import time
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from tabwright.app import mcp_door, running
from tabwright.runner import Runner
from tabwright.settings import Settings
from tests.doors.mcp.agents import Agent, Json, connected_to
from tests.web import Web, never

PAGES = sorted((Path(__file__).parents[1] / "pages").glob("*.html"))


@pytest.fixture(scope="module")
async def runner(anyio_backend: str) -> AsyncIterator[Runner]:
    async with running(Settings()) as runner:
        yield runner


@pytest.fixture
async def agent(runner: Runner) -> AsyncIterator[Agent]:
    async with connected_to(mcp_door(runner, Settings())) as agent:
        yield agent


def text_of(answer: Json) -> str:
    return str(answer["content"][-1]["text"])


async def use_page(agent: Agent, url: str) -> AsyncIterator[tuple[str, Json]]:
    """Do what agents usually do on a page; yield each tool with its answer."""
    yield "navigate", await agent.call("browser_navigate", url=url)
    snapshot = await agent.call("browser_snapshot")
    yield "snapshot", snapshot
    yield "screenshot", await agent.call("browser_screenshot", includeAccessibilityTree=False)
    for ref in re.findall(r"(@e\d+): (?:textbox|searchbox) [^\n(]*(?:\n|$)", text_of(snapshot))[:2]:
        yield "fill", await agent.call("browser_fill", selector=ref, value="Ada")
    yield "scroll", await agent.call("browser_scroll")
    yield "evaluate", await agent.call("browser_evaluate", script="document.title")
    yield "find", await agent.call("browser_more", action="find", args={"text": "e"})
    for ref in re.findall(r"(@e\d+): (?:button|link) [^\n(]*(?:\n|$)", text_of(snapshot))[:1]:
        yield "click", await agent.call("browser_click", selector=ref)


async def test_nearly_every_call_succeeds_and_screenshots_are_fast(agent: Agent, web: Web) -> None:
    failures, count, seconds = [], 0, []
    for page in PAGES:
        began = time.perf_counter()
        async for tool, answer in use_page(agent, web.page(page.read_text())):
            now = time.perf_counter()
            if tool == "screenshot":
                seconds.append(now - began)
            count += 1
            if answer.get("isError"):
                failures.append((page.name, tool, text_of(answer)))
            began = time.perf_counter()
    assert count > 7 * len(PAGES)
    assert len(failures) <= count * 0.05, failures
    assert statistics.median(seconds) < 3


async def test_a_timeout_leaves_nothing_running(agent: Agent, runner: Runner, web: Web) -> None:
    await agent.call("browser_navigate", url=web.page("<title>calm</title><button disabled>Go</button>"))
    browser = next(iter(runner.sessions)).context.browser
    tabs = len(browser.contexts[-1].tabs)
    for tool, arguments in (
        ("browser_navigate", {"url": web.route("/never", lambda _: never()), "timeout": 300}),
        ("browser_wait", {"selector": "#never", "timeout": 200}),
        ("browser_click", {"selector": "button", "timeout": 200}),
        ("browser_more", {"action": "wait_for_text", "args": {"text": "never", "timeout": 0.2}}),
    ):
        answer = await agent.call(tool, **arguments)
        assert answer["isError"], tool
    assert text_of(await agent.call("browser_evaluate", script="1 + 1")) == "2"
    with anyio.fail_after(60):
        while browser.connection.waiting:  # a call may still read the page after its answer
            await browser.root.send("Browser.getVersion")
    assert len(browser.contexts[-1].tabs) == tabs
