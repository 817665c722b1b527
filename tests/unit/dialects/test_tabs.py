"""The tabs dialect as a function of the client's view, without a browser."""

from typing import Any

import pytest

from tabwright.actions import CATALOG
from tabwright.actions.tabs import TabLine, TabList
from tabwright.budget import DEFAULT_TOKENS, tokens
from tabwright.dialects.dialect import LiveDialect
from tabwright.dialects.registry import Dialects
from tabwright.dialects.tabs.client_view import ClientView
from tabwright.dialects.tabs.dialect import Tabs
from tabwright.dialects.tabs.tools import STATIC
from tabwright.errors import Blocked, InvalidArgs, NotFound


def names(desk: ClientView) -> list[str]:
    return [tool.name for tool in Tabs(CATALOG, desk).tools()]


def test_very_many_tabs_are_cut_to_the_limit_of_an_answer() -> None:
    lines = [
        TabLine(id=f"t{number}", url="https://example.com/" * 50, current=False, title="Page", tools=[])
        for number in range(1, 101)
    ]
    request = Tabs(CATALOG, ClientView(connected=True)).request("list_tabs", {})
    assert request is not None
    assert request.render is not None
    answer = request.render(TabList(tabs=lines, chosen="t1"))
    assert tokens(str(answer)) <= DEFAULT_TOKENS
    assert (answer["focusedTabId"], len(answer["tabs"]) + answer["moreTabs"]) == (1, 100)


def test_a_fixed_list_is_always_the_same() -> None:
    assert (
        names(ClientView(fixed=True))
        == names(ClientView(connected=True, fixed=True))
        == [alias.name for alias in STATIC]
    )


@pytest.mark.parametrize("tool", ["list_tabs", "open_tab", "focus_tab", "close_tab"])
def test_without_a_browser_core_tools_report_what_is_missing(tool: str) -> None:
    arguments: dict[str, dict[str, Any]] = {
        "open_tab": {"url": "https://example.com/"},
        "focus_tab": {"tabId": 1},
    }
    with pytest.raises(Blocked, match="No browser is connected"):
        Tabs(CATALOG).request(tool, arguments.get(tool, {}))


def test_tabs_are_identified_by_numbers() -> None:
    with pytest.raises(NotFound, match="There is no tab 7; open tabs: none"):
        Tabs(CATALOG, ClientView(connected=True)).request("focus_tab", {"tabId": 7})
    for wrong in ("seven", None, float("nan"), float("inf"), [7]):
        with pytest.raises(InvalidArgs):
            Tabs(CATALOG, ClientView(connected=True)).request("focus_tab", {"tabId": wrong})
    assert Tabs(CATALOG, ClientView(connected=True)).request("no_such_tool", {}) is None


def test_only_dialects_with_tabs_are_live() -> None:
    dialects = Dialects(CATALOG)
    live = {
        name: isinstance(dialects.choose({"dialect": name}), LiveDialect)
        for name in ("browser", "plain", "browsion", "tabs", "browser,tabs", "browser,plain")
    }
    assert live == {
        "browser": False,
        "plain": False,
        "browsion": False,
        "tabs": True,
        "browser,tabs": True,
        "browser,plain": False,
    }
