"""Roles and names agree with Chrome's own accessibility tree, page by page."""

from pathlib import Path

import pytest

from tabwright.browser.tab import Tab
from tests.fidelity import Thing, compare
from tests.web import Response, Web

PAGES = sorted((Path(__file__).parents[2] / "pages").glob("*.html"))

# A canvas without fallback content is not in Chrome's tree; on the page it is visible and can be clicked.
KNOWN_EXTRA = {"icons": [Thing("canvas", "")]}


@pytest.mark.same_tab
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
async def test_roles_and_names_match_chromes_accessibility_tree(tab: Tab, web: Web, page: Path) -> None:
    await tab.goto(web.route(f"/{page.name}", lambda _: Response(page.read_bytes())))
    agreement = await compare(tab)
    assert agreement.missing == []
    assert agreement.extra == KNOWN_EXTRA.get(page.stem, [])


async def test_a_difference_lowers_precision_and_recall(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button aria-label='Wire the money'>Cancel</button><button>OK</button>"))
    agreement = await compare(tab)
    assert (agreement.precision, agreement.recall) == (0.5, 0.5)
    assert agreement.extra == [Thing("button", "Cancel")]
    assert agreement.missing == [Thing("button", "Wire the money")]
