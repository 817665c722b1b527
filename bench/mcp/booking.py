"""A whole task on a page that the agent has never seen: search for flights, and choose the second.

Each server is used as its own descriptions advise, in as few calls as they allow, by what it said before.
Tokens are those of arguments and answers, without the list of tools.
"""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from time import perf_counter
from typing import Any

from bench.mcp.client import ServerFailed, use
from bench.mcp.peers import AGENT_BROWSER, DEVTOOLS, OURS, PLAYWRIGHT
from bench.mcp.rows import Row, aim
from bench.mcp.running import Running, tokens
from bench.mcp.turns import Turns

_DAY = "2027-03-14"
_TRIP = {
    "trip": "One way",
    "from": "Berlin",
    "to": "Lisbon",
    "departure_date": _DAY,
    "passengers": 2,
    "cabin": "Business",
    "direct_flights_only": True,
}
# The same for those who fill in fields: role, name and value of each.
_FIELDS = (
    ("radio", "One way", "true"),
    ("textbox", "From", "Berlin"),
    ("textbox", "To", "Lisbon"),
    ("textbox", "Departure date", _DAY),
    ("spinbutton", "Passengers", "2"),
    ("combobox", "Cabin", "Business"),
    ("checkbox", "Direct flights only", "true"),
)
_SEARCH, _CHOOSE = ("button", "Search flights"), ("button", "Choose flight")
_FOUND = f"Lisbon, {_DAY} 11:15, direct, Business, 2 pax, OW"
_CHOSEN = "Flight number 2 chosen"


async def booking_rows(servers: Sequence[Running], url: str, turns: Turns) -> AsyncIterator[Row]:
    """Measure the task, its calls and its tokens."""
    bookings = {server.peer.name: _Booking(server, url) for server in servers}
    samples = await turns.take("book a flight", bookings, seconds=20, times=2)
    yield Row("book a flight", "ms", samples)
    yield Row("book a flight", "calls", {peer: bookings[peer].calls for peer in samples})
    yield Row("book a flight", "tokens", {peer: bookings[peer].tokens for peer in samples}, aim(each=0.1))


class _Booking:
    """Books, each time on the page anew, and counts."""

    def __init__(self, server: Running, url: str) -> None:
        self._server = server
        self._url = url
        self.calls: list[float] = []
        self.tokens: list[float] = []

    async def __call__(self) -> float:
        agent = Agent(self._server)
        begin = perf_counter()
        await _WAYS[self._server.peer.name](agent, self._url)
        taken = perf_counter() - begin
        for words in (_FOUND, _CHOSEN):
            if words not in "".join(agent.read):
                raise ServerFailed(f"booking did not end with {words!r}, but with {agent.read[-1][:200]}")
        self.calls.append(len(agent.read))
        self.tokens.append(tokens("".join(agent.read)) + tokens("".join(agent.written)))
        return taken


class Agent:
    """Calls tools, and keeps what it wrote and read."""

    def __init__(self, server: Running) -> None:
        self._server = server
        self.written: list[str] = []
        self.read: list[str] = []

    async def do(self, tool: str, **arguments: Any) -> str:
        """Call a tool; return what it says."""
        self.written.append(json.dumps(arguments, ensure_ascii=False))
        self.read.append(await self._server.client.call(use(tool, **arguments)))
        return self.read[-1]

    def ref(self, role: str, name: str, place: int = 0) -> str:
        """Return the ref of an element in what was read last, the first or a later one of its name."""
        pattern = self._server.peer.refs.format(role=role, name=re.escape(name))
        found = re.findall(pattern, self.read[-1])
        if len(found) <= place:
            raise ServerFailed(f'{role} "{name}" is not in the snapshot')
        return str(found[place])


async def _tabwright(agent: Agent, url: str) -> None:
    await agent.do("browser_navigate", url=url)
    await agent.do("list_page_tools")
    await agent.do("call_page_tool", name="search_flights", arguments=_TRIP)
    await agent.do("call_page_tool", name="choose_flight", arguments={"index": 2})


async def _playwright(agent: Agent, url: str) -> None:
    kinds = {"spinbutton": "textbox"}
    await agent.do("browser_navigate", url=url)
    await agent.do("browser_snapshot")
    search = agent.ref(*_SEARCH)
    fields = [
        {"target": agent.ref(role, name), "name": name, "type": kinds.get(role, role), "value": value}
        for role, name, value in _FIELDS
    ]
    await agent.do("browser_fill_form", fields=fields)
    await agent.do("browser_click", target=search)
    await agent.do("browser_snapshot")
    await agent.do("browser_click", target=agent.ref(*_CHOOSE, 1))
    await agent.do("browser_snapshot")


async def _devtools(agent: Agent, url: str) -> None:
    roles = {"Departure date": "Date"}
    await agent.do("navigate_page", pageId=1, type="url", url=url)
    await agent.do("take_snapshot", pageId=1)
    search = agent.ref(*_SEARCH)
    elements = [
        {"uid": agent.ref(roles.get(name, role), name), "value": value} for role, name, value in _FIELDS
    ]
    await agent.do("fill_form", pageId=1, elements=elements)
    await agent.do("click", pageId=1, uid=search, includeSnapshot=True)
    await agent.do("click", pageId=1, uid=agent.ref(*_CHOOSE, 1), includeSnapshot=True)


async def _agent_browser(agent: Agent, url: str) -> None:
    await agent.do("agent_browser_open", url=url)
    await agent.do("agent_browser_snapshot")
    search = f"@{agent.ref(*_SEARCH)}"
    refs = {name: f"@{agent.ref(role, name)}" for role, name, value in _FIELDS if value != _DAY}
    for role, name, value in _FIELDS:
        if role in ("radio", "checkbox"):
            await agent.do("agent_browser_check", selector=refs[name])
        elif role == "combobox":
            await agent.do("agent_browser_select", selector=refs[name], values=[value])
        elif value == _DAY:
            # It fills in no dates, nor does its snapshot name them: a script does, once the page was read.
            await agent.do(
                "agent_browser_eval", script=f"document.querySelector('[name=dep]').value = '{value}'"
            )
        else:
            await agent.do("agent_browser_fill", selector=refs[name], text=value)
    await agent.do("agent_browser_click", selector=search)
    await agent.do(
        "agent_browser_wait_for_text", text="flights found"
    )  # it does not wait for what a click begins
    await agent.do("agent_browser_snapshot", interactive=False)
    await agent.do("agent_browser_click", selector=f"@{agent.ref(*_CHOOSE, 1)}")
    await agent.do("agent_browser_snapshot", interactive=False, delta=True)


_WAYS: dict[str, Callable[[Agent, str], Awaitable[None]]] = {
    OURS: _tabwright,
    PLAYWRIGHT: _playwright,
    DEVTOOLS: _devtools,
    AGENT_BROWSER: _agent_browser,
}
