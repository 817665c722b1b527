"""No answer has invisible characters: they are removed from text, and shown as escapes in exact values."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.dialects.plain import Plain
from tabwright.doors.mcp.door import McpDoor
from tabwright.hygiene import escape_invisible, strip_invisible
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.doors.mcp.agents import Agent, connected_to
from tests.web import Response, Web

# "AB" in tag characters, a zero-width space, an override of the direction: nobody sees them.
HIDDEN = "\U000e0041\U000e0042\u200b\u202e"
ESCAPED = "\\udb40\\udc41\\udb40\\udc42\\u200b\\u202e"
DIRTY = f"pay{HIDDEN}load"
PAGE = f"""<title>{DIRTY}</title><p id=p title="{DIRTY}">{DIRTY}</p><input id=i value="{DIRTY}">
<button id=ask onclick="alert('{DIRTY}')">Ask</button><button id=off disabled>{DIRTY}</button>
<iframe name="{DIRTY}" srcdoc="x"></iframe><select id=s><option>{DIRTY}</select><a id=get href=/get>Get</a>
<table id=t><tr><th>{DIRTY}<th>b<tr><td>1<td>{DIRTY}</table>
<script>
localStorage["{DIRTY}"] = "{DIRTY}"; document.cookie = "name={DIRTY}";
indexedDB.open("{DIRTY}").onupgradeneeded = event => event.target.result.createObjectStore("{DIRTY}").put("{DIRTY}", 1);
console.log("{DIRTY}"); console.error("{DIRTY}");
document.modelContext?.registerTool({{ name: "speak", description: "{DIRTY}", execute() {{ return "{DIRTY}"; }} }});
</script>"""

# What is exact, and what is text.
EXACT: list[tuple[str, dict[str, Any]]] = [
    ("get_value", {"target": "#i"}),
    ("get_html", {"target": "#p"}),
    ("get_attribute", {"target": "#p", "name": "title"}),
    ("get_storage", {}),
    ("get_cookies", {}),
    ("evaluate", {"script": "document.querySelector('#p').textContent"}),
    ("evaluate", {"script": "[document.querySelector('#p').textContent]"}),
    ("list_databases", {}),
    ("read_database", {"database": DIRTY, "store": DIRTY}),
    ("get_request", {"id": "r1"}),
]
TEXT: list[tuple[str, dict[str, Any]]] = [
    ("get_text", {"target": "#p"}),
    ("snapshot", {}),
    ("get_page_state", {}),
    ("get_page", {}),
    ("find", {"text": "payload"}),
    ("read", {}),
    ("extract", {}),
    ("extract_fields", {"fields": {"x": "#p"}}),
    ("get_dom_context", {}),
    ("console_messages", {}),
    ("list_page_tools", {}),
    ("call_page_tool", {"name": "speak"}),
    ("list_frames", {}),
    ("list_requests", {}),
    ("list_tabs", {"tools": True}),
    ("click", {"target": "#off", "timeout": 0.2}),
    ("select_option", {"target": "#s", "options": ["absent"], "timeout": 0.2}),
    ("switch_frame", {"frame": "absent"}),
    ("read_database", {"database": "absent", "store": "absent"}),
    ("evaluate", {"script": "throw new Error(document.querySelector('#p').textContent)"}),
    ("batch", {"steps": [{"action": "get_text", "args": {"target": "#p"}}]}),
    ("download", {"target": "#get"}),
    ("list_downloads", {}),
    ("click", {"target": "#ask"}),
    ("get_page", {}),
    ("answer_dialog", {}),
]


@pytest.fixture
async def agent(supervisor: BrowserSupervisor, tmp_path: Path, web: Web) -> AsyncIterator[Agent]:
    named = {"content-disposition": "attachment; filename*=UTF-8''pay%F3%A0%81%81%E2%80%8Bload.csv"}
    web.route("/get", lambda _: Response("a;b", headers=named))
    async with Sessions.open(supervisor, downloads=tmp_path) as sessions:
        door = McpDoor(Runner(CATALOG, sessions, Artifacts()), Plain(CATALOG))
        async with connected_to(door) as agent:
            await agent.call("navigate", url=web.page(PAGE))
            yield agent
        for session in sessions:
            await session.close()


async def answer(agent: Agent, tool: str, arguments: dict[str, Any]) -> str:
    """Return the whole answer of a tool, as the client parses it."""
    found = await agent.request("tools/call", {"name": tool, "arguments": arguments})
    return json.dumps(found.get("result", found), ensure_ascii=False)


async def test_no_answer_has_invisible_characters(agent: Agent) -> None:
    for tool, arguments in [*EXACT, *TEXT]:
        text = await answer(agent, tool, arguments)
        assert (tool, strip_invisible(text)) == (tool, text)
    listed = json.dumps(await agent.request("resources/list"), ensure_ascii=False)
    assert strip_invisible(listed) == listed


async def test_exact_values_show_them_as_escapes(agent: Agent) -> None:
    for tool, arguments in EXACT:
        result = await agent.call(tool, **arguments)
        assert (tool, ESCAPED in result["content"][0]["text"]) == (tool, True)


async def test_an_exact_value_can_be_sent_back(agent: Agent) -> None:
    shown = (await agent.text("get_value", target="#i")).strip()
    assert shown == f"pay{ESCAPED}load"
    await agent.text("fill", target="#i", value="")
    await agent.text("fill", target="#i", value=json.loads(f'"{shown}"'))
    assert (await agent.text("get_value", target="#i")).strip() == shown


async def test_removed_characters_are_counted(agent: Agent) -> None:
    assert await agent.text("get_text", target="#p") == "payload\n[4 invisible characters removed]"


WRITTEN_BY_PEOPLE = [
    "می\u200cخواهم",  # noqa: RUF001 - that is how Persian is written
    "هـ \u0647\u200d",
    "न्\u200dयाय",
    "ක්\u200dරීඩා",
    "👩\u200d👩\u200d👧",
    "👩🏽\u200d🚀",
    "❤\ufe0f\u200d🔥",
    "🏳\ufe0f\u200d🌈",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "1\ufe0f\u20e3 🇩🇪",
    "שלום עולם",
    "مرحبا بالعالم",
    "葛城市、東京",
    "tab\tand\nnew line",
]


@pytest.mark.parametrize("text", WRITTEN_BY_PEOPLE)
def test_what_people_write_stays(text: str) -> None:
    assert strip_invisible(text) == escape_invisible(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("🏴\U000e0067\U000e0062\U000e007f", "🏴"),
        ("🏴\U000e0069\U000e0067\U000e006e\U000e006f\U000e0072\U000e007f", "🏴"),
        ("a\u200d\u200cb", "ab"),
        ("م\u200c\u200c\u200cم", "مم"),
        ("❤\ufe0f\ufe0f\ufe0e", "❤\ufe0f"),
        ("x" + "".join(map(chr, range(0xE0100, 0xE01F0))), "x"),
        ("x" + "".join(map(chr, range(0xFE00, 0xFE10))), "x"),
        ("\u2066a\u2069\u202ab\u202c\u061c\u200f", "ab"),
        ("\x1b[31mred\x07\x00", "[31mred"),
        ("\ufeff\u2060\u180e\u00ad\u3164\uffa0\u115f", ""),
        ("\ufdd0\ufffe\U0001ffff", ""),
    ],
)
def test_what_nobody_sees_goes(text: str, left: str) -> None:
    assert strip_invisible(text) == left
