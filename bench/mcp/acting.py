"""What an agent does on a page: nothing much, click, fill, a whole step, a picture."""

import re
from collections.abc import AsyncIterator, Sequence
from time import perf_counter

from bench.mcp.client import ServerFailed, Use
from bench.mcp.rows import Aim, Row, aim
from bench.mcp.running import Running, tokens
from bench.mcp.turns import Turns
from bench.measure import Clock, calling
from bench.pages import BUTTON, FIELD, PUT

_CLICK = aim(playwright=0.25, devtools=0.5, agent_browser=0.5)
_FILL = aim(each=0.4)
_SCREENSHOT = aim(playwright=0.7)
_STEP_TOKENS = aim(150)


async def act_rows(servers: Sequence[Running], url: str, turns: Turns) -> AsyncIterator[Row]:
    """Measure single calls on one page; what clicks and fills did is checked afterwards."""
    idle = {server.peer.name: _using(server, server.peer.idle) for server in servers}
    yield Row("no-op call", "ms", await turns.take("no-op", idle, seconds=5, times=3))
    clicks = [_Clicks(server, url, BUTTON, "window.clicks") for server in servers]
    yield await _row("click by ref, nothing changes", clicks, turns, _CLICK)
    fills = [_Fills(server, url) for server in servers]
    yield await _row("fill by ref", fills, turns, _FILL)
    shots = {server.peer.name: _Shots(server) for server in servers}
    samples = await turns.take("screenshot", shots, seconds=8, times=2)
    yield Row("screenshot", "ms", samples, _SCREENSHOT)
    yield Row("screenshot", "kB", {peer: shots[peer].sizes for peer in samples if shots[peer].sizes})


async def step_rows(servers: Sequence[Running], url: str, turns: Turns) -> AsyncIterator[Row]:
    """Measure a click that changes the page, and knowing what changed, in as many calls as that takes."""
    clicks = [_Clicks(server, url, PUT, "window.things") for server in servers]
    yield await _row("click by ref, page changes", clicks, turns, _CLICK)
    steps = {server.peer.name: _Steps(server, url) for server in servers}
    samples = await turns.take("step", steps, seconds=15, times=2)
    yield Row("one step", "ms", samples)
    yield Row("one step", "tokens", {peer: steps[peer].tokens for peer in samples}, _STEP_TOKENS)
    yield Row("one step", "calls", {peer: [float(steps[peer].calls)] for peer in samples}, aim(1))


async def _row(name: str, acts: "Sequence[_Clicks | _Fills]", turns: Turns, goal: Aim) -> Row:
    samples = await turns.take(name, {act.server.peer.name: act for act in acts}, seconds=12, times=3)
    for act in acts:
        peer = act.server.peer.name
        try:
            await act.verify()
        except ServerFailed as failure:
            turns.failures[f"{peer}: {name}"] = str(failure)
            samples.pop(peer, None)
    return Row(name, "ms", samples, goal)


def _using(server: Running, use: Use) -> Clock:
    return calling(lambda: server.call(use))


class _Shots:
    """Takes pictures; `sizes` holds the bytes of those that come with the answer."""

    def __init__(self, server: Running) -> None:
        self._server = server
        self.sizes: list[float] = []

    async def __call__(self) -> float:
        begin = perf_counter()
        content = await self._server.client.content(self._server.peer.screenshot)
        taken = perf_counter() - begin
        self.sizes += [len(part["data"]) * 0.75 for part in content if part["type"] == "image"]
        return taken


class _Clicks:
    """Clicks a button of the page, which counts too."""

    def __init__(self, server: Running, url: str, button: str, counter: str) -> None:
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
            raise ServerFailed(f"{self._count} clicks were reported, the page saw others: {seen[:200]}")


class _Fills:
    """Fills the page's field, each time with other text."""

    def __init__(self, server: Running, url: str) -> None:
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
    """Puts things into the basket; a step counts when its answers say how many there are."""

    def __init__(self, server: Running, url: str) -> None:
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
        said = "".join([await self._server.call(use, ref=self._ref) for use in self._server.peer.step])
        taken = perf_counter() - begin
        if f"Basket: {self._count} things" not in said:
            raise ServerFailed(f"a step did not tell what changed: {said[:200]}")
        self.tokens.append(tokens(said))
        return taken
