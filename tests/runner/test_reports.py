"""What acts report stays small, whatever the page does."""

from pathlib import Path

import pytest

from tabwright.budget import tokens
from tabwright.doors.mcp.results import wrap_page_text
from tabwright.errors import Blocked, NotFound, PageFailed, Stale, TimedOut
from tabwright.results import PageText
from tests.calls import Do
from tests.web import Web

PAGES = {page.stem: page.read_text() for page in (Path(__file__).parents[1] / "pages").glob("*.html")}
MOST_TOKENS = 150
MARKS = 12
STORM = """<title>Storm</title><button onclick="
    for (let n = 0; n < 500; n++) document.body.append(Object.assign(
        document.createElement('button'), {textContent: 'Thing number ' + n + ' of a very long list of things'}));
    document.title = 'x'.repeat(5000); console.error('y'.repeat(5000)); history.pushState({}, '', '#' + 'z'.repeat(5000));
    ">Go</button>"""


async def report(do: Do, action: str, **args: str) -> int:
    """Act; return how many tokens the report of what changed costs; none when the act cannot be done."""
    try:
        answer = await do(action, timeout=1, **args)
    except (Blocked, NotFound, PageFailed, Stale, TimedOut):
        return 0
    page = answer.page or str(answer.effects)
    assert tokens(wrap_page_text(page)) - tokens(page) <= MARKS
    return tokens(str(answer.effects))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("page", sorted(PAGES))
async def test_no_control_of_a_page_reports_more_than_fits(do: Do, web: Web, page: str) -> None:
    await do("navigate", url=web.page(PAGES[page]))
    seen = (await do("snapshot", max_tokens=100_000)).result
    assert isinstance(seen, PageText)
    refs = [node.ref for node in seen.snapshot.walk() if node.role in ("button", "tab", "checkbox")]
    costs = {ref: await report(do, "click", target=ref) for ref in refs[:5]}
    assert {ref: cost for ref, cost in costs.items() if cost > MOST_TOKENS} == {}


async def test_a_page_that_changes_everything_at_once_reports_no_more(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(STORM))
    answer = await do("click", target="button")
    lines = str(answer.effects).splitlines()
    assert tokens(str(answer.effects)) <= MOST_TOKENS
    assert lines[0].startswith(f"The address is now {web.url}/")
    assert lines[-1].endswith("more changes")


async def test_many_new_tabs_report_no_more(do: Do, web: Web) -> None:
    script = "for (let n = 0; n < 20; n++) open('/tab' + n, '_blank')"
    await do("navigate", url=web.page(f'<button onclick="{script}">Go</button>'))
    assert await report(do, "click", target="button") <= MOST_TOKENS
