"""Every door gives the same results in the user's own Chrome; what is not possible there is refused.

In addition, tests/extension/same runs the tests of actions there unchanged.
"""

import ast
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tabwright.browser.call_permissions import ALL, granted
from tabwright.browser.user_chrome.limits import LIMITS, REFUSED
from tabwright.browser.user_chrome.relay import Relay
from tabwright.call import Call
from tabwright.dialects.plain import Plain
from tabwright.doors.mcp.door import McpDoor
from tabwright.errors import Denied
from tabwright.policy.callers.approvals import Approvals
from tabwright.policy.callers.principal import Principal
from tests.conformance.test_cdp_names import NAME, PROTOCOL, ROOT
from tests.doors.mcp.agents import connected_to
from tests.doors.test_scenarios import SCENARIOS, Scenario, by_agent
from tests.extension.linked import LinkedHub, run_linked_hub
from tests.extension.person import Person
from tests.extension.same.limited import LIMITED
from tests.policy.asking import PAGE, approve, script
from tests.web import Web


@pytest.fixture(scope="module")
async def hub(person: Person, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LinkedHub]:
    async with run_linked_hub(person, tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
async def test_every_door_gives_the_same_results_in_the_users_chrome(
    hub: LinkedHub, person: Person, web: Web, scenario: Scenario
) -> None:
    page, host = web.page(scenario.html), web.url.removeprefix("http://")
    async with connected_to(McpDoor(hub.runner, Plain(hub.runner.catalog))) as agent:
        act = by_agent(agent)
        kind, text = await act("connect_browser", {})
        assert (kind, text.startswith("The user's own Chromium ")) == ("ok", True)
        await act("new_tab", {})
        for action, args, (kind, text) in scenario.steps:
            actual = {name: page if value == "{page}" else value for name, value in args.items()}
            expected = (kind, text.replace("{page}", page).replace("{host}", host))
            assert await act(action, actual) == expected
    await person.reset()


# Actions that are refused there, each with arguments that are valid elsewhere.
REFUSALS: dict[str, dict[str, Any]] = {
    "get_cookies": {},
    "set_cookie": {"name": "a", "value": "1", "domain": "127.0.0.1"},
    "delete_cookies": {},
    "save_state": {},
    "load_state": {"path": "state.json"},
    "save_downloads": {"folder": "downloads"},
    "set_permission": {"names": ["geolocation"]},
    "start_trace": {},
}


async def test_limits_are_refused_with_a_message_and_the_session_continues(
    hub: LinkedHub, person: Person, web: Web, tmp_path: Path
) -> None:
    cookie = {"name": "a", "value": "1", "domain": "127.0.0.1", "path": "/"}
    (tmp_path / "state.json").write_text(json.dumps({"cookies": [cookie], "origins": []}))
    facts = {action: limit.fact for limit in LIMITS for action in limit.actions}
    assert facts.keys() == REFUSALS.keys()
    assert set(LIMITED.values()) <= {limit.fact for limit in LIMITS}
    await hub.do("connect_browser")
    await hub.do("navigate", url=web.page("<title>Still here</title>"))
    for action, args in REFUSALS.items():
        with pytest.raises(Denied) as refused:
            await hub.do(action, at=tmp_path, **args)
        assert refused.value.message == facts[action], action
    assert (await hub.do("evaluate", script="document.title")).text == "Still here"
    await hub.do("close_session", name="default")
    await person.reset()


async def test_an_approval_holds_in_the_users_chrome_and_for_one_call(
    hub: LinkedHub, person: Person, web: Web
) -> None:
    await hub.do("connect_browser")
    await hub.do("new_tab", url=web.page(PAGE))
    hub.runner.approvals = Approvals(["click"])
    click = Call("click", {"target": "css=#more"}, principal=Principal("local:test"))
    with granted(ALL):
        asked = await approve(hub.runner, click, script("more.textContent = 'Transfer 5000'"))
        assert "changed since approval" in str(asked.error)
        asked = await approve(hub.runner, click)
        assert asked.error is None
    hub.runner.approvals = Approvals()
    # The next page accepts input again.
    await hub.do("navigate", url=web.page(PAGE))
    await hub.do("click", target="css=#pay")
    met = json.loads((await hub.do("evaluate", script="JSON.stringify(met)")).text)
    assert [one.split()[0] for one in met] == ["pointerdown", "mousedown", "mouseup", "click"]
    await hub.do("close_session", name="default")
    await person.reset()


def test_every_engine_command_is_allowed_served_or_refused() -> None:
    table = (
        (ROOT / "src" / "tabwright" / "extension" / "worker" / "allowed_commands.js")
        .read_text()
        .partition("ALLOWED =")[0]
    )
    allowed = set(re.findall(r'"(\w+\.\w+)"', table))
    used = {
        command
        for folder in ("browser", "page_tools")
        for path in (ROOT / "src" / "tabwright" / folder).rglob("*.py")
        if not path.name.startswith("relay")
        for command in commands(path.read_text())
    }
    # Without the first, all processes count as busy; without the others, roles set by ElementInternals are not seen.
    without = {
        "SystemInfo.getProcessInfo",
        *(f"Accessibility.{command}" for command in ("enable", "disable", "getPartialAXTree")),
    }
    assert used - allowed - Relay.SERVED.keys() - REFUSED.keys() - without == set()
    assert allowed - used - {"Target.getTargetInfo"} == set()


def commands(source: str) -> set[str]:
    """Return the protocol commands in a source text."""
    constants = [str(node.value) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    names = [name for constant in constants if (name := NAME.fullmatch(constant))]
    return {name[0] for name in names if PROTOCOL.get(name[1], {}).get(name[2], "event") != "event"}
