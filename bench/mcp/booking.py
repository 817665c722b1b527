"""A whole task on a page that the agent has never seen: search for flights, and choose the second one.

Each server is used as its own descriptions advise, in as few calls as possible, based on its earlier answers.
Tokens are those of arguments and answers, without the list of tools.
"""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from time import perf_counter
from typing import Any

from bench.mcp.client import ServerFailed, tool_call
from bench.mcp.peers import AGENT_BROWSER, DEVTOOLS, OURS, PLAYWRIGHT
from bench.mcp.rows import Row, aim
from bench.mcp.running_server import RunningServer, tokens
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
# The same for servers that fill single fields: role, name and value of each.
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


async def booking_rows(servers: Sequence[RunningServer], url: str, turns: Turns) -> AsyncIterator[Row]:
    """Measure the task, its calls and its tokens."""
    bookings = {server.peer.name: _Booking(server, url) for server in servers}
    samples = await turns.take("book a flight", bookings, seconds=20, times=2)
    yield Row("book a flight", "ms", samples)
    yield Row("book a flight", "calls", {peer: bookings[peer].calls for peer in samples})
    yield Row("book a flight", "tokens", {peer: bookings[peer].tokens for peer in samples}, aim(each=0.1))


class _Booking:
    """Books on a freshly loaded page each time, and counts calls and tokens."""

    def __init__(self, server: RunningServer, url: str) -> None:
        self._server = server
        self._url = url
        self.calls: list[float] = []
        self.tokens: list[float] = []

    async def __call__(self) -> float:
        agent = Agent(self._server)
        begin = perf_counter()
        await _BOOK[self._server.peer.name](agent, self._url)
        taken = perf_counter() - begin
        for text in (_FOUND, _CHOSEN):
            if text not in "".join(agent.read):
                raise ServerFailed(f"booking did not end with {text!r}, but with {agent.read[-1][:200]}")
        self.calls.append(len(agent.read))
        self.tokens.append(tokens("".join(agent.read)) + tokens("".join(agent.written)))
        return taken


class Agent:
    """Calls tools, and records their arguments and answers."""

    def __init__(self, server: RunningServer) -> None:
        self._server = server
        self.written: list[str] = []
        self.read: list[str] = []

    async def do(self, tool: str, **arguments: Any) -> str:
        """Call a tool; return its answer."""
        self.written.append(json.dumps(arguments, ensure_ascii=False))
        self.read.append(await self._server.client.call(tool_call(tool, **arguments)))
        return self.read[-1]

    def ref(self, role: str, name: str, index: int = 0) -> str:
        """Return the ref of an element in the last answer; `index` chooses among equal names."""
        pattern = self._server.peer.refs.format(role=role, name=re.escape(name))
        found = re.findall(pattern, self.read[-1])
        if len(found) <= index:
            raise ServerFailed(f'{role} "{name}" is not in the snapshot')
        return str(found[index])


async def _tabwright(agent: Agent, url: str) -> None:
    await agent.do("browser_navigate", url=url)
    await agent.do("list_page_tools")
    await agent.do("call_page_tool", name="search_flights", arguments=_TRIP)
    await agent.do("call_page_tool", name="choose_flight", arguments={"index": 1})


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
            # It cannot fill date fields, and its snapshot does not name them, so a script sets the date.
            await agent.do(
                "agent_browser_eval", script=f"document.querySelector('[name=dep]').value = '{value}'"
            )
        else:
            await agent.do("agent_browser_fill", selector=refs[name], text=value)
    await agent.do("agent_browser_click", selector=search)
    await agent.do(
        "agent_browser_wait_for_text", text="flights found"
    )  # it does not wait for the effect of a click
    await agent.do("agent_browser_snapshot", interactive=False)
    await agent.do("agent_browser_click", selector=f"@{agent.ref(*_CHOOSE, 1)}")
    await agent.do("agent_browser_snapshot", interactive=False, delta=True)


_BOOK: dict[str, Callable[[Agent, str], Awaitable[None]]] = {
    OURS: _tabwright,
    PLAYWRIGHT: _playwright,
    DEVTOOLS: _devtools,
    AGENT_BROWSER: _agent_browser,
}
