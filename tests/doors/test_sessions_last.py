"""Named sessions survive the exit of agents, hubs and browsers, and agents can share one."""

import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from tabwright import __version__
from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.dialects.plain import Plain
from tabwright.doors.mcp.door import McpDoor
from tabwright.doors.wire.handshake import Hello
from tabwright.runner import Runner
from tabwright.sessions.limits import Limits
from tabwright.sessions.registry import Sessions
from tests.doors.mcp.agents import Agent, HubHome, connected_to, hub_of
from tests.processes import children, kill_and_wait
from tests.web import Web


class Client:
    """One client of a hub that calls actions by their own names."""

    def __init__(self, agent: Agent, home: HubHome) -> None:
        self._agent = agent
        self._home = home

    async def do(self, action: str, session: str = "shop", **args: object) -> str:
        """Run an action; return its text, or the class of its failure."""
        await self.ask(action, session, **args)
        while "progress" in (answer := await self._agent.hear()):
            continue
        return str(answer["text"] if answer["ok"] else answer["error"]["class"])

    async def ask(self, action: str, session: str = "shop", **args: object) -> None:
        """Request an action without waiting for its answer."""
        await self._agent.say({"action": action, "args": args, "session": session})

    async def until_stored(self, text: str) -> None:
        """Wait until the saved state contains a text."""
        with anyio.fail_after(60):
            while not self._home.has_stored(text):
                await self.do("list_sessions", "none")


@asynccontextmanager
async def client_of(hub: HubHome) -> AsyncIterator[Client]:
    """Connect a client to the hub, which is started if necessary."""
    async with hub.start_proxy() as proxy:
        await proxy.agent.initialize()
        async with hub.connected(Hello("call", __version__, client="ann")) as agent:
            yield Client(agent, hub)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
async def test_a_named_session_is_restored_after_its_hub_exited(
    tmp_path: Path, web: Web, end: signal.Signals
) -> None:
    page = web.page("<title>Basket</title><script>localStorage.basket ??= 'full'</script>", "/basket")
    async with hub_of(tmp_path, calls_per_second="10000") as hub:
        async with client_of(hub) as client:
            await client.do("navigate", url=page)
            await client.do("set_cookie", name="who", value="ann", domain="127.0.0.1")
            if end == signal.SIGKILL:  # the hub cannot save anything once it is killed
                await client.until_stored("/basket")
                await client.until_stored('"who"')
            await kill_and_wait(hub.pid, end)
        async with client_of(hub) as client:
            note, _, tabs = (await client.do("list_tabs")).partition("\n")
            assert re.fullmatch(r"Session shop is back: 1 tab, from \d+ s ago\.", note)
            assert tabs == f"t1 (current): {page}"
            assert "who=ann" in await client.do("get_cookies")
            assert "full" in await client.do("get_storage")
            assert await client.do("click", target="@e1") == "Stale"


async def test_a_session_survives_its_agent_and_its_browser(tmp_path: Path, web: Web) -> None:
    page = web.page("<title>Basket</title>", "/basket")
    async with hub_of(tmp_path, calls_per_second="10000") as hub:
        async with client_of(hub) as client:
            await client.do("navigate", url=page)
            await client.until_stored("/basket")
        async with client_of(hub) as client:
            assert await client.do("list_tabs") == f"t1 (current): {page}"
            [browser] = children(hub.pid)
            await kill_and_wait(browser, signal.SIGKILL)
            answer = await client.do("snapshot")
            if answer == "BrowserGone":  # the call came before the hub noticed the exit
                answer = await client.do("snapshot")
            assert answer.startswith("Session shop is back: 1 tab, from ")
            assert await client.do("close_session", name="shop") == "Closed session: shop"
            assert await client.do("list_sessions") == "No session is open."


async def test_a_hub_enforces_the_limits_of_its_settings(tmp_path: Path, web: Web) -> None:
    limits = {
        "sessions__max_concurrent": "2",
        "sessions__timeout_minutes": "0.05",
        "calls_per_second": "10000",
    }
    async with hub_of(tmp_path, **limits) as hub, client_of(hub) as client:
        await client.do("navigate", url=web.page("<p>page"))
        assert await client.do("list_tabs", "second") == "No tab is open."
        assert await client.do("list_tabs", "third") == "Denied"
        with anyio.fail_after(60):
            while "saved" not in (await client.do("list_sessions")).splitlines()[0]:
                continue
        assert await client.do("list_tabs", "third") == "No tab is open."


@pytest.fixture
async def sessions(supervisor: BrowserSupervisor) -> AsyncIterator[Sessions]:
    async with Sessions.open(supervisor, Limits(shared=("team",))) as sessions:
        yield sessions


async def test_agents_share_only_shared_sessions_and_never_within_an_action(
    sessions: Sessions, web: Web
) -> None:
    page = web.page("<label>Log <textarea></textarea></label>")
    door = McpDoor(Runner(CATALOG, sessions, Artifacts()), Plain(CATALOG))

    async def write(agent: Agent, letter: str) -> None:
        for _ in range(6):
            await agent.text("type_text", target="label=Log", text=letter * 30, session="team")

    async with connected_to(door, "ann") as ann, connected_to(door, "bob") as bob:
        await ann.text("navigate", url=page, session="team")
        async with anyio.create_task_group() as group:
            group.start_soon(write, ann, "a")
            group.start_soon(write, bob, "b")
        written = await bob.text("get_value", target="label=Log", session="team")
        runs = re.findall("a{30}|b{30}", written)
        assert "".join(runs) in written
        assert sorted(runs) == ["a" * 30] * 6 + ["b" * 30] * 6
        await ann.text("navigate", url=page)
        [private] = [session.name for session in sessions if session.name != "team"]
        refusal = await bob.call("list_tabs", session=private)
        assert refusal["isError"]
        assert refusal["content"][0]["text"] == (
            f"AuthorizationError (-32002): Access denied: session {private} is another client's.\n"
            "Use a session of your own."
        )
