"""A download belongs to the client: named in the answer, listed and read as a resource."""

import base64
from pathlib import Path

import anyio

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.dialects.plain import Plain
from tabwright.doors.mcp.door import McpDoor
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.doors.mcp.agents import connected_to
from tests.web import Response, Web


async def test_a_download_is_a_resource(supervisor: BrowserSupervisor, tmp_path: Path, web: Web) -> None:
    report = b"a;b\n1;2\n"
    headers = {"content-disposition": 'attachment; filename="r\u00e9port of May.csv"'}
    web.route("/report", lambda _: Response(report, headers=headers))
    url = web.page("<a href=/report>Get it</a>")
    async with Sessions.open(supervisor, downloads=tmp_path) as sessions:
        door = McpDoor(Runner(CATALOG, sessions, Artifacts()), Plain(CATALOG))
        async with connected_to(door) as agent:
            await agent.call("navigate", url=url)
            clicked = await agent.call("click", target="text=Get it")
            text = clicked["content"][0]["text"]
            if "tabwright://" not in text:  # it was not complete yet
                text = (await agent.call("wait_for_download", id="d1"))["content"][0]["text"]
            uri = "tabwright://artifacts/r_port_of_May-1.csv"
            assert f"[r_port_of_May-1.csv: {uri}]" in text
            listed = (await agent.request("resources/list"))["result"]["resources"]
            read = (await agent.request("resources/read", {"uri": uri}))["result"]["contents"]
    assert [(one["uri"], one["mimeType"], one["size"]) for one in listed] == [(uri, "text/csv", len(report))]
    assert [base64.b64decode(one["blob"]) for one in read] == [report]
    assert [await path.read_bytes() async for path in anyio.Path(tmp_path).rglob("*.csv")] == [report]
