"""Pages that are too large to be read in one go: `find` searches them in parts, `get_page_state` reads their start."""

import re

import anyio
import pytest

from tests.calls import Do
from tests.web import Web

ROWS = 900
# The body of a page, with the text "row N;" for every row.
PAGES = {
    "paragraphs": "body.innerHTML = each(n => `<p>row ${n};</p>`)",
    "list": "body.innerHTML = `<main><h1>All</h1><ul>${each(n => `<li>row ${n};</li>`)}</ul></main>`",
    "table": "body.innerHTML = `<table>${each(n => `<tr><td>row ${n};<td><a href=#>x</a>`)}</table>`",
    "buttons": "body.innerHTML = each(n => `<button>row ${n};</button>`)",
    "labels": "body.innerHTML = each(n => `<button aria-label='row ${n};'><i></i></button>`)",
    "sentences": "body.innerHTML = each(n => `<p>a <b>row</b> ${n}; <a href=#>x</a> z</p>`)",
    "nested": "body.innerHTML = each(n => n % 30 ? `<p>row ${n};</p>` : `<section><div><p>row ${n};</p>`)",
    "text around": "body.innerHTML = `before${each(n => `<p>row ${n};</p> and `)}after`",
    "shadow": "body.attachShadow({mode: 'open'}).innerHTML = each(n => `<div>row ${n};</div>`)",
    "slots": "body.innerHTML = each(n => `<p>row ${n};</p>`);"
    "body.attachShadow({mode: 'open'}).innerHTML = '<h1>Top</h1><section><slot></slot></section>'",
    "frame": "body.innerHTML = '<iframe height=900></iframe>';"
    "document.querySelector('iframe').contentDocument.body.innerHTML = each(n => `<p>row ${n};</p>`)",
}


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a page of a few hundred rows exceeds."""
    for name, value in {
        "snapshot._MAX_NODES": 200,
        "snapshot._MAX_NODES_AT_START": 100,
        "search.PART_ROWS": 70,
    }.items():
        monkeypatch.setattr(f"tabwright.browser.snapshot.{name}", value)


async def show(do: Do, web: Web, page: str, rows: int = ROWS) -> None:
    script = (
        f"const {{body}} = document, each = row => Array.from({{length: {rows}}}, (_, n) => row(n)).join('')"
    )
    await do("navigate", url=web.page(f"<body><script>onload = () => {{ {script}; {page} }}</script>"))


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
async def test_find_finds_each_row_of_a_large_page_once(do: Do, web: Web, page: str) -> None:
    await show(do, web, page)
    found = (await do("find", text=r"row \d+;", regex=True)).result.model_dump()
    assert found["whole"]
    rows = [int(number) for number in re.findall(r"row (\d+);", found["text"])]
    assert sorted(rows) == list(range(ROWS))
    assert found["count"] == ROWS


@pytest.mark.usefixtures("small_parts")
async def test_a_match_far_down_has_a_ref_to_act_on(do: Do, web: Web) -> None:
    await show(
        do, web, "body.innerHTML = each(n => `<button onclick='document.title = ${n}'>row ${n};</button>`)"
    )
    text = (await do("find", text="row 850;")).text
    refs = dict(re.findall(r'(@e\d+): button "row (\d+);"', text))
    assert sorted(refs.values()) == ["849", "850", "851"]
    for ref, row in refs.items():
        await do("click", target=ref)
        assert (await do("evaluate", script="document.title")).text == row


@pytest.mark.usefixtures("small_parts")
async def test_hidden_text_far_down_is_not_found(do: Do, web: Web) -> None:
    await show(
        do, web, "body.innerHTML = each(n => `<p>row ${n};</p>`) + '<p style=opacity:0>secret</p><p>end</p>'"
    )
    assert (await do("find", text="secret")).text == "No match."
    assert (await do("find", text="end")).text.splitlines()[0] == "1 match"


@pytest.mark.usefixtures("small_parts")
async def test_find_stops_after_many_matches(do: Do, web: Web) -> None:
    await show(do, web, PAGES["paragraphs"], 3_000)
    found = (await do("find", text="row")).result.model_dump()
    assert 1_000 <= found["count"] < 1_100
    assert not found["whole"]


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("page", ["paragraphs", "buttons", "table", "nested"])
async def test_the_page_state_of_a_large_page_is_its_beginning(do: Do, web: Web, page: str) -> None:
    await show(do, web, PAGES[page])
    answer = await do("get_page_state")
    state = answer.result.model_dump()
    assert answer.text.splitlines()[0] == f'{state["url"]} "" [Only its beginning: the page is too large]'
    read = [int(number) for number in re.findall(r"row (\d+);", state["text"])]
    assert read == list(range(len(read)))
    assert 0 < len(read) <= 100


@pytest.mark.usefixtures("small_parts")
async def test_refs_from_a_whole_snapshot_outlive_a_page_state(do: Do, web: Web) -> None:
    await show(
        do,
        web,
        "body.innerHTML = each(n => `<button onclick='document.title = ${n}'>row ${n};</button>`)",
        150,
    )
    await do("snapshot")
    await do("get_page_state")
    await do("click", target="@e140")
    assert (await do("evaluate", script="document.title")).text == "139"


@pytest.mark.parametrize("page", ["paragraphs", "list", "buttons"])
async def test_a_page_of_100_000_rows_is_searched_whole(
    do: Do, web: Web, page: str, pytestconfig: pytest.Config
) -> None:
    if not pytestconfig.getoption("--whole-sweep"):
        pytest.skip("takes long; the same is tested with smaller limits")
    await show(do, web, PAGES[page], 100_000)
    with anyio.fail_after(120):
        text = (await do("find", text="row 99999;")).text
    assert text.splitlines()[0] == "1 match"
    assert (await do("evaluate", script="1 + 1")).text == "2"
