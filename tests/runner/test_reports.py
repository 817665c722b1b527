"""The report of what an action changed stays small, whatever the page does."""

from pathlib import Path

import pytest

from tabwright.budget import tokens
from tabwright.doors.mcp.results import wrap_page_text
from tabwright.errors import Blocked, NotFound, PageFailed, Stale, TimedOut
from tabwright.results import PageText
from tests.calls import Do
from tests.web import Web

PAGES = {page.stem: page.read_text() for page in (Path(__file__).parents[1] / "pages").glob("*.html")}
MAX_TOKENS = 150
MARKER_TOKENS = 12
STORM = """<title>Storm</title><button onclick="
    for (let n = 0; n < 500; n++) document.body.append(Object.assign(
        document.createElement('button'), {textContent: 'Thing number ' + n + ' of a very long list of things'}));
    document.title = 'x'.repeat(5000); console.error('y'.repeat(5000)); history.pushState({}, '', '#' + 'z'.repeat(5000));
    ">Go</button>"""


async def report_tokens(do: Do, action: str, **args: str) -> int:
    """Run an action; return the tokens of its report, 0 if it fails."""
    try:
        answer = await do(action, timeout=1, **args)
    except (Blocked, NotFound, PageFailed, Stale, TimedOut):
        return 0
    page = answer.page or str(answer.effects)
    assert tokens(wrap_page_text(page)) - tokens(page) <= MARKER_TOKENS
    return tokens(str(answer.effects))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("page", sorted(PAGES))
async def test_the_report_of_a_click_stays_within_its_budget(do: Do, web: Web, page: str) -> None:
    await do("navigate", url=web.page(PAGES[page]))
    seen = (await do("snapshot", max_tokens=100_000)).result
    assert isinstance(seen, PageText)
    refs = [node.ref for node in seen.snapshot.walk() if node.role in ("button", "tab", "checkbox")]
    costs = {ref: await report_tokens(do, "click", target=ref) for ref in refs[:5]}
    assert {ref: cost for ref, cost in costs.items() if cost > MAX_TOKENS} == {}


async def test_a_page_that_changes_completely_stays_within_the_budget(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(STORM))
    answer = await do("click", target="button")
    lines = str(answer.effects).splitlines()
    assert tokens(str(answer.effects)) <= MAX_TOKENS
    assert lines[0].startswith(f"The address is now {web.url}/")
    assert lines[-1].endswith("more changes")


async def test_many_new_tabs_stay_within_the_budget(do: Do, web: Web) -> None:
    script = "for (let n = 0; n < 20; n++) open('/tab' + n, '_blank')"
    await do("navigate", url=web.page(f'<button onclick="{script}">Go</button>'))
    assert await report_tokens(do, "click", target="button") <= MAX_TOKENS


async def test_an_empty_text_is_an_empty_answer(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<p>Page"))
    assert (await do("evaluate", script="''")).text == ""
    assert (await do("evaluate", script="'Done'")).text == "Done"
    assert (await do("evaluate", script="document.body.append('more')")).text == 'null\n+ "more"'


LONG = """<button onclick="said.textContent = 'Saved'; near.value = 7; far.textContent = 'Far away'; add()">Save</button>
    <p id=said>Ready</p><label>Near <input id=near></label>
    <style>i { display: none } b:hover + i { display: block } #far { margin-top: 9000px }</style>
    <b>Hover</b><i>Shown</i><p id=far>Far</p><ul id=list></ul><script>
    const add = () => list.insertAdjacentHTML('beforeend', '<li><a href=/new>New</a></li>');
    for (let n = 0; n < 4000; n++) list.append(Object.assign(document.createElement('li'), {textContent: 'Item ' + n}))
    </script>"""


async def test_a_long_page_reports_what_is_in_view_and_what_was_touched(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(LONG))
    await do("snapshot")
    assert str((await do("click", target="button")).effects).splitlines() == [
        '~ "Saved"',
        '~ @e2: textbox "Near" = "7"',
        '~ "Far away"',
        '+ @e3: link "New" → /new',
    ]
    assert str((await do("hover", target="b")).effects) == '~ "Hover Shown"'
