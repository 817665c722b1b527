"""An agent types a secret over MCP that it never sees."""

from pathlib import Path

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.dialects.plain import Plain
from tabwright.doors.mcp.door import McpDoor
from tabwright.policy.data.secret_store import Secrets
from tabwright.policy.data.secret_typing import SecretTyping
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.doors.mcp.agents import connected_to
from tests.web import Web, serve_web

VALUE = "open sesame 42"


async def test_an_agent_types_a_secret_that_it_never_sees(
    supervisor: BrowserSupervisor, tmp_path: Path, web: Web
) -> None:
    secrets = Secrets(tmp_path / "secrets.toml")
    secrets.put("door", web.url, VALUE)
    async with Sessions.open(supervisor) as sessions, serve_web() as other:
        runner = Runner(CATALOG, sessions, Artifacts(), secrets=SecretTyping(secrets))
        async with connected_to(McpDoor(runner, Plain(CATALOG))) as agent:
            filling = {"target": "input", "value": "{{secret:door}}"}
            await agent.call("navigate", url=other.page("<input>"))
            refused = await agent.call("fill", **filling)
            assert refused["isError"]
            assert refused["content"][0]["text"].startswith(
                f"AuthorizationError (-32002): The secret is for {web.url}, and this is {other.url}."
            )
            await agent.call("navigate", url=web.page("<input>"))
            answers = [await agent.call("fill", **filling), await agent.call("snapshot")]
            size = await agent.call("evaluate", script="document.querySelector('input').value.length")
            assert str(len(VALUE)) in size["content"][-1]["text"]
            assert VALUE not in f"{answers} {agent.notices}"
            assert "[secret door]" in str(answers)
