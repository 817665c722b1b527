"""A document-only extension gets no secrets, cannot imitate our tools, and its tools wait for approval too."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.call import Answer, Call
from tabwright.errors import Denied, Stale
from tabwright.policy.callers.approvals import Approvals
from tabwright.policy.callers.principal import Principal
from tabwright.policy.data.secret_store import Secrets
from tabwright.policy.data.secret_typing import SecretTyping
from tabwright.runner import Runner
from tests.extension.document_peer import SEARCH_INBOX, STAR_REPO, Json, Peer, connect_peer
from tests.extension.linked import LinkedHub, run_hub

TAB = 5
MAIL = (TAB, "Inbox", "https://mail.example/", SEARCH_INBOX)


@pytest.fixture
async def hub(tmp_path: Path) -> AsyncIterator[LinkedHub]:
    async with run_hub(tmp_path, reconnect_time=0.0) as hub:
        yield hub


def calls(peer: Peer) -> list[Json]:
    return [message["args"] for message in peer.received if message["type"] == "callTool"]


async def run(runner: Runner, action: str, **args: Any) -> Answer:
    return await runner.run(Call(action=action, args=args, principal=Principal("local:test")))


async def test_secrets_are_never_passed_to_it(hub: LinkedHub, tmp_path: Path) -> None:
    secrets = Secrets(tmp_path / "secrets.toml")
    secrets.put("mail", "https://mail.example", "hunter2-hunter2")
    runner = Runner(CATALOG, hub.runner.sessions, Artifacts(), secrets=SecretTyping(secrets))
    async with connect_peer(hub, MAIL) as peer:
        await run(runner, "connect_browser")
        await run(runner, "switch_tab", id="t1")
        with pytest.raises(Denied, match="Secrets are not passed to an extension"):
            await run(runner, "call_page_tool", name="search_inbox", arguments={"query": "{{secret:mail}}"})
        assert calls(peer) == []


async def test_its_tools_get_safe_names_and_its_texts_are_cleaned(hub: LinkedHub) -> None:
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    declared = [
        {**STAR_REPO, "name": "close_tab"},
        {**STAR_REPO, "name": "starRepo!"},
        {**STAR_REPO, "name": "x", "description": f"Star{hidden} it\u202e"},
        {**STAR_REPO, "name": "y" * 200},
        {"description": "no name"},
    ]
    async with connect_peer(hub, (TAB, "Code", "https://code.example/", *declared)) as peer:
        await hub.do("connect_browser")
        await hub.do("switch_tab", id="t1")
        tools = (await hub.do("list_page_tools")).result.model_dump()["tools"]
        assert [tool["name"] for tool in tools] == ["close_tab_on_page", "star_repo", "x"]
        assert tools[2]["description"] == "A tool of the user's extension. From the page: “Star it”"
        assert [tool["read_only"] for tool in tools] == [False] * 3
        await hub.do("call_page_tool", name="star_repo")
        assert (await peer.wait_for("callTool"))["toolName"] == "starRepo!"


@pytest.mark.parametrize("navigates", [False, True])
async def test_a_tool_waits_for_approval_which_holds_for_that_page(hub: LinkedHub, navigates: bool) -> None:
    approvals = Approvals(["press"])
    runner = Runner(CATALOG, hub.runner.sessions, Artifacts(), approvals=approvals)
    outcome: list[str] = []

    async def call() -> None:
        try:
            answer = await run(runner, "call_page_tool", name="search_inbox", arguments={"query": "x"})
            outcome.append(answer.text)
        except Stale as error:
            outcome.append(error.message)

    async with connect_peer(hub, MAIL) as peer:
        await run(runner, "connect_browser")
        await run(runner, "switch_tab", id="t1")
        async with anyio.create_task_group() as group:
            group.start_soon(call)
            with anyio.fail_after(60):
                await approvals.changed.until(lambda: bool(approvals.waiting))
            [question] = approvals.waiting
            assert question.about.target == "page tool search_inbox"
            assert calls(peer) == []
            if navigates:
                await peer.send("tabUpdated", tab=peer.add_tab(TAB, "Bank", "https://bank.example/"))
                await peer.sync()
            approvals.decide(question.number, allow=True)
        if navigates:
            assert "changed since approval" in outcome[0]
            assert calls(peer) == []
        else:
            assert outcome[0].startswith("Ran search_inbox.")
            assert calls(peer) == [{"query": "x"}]
