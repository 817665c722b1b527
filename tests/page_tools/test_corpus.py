"""Every page of the corpus offers the tools that are expected of it, and each of them works.

They are run on every fourth page; with --whole-sweep on all.
"""

from pathlib import Path

import pytest

from tests.calls import Do
from tests.page_tools.corpus import NAMES, load, mount
from tests.page_tools.corpus_page import CorpusPage
from tests.page_tools.scoring import matches, score
from tests.web import Web

# The share of tools on pages without any difference; `make bench` prints precision and recall of all.
BAR = 0.95
RUN = frozenset(NAMES[::4])
# Pages with a known difference, and what it is.
OPEN: dict[str, str] = {}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.xfail(reason=OPEN[name])] if name in OPEN else [])
        for name in NAMES
    ],
)
async def test_page_offers_its_tools_and_they_work(
    name: str, do: Do, web: Web, home: Path, pytestconfig: pytest.Config
) -> None:
    page, runs = load(name), name in RUN or pytestconfig.getoption("--whole-sweep")
    for file in page.files:
        (home / file).write_bytes(b"x")
    corpus_page = CorpusPage(do, page, mount(web, name))
    faults: list[str] = []
    first: list[str] = []
    for state in page.states:
        await corpus_page.reach(state)
        offered = await corpus_page.list_tools()
        first = first or [tool.name for tool in offered]
        faults += score(state, offered).faults
        for match in matches(state, offered):
            for call in match.tool.calls if runs else ():
                faults += await corpus_page.faults(state, match, call)
    await corpus_page.reach(page.states[0])
    again = await corpus_page.list_tools()
    assert (faults, [tool.name for tool in again]) == ([], first)


def test_pages_with_open_differences_have_few_of_all_tools() -> None:
    tools = {name: sum(len(state.tools) for state in load(name).states) for name in NAMES}
    assert 1 - sum(tools[name] for name in OPEN) / sum(tools.values()) >= BAR
