"""What an agent does on a page: a no-op call, a click, a fill, a screenshot, a whole step."""

import re
from collections.abc import AsyncIterator, Sequence
from time import perf_counter

from bench.mcp.client import ServerFailed, ToolCall
from bench.mcp.rows import Aim, Row, aim
from bench.mcp.running_server import RunningServer, tokens
from bench.mcp.turns import Turns
from bench.measure import Clock, time_call
from bench.pages import BUTTON, FIELD, PUT

_CLICK = aim(playwright=0.25, devtools=0.5, agent_browser=0.5)
_FILL = aim(each=0.4)
_SCREENSHOT = aim(playwright=0.7)
_STEP_TOKENS = aim(150)


async def action_rows(servers: Sequence[RunningServer], url: str, turns: Turns) -> AsyncIterator[Row]:
    """Measure single calls on one page; afterwards, check that clicks and fills took effect."""
    idle = {server.peer.name: _time_tool(server, server.peer.idle) for server in servers}
    yield Row("no-op call", "ms", await turns.take("no-op", idle, seconds=5, times=3))
    clicks = [_Clicks(server, url, BUTTON, "window.clicks") for server in servers]
    yield await _row("click by ref, nothing changes", clicks, turns, _CLICK)
    fills = [_Fills(server, url) for server in servers]
    yield await _row("fill by ref", fills, turns, _FILL)
    shots = {server.peer.name: _Screenshots(server) for server in servers}
    samples = await turns.take("screenshot", shots, seconds=8, times=2)
    yield Row("screenshot", "ms", samples, _SCREENSHOT)
    yield Row("screenshot", "kB", {peer: shots[peer].sizes for peer in samples if shots[peer].sizes})


async def step_rows(servers: Sequence[RunningServer], url: str, turns: Turns) -> AsyncIterator[Row]:
    """Measure a click that changes the page, including the calls that it takes to learn what changed."""
    clicks = [_Clicks(server, url, PUT, "window.things") for server in servers]
    yield await _row("click by ref, page changes", clicks, turns, _CLICK)
    steps = {server.peer.name: _Steps(server, url) for server in servers}
    samples = await turns.take("step", steps, seconds=15, times=2)
    yield Row("one step", "ms", samples)
    yield Row("one step", "tokens", {peer: steps[peer].tokens for peer in samples}, _STEP_TOKENS)
    yield Row("one step", "calls", {peer: [float(steps[peer].calls)] for peer in samples}, aim(1))


async def _row(name: str, actions: "Sequence[_Clicks | _Fills]", turns: Turns, budget: Aim) -> Row:
    samples = await turns.take(
        name, {action.server.peer.name: action for action in actions}, seconds=12, times=3
    )
    for action in actions:
        peer = action.server.peer.name
        try:
            await action.verify()
        except ServerFailed as failure:
            turns.failures[f"{peer}: {name}"] = str(failure)
            samples.pop(peer, None)
    return Row(name, "ms", samples, budget)


def _time_tool(server: RunningServer, tool_call: ToolCall) -> Clock:
    return time_call(lambda: server.call(tool_call))


class _Screenshots:
    """Takes screenshots; `sizes` has the bytes of those that come with the answer."""

    def __init__(self, server: RunningServer) -> None:
        self._server = server
        self.sizes: list[float] = []

    async def __call__(self) -> float:
        begin = perf_counter()
        content = await self._server.client.content(self._server.peer.screenshot)
        taken = perf_counter() - begin
        self.sizes += [len(part["data"]) * 0.75 for part in content if part["type"] == "image"]
        return taken


class _Clicks:
    """Clicks a button of the page and counts; the page counts too."""

    def __init__(self, server: RunningServer, url: str, button: str, counter: str) -> None:
        self.server = server
        self._url = url
        self._button = button
        self._counter = counter
        self._ref = ""
        self._count = 0

    async def __call__(self) -> float:
        if not self._ref:
            await self.server.go(self._url)
            self._ref = await self.server.ref("button", self._button)
        self._count += 1
        begin = perf_counter()
        await self.server.call(self.server.peer.click, ref=self._ref)
        return perf_counter() - begin

    async def verify(self) -> None:
        seen = await self.server.call(self.server.peer.evaluate, script=self._counter)
        if not re.search(rf"(?<!\d){self._count}(?!\d)", seen):
            raise ServerFailed(
                f"{self._count} clicks were reported, but the page counted otherwise: {seen[:200]}"
            )


class _Fills:
    """Fills the page's field with a different text each time."""

    def __init__(self, server: RunningServer, url: str) -> None:
        self.server = server
        self._url = url
        self._ref = ""
        self._count = 0

    async def __call__(self) -> float:
        if not self._ref:
            await self.server.go(self._url)
            self._ref = await self.server.ref("textbox", FIELD)
        self._count += 1
        begin = perf_counter()
        await self.server.call(self.server.peer.fill, ref=self._ref, text=self._text)
        return perf_counter() - begin

    async def verify(self) -> None:
        script = "document.querySelector('#field').value"
        seen = await self.server.call(self.server.peer.evaluate, script=script)
        if self._text not in seen:
            raise ServerFailed(f"fill {self._count} left {seen[:200]}")

    @property
    def _text(self) -> str:
        return f"text number {self._count}."


class _Steps:
    """Adds items to the basket; a step counts only if its answers say how many there are."""

    def __init__(self, server: RunningServer, url: str) -> None:
        self._server = server
        self._url = url
        self._ref = ""
        self._count = 0
        self.calls = len(server.peer.step)
        self.tokens: list[float] = []

    async def __call__(self) -> float:
        if not self._ref:
            await self._server.go(self._url)
            self._ref = await self._server.ref("button", PUT)
        self._count += 1
        begin = perf_counter()
        text = "".join(
            [await self._server.call(tool_call, ref=self._ref) for tool_call in self._server.peer.step]
        )
        taken = perf_counter() - begin
        if f"Basket: {self._count} things" not in text:
            raise ServerFailed(f"a step did not report what changed: {text[:200]}")
        self.tokens.append(tokens(text))
        return taken
