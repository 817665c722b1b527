"""The official Python client completes a task on a real page over stdio, in both protocol eras."""

import os
import re

import pytest
from mcp import Client, StdioServerParameters

from tests.doors.mcp.agents import HubHome
from tests.web import Web

FORM = """<label>Name <input id=name></label>
<button onclick="out.textContent = `Hello, ${document.getElementById('name').value}!`">Greet</button>
<output id=out></output>"""


@pytest.mark.parametrize(("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
async def test_the_python_client_fills_a_form_and_reads_the_result(
    shared_hub: HubHome, web: Web, mode: str, version: str
) -> None:
    command, *args = shared_hub.command
    environment = {**os.environ, **shared_hub.environment}  # noqa: TID251 - the server inherits the tests' own
    server = StdioServerParameters(command=command, args=args, env=environment)
    async with Client(server, mode=mode) as client:
        assert client.session.protocol_version == version

        async def call(tool: str, **arguments: str) -> str:
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result
            text: str = result.content[0].text  # type: ignore[union-attr]  # our tools answer text first
            return text

        def ref(what: str) -> str:
            found = re.search(rf"(@e\d+): {re.escape(what)}", page)
            assert found, page
            return found[1]

        await call("navigate", url=web.page(FORM))
        page = await call("snapshot")
        filled = await call("fill", target=ref('textbox "Name"'), value="Ada")
        assert filled.startswith('textbox "Name" is now "Ada".')
        assert "Hello, Ada!" in await call("click", target=ref('button "Greet"'))
        assert "Hello, Ada!" in await call("snapshot")
