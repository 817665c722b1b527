"""Whatever a document-only extension sends, the hub lives, and calls end in a clear error or an answer."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabwright.errors import Internal, TabwrightError
from tests.extension.document_peer import OPEN_THREAD, SEARCH_INBOX, Peer, connect_peer
from tests.extension.linked import LinkedHub, run_hub

TAB = 5
KINDS = ("connected", "tabCreated", "tabUpdated", "tabClosed", "tabFocused", "toolsChanged", "toolResult")
OWN_KINDS = ("cdpEvent", "detached", "windowFocused", "hello", "", "connect", "receive")

numbers = st.integers() | st.floats() | st.sampled_from([TAB, float(TAB), -1, True, 2**70, 1e400])
texts = st.text(max_size=12) | st.sampled_from(["\ud800", "\u202eevil", "x" * 20_000, "https://a.example/"])
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
words = (
    "type",
    "properties",
    "required",
    "items",
    "enum",
    "anyOf",
    "$ref",
    "minimum",
    "maxLength",
    "pattern",
)
schemas = st.dictionaries(st.sampled_from(words), values, max_size=6) | values
tools = st.lists(
    st.fixed_dictionaries(
        {}, optional={"name": texts, "description": values, "inputSchema": schemas, "annotations": values}
    )
    | values,
    max_size=5,
)
tabs = st.fixed_dictionaries(
    {},
    optional={
        "id": numbers | values,
        "title": values,
        "url": values,
        "tools": tools | values,
        "opener": values,
        "holder": values,
        "windowId": values,
    },
)
messages = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS + OWN_KINDS) | values},
    optional={
        "browser": values,
        "tabs": st.lists(tabs, max_size=3) | values,
        "tab": tabs | values,
        "tabId": numbers | values,
        "tools": tools | values,
        "callId": values,
        "result": values,
        "error": values,
        "focusedAt": values,
        "reason": values,
    },
)
raw = messages.map(json.dumps) | values.map(json.dumps) | st.text(max_size=30) | st.binary(max_size=30)
raw |= st.sampled_from(["[" * 5_000 + "]" * 5_000, "{", '{"type": "tabCreated"', "null"])


@pytest.fixture(scope="module")
async def hub(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LinkedHub]:
    folder: Path = tmp_path_factory.mktemp("malformed")
    async with run_hub(folder, reconnect_time=0.0) as hub:
        yield hub


@pytest.fixture(scope="module")
async def peer(hub: LinkedHub) -> AsyncIterator[Peer]:
    async with connect_peer(hub, (TAB, "Inbox", "https://mail.example/", SEARCH_INBOX, OPEN_THREAD)) as peer:
        yield peer


async def restore(hub: LinkedHub, peer: Peer) -> None:
    """Report a valid browser with one focused tab."""
    peer.on.clear()
    peer.tabs.clear()
    peer.add_tab(TAB, "Inbox", "https://mail.example/", SEARCH_INBOX, OPEN_THREAD)
    await peer.report_all()
    await hub.do("connect_browser")


async def expect_no_internal(hub: LinkedHub, action: str, **arguments: Any) -> str:
    """Run an action; return its text, or the error's."""
    try:
        return (await hub.do(action, **arguments)).text
    except Internal as error:
        pytest.fail(f"{action}: {error}")
    except TabwrightError as error:
        return str(error)


@given(sent=st.lists(raw, min_size=1, max_size=4))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
async def test_invalid_messages_never_end_the_hub_or_give_internal_errors(
    hub: LinkedHub, peer: Peer, sent: list[str | bytes]
) -> None:
    await restore(hub, peer)
    for message in sent:
        await peer.send_raw(message)
    await peer.sync()
    for action, arguments in (
        ("connect_browser", {}),
        ("list_tabs", {"tools": True}),
        ("list_page_tools", {"more": True}),
        ("call_page_tool", {"name": "search_inbox", "arguments": {"query": "x"}}),
    ):
        await expect_no_internal(hub, action, **arguments)
    await restore(hub, peer)
    assert "search_inbox(query: string)" in (await hub.do("list_page_tools")).text


@given(answer=st.fixed_dictionaries({}, optional={"result": values, "error": values}))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
async def test_any_result_of_a_tool_is_an_answer_or_a_clear_error(
    hub: LinkedHub, peer: Peer, answer: dict[str, Any]
) -> None:
    await restore(hub, peer)
    peer.on["callTool"] = lambda call: [("toolResult", {"callId": call["callId"], **answer})]
    text = await expect_no_internal(hub, "call_page_tool", name="search_inbox", arguments={"query": "x"})
    assert text.startswith(("Ran search_inbox.", "search_inbox failed: "))
