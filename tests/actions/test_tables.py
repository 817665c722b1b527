"""`extract` and `read` on tables: every value under its own key, and a note where something does not fit."""

import orjson
import pytest

from tabwright.actions.extract import Records
from tests.calls import Do
from tests.web import Web


async def rows(do: Do, web: Web, html: str) -> list[list[dict[str, str]] | str]:
    """Return the rows of the page's main table, and the note below them."""
    await do("navigate", url=web.page(html))
    text, _, note = (await do("extract")).text.partition("\n")
    return [orjson.loads(text), note]


SPANS = """<table><tr><th rowspan=2>Name<th colspan=2>Size<th rowspan=2>Price<tr><th>W<th>H
  <tr><td rowspan=2>Box<td>1<td>2<td>9<tr><td>3<td>4<td>8<tr><td>Bag<td colspan=2>any<td>5</table>"""


async def test_spans_and_two_header_rows_keep_every_value_under_its_key(do: Do, web: Web) -> None:
    assert await rows(do, web, SPANS) == [
        [
            {"Name": "Box", "Size / W": "1", "Size / H": "2", "Price": "9"},
            {"Name": "Box", "Size / W": "3", "Size / H": "4", "Price": "8"},
            {"Name": "Bag", "Size / W": "any", "Size / H": "any", "Price": "5"},
        ],
        "",
    ]


async def test_read_writes_the_same_table_as_markdown(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(SPANS))
    assert (await do("read")).text.splitlines() == [
        "| Name | Size / W | Size / H | Price |",
        "| --- | --- | --- | --- |",
        "| Box | 1 | 2 | 9 |",
        "| Box | 3 | 4 | 8 |",
        "| Bag | any |  | 5 |",
    ]


async def test_the_footer_comes_last_wherever_it_is_written(do: Do, web: Web) -> None:
    html = """<table><thead><tr><th>A<th>B</thead><tfoot><tr><td>Sum<td>3</tfoot>
      <tbody><tr><td>x<td>1<tbody><tr><td>y<td>2</table>"""
    assert await rows(do, web, html) == [
        [{"A": "x", "B": "1"}, {"A": "y", "B": "2"}, {"A": "Sum", "B": "3"}],
        "[The last 1 row of the table is its footer.]",
    ]


async def test_a_row_span_ends_with_its_row_group(do: Do, web: Web) -> None:
    html = """<table><thead><tr><th>A<th>B</thead>
      <tbody><tr><td rowspan=0>all<td>1<tr><td>2<tbody><tr><td rowspan=9>x<td>3<tbody><tr><td>y<td>4</table>"""
    assert await rows(do, web, html) == [
        [{"A": "all", "B": "1"}, {"A": "all", "B": "2"}, {"A": "x", "B": "3"}, {"A": "y", "B": "4"}],
        "",
    ]


async def test_a_cell_that_overlaps_a_row_span_takes_the_column(do: Do, web: Web) -> None:
    html = """<table><tr><th>A<th>B<th>C<tr><td>1<td rowspan=2>2<td>3<tr><td colspan=2>4<td>5</table>"""
    assert await rows(do, web, html) == [
        [{"A": "1", "B": "2", "C": "3"}, {"A": "4", "B": "4", "C": "5"}],
        "",
    ]


async def test_rows_that_do_not_fit_are_noted(do: Do, web: Web) -> None:
    html = "<table><tr><th>A<th>B<tr><td>1<tr><td>2<td>3<td>4</table>"
    assert await rows(do, web, html) == [
        [{"A": "1", "B": "", "column 3": ""}, {"A": "2", "B": "3", "column 3": "4"}],
        "[1 row has cells for fewer than 3 columns: 1. No header above: column 3.]",
    ]


async def test_a_hidden_cell_shifts_no_key(do: Do, web: Web) -> None:
    html = """<table><tr><th>A<th>B<th>C<tr><td>1<td style="display:none">secret<td>3
      <tr><td>4<td style="visibility:hidden">secret<td>6<tr><td>7<td>8<td>9</table>"""
    assert await rows(do, web, html) == [
        [{"A": "1", "B": "", "C": "3"}, {"A": "4", "B": "", "C": "6"}, {"A": "7", "B": "8", "C": "9"}],
        "[2 rows have cells for fewer than 3 columns: 1, 2.]",
    ]


async def test_a_hidden_column_is_left_out(do: Do, web: Web) -> None:
    html = """<style>:nth-child(2) > :nth-child(2), tr > :nth-child(2) { display: none }</style>
      <table><tr><th>A<th>id<th>C<tr><td>1<td>77<td>3</table>"""
    assert await rows(do, web, html) == [[{"A": "1", "C": "3"}], ""]


async def test_a_table_in_a_cell_is_a_table_of_its_own(do: Do, web: Web) -> None:
    html = """<table><tr><th>A<th>B<tr><td>1<td><table><tr><th>in<th>out<tr><td>x<td>y</table>
      <tr><td>2<td>b<tr><td>3<td>c</table>"""
    assert await rows(do, web, html) == [
        [{"A": "1", "B": "in out x y"}, {"A": "2", "B": "b"}, {"A": "3", "B": "c"}],
        "",
    ]
    assert orjson.loads((await do("extract", number=2)).text) == [{"in": "x", "out": "y"}]


async def test_a_cell_over_the_whole_width_names_the_table_not_a_column(do: Do, web: Web) -> None:
    html = """<table><caption>Prices</caption><thead><tr><th colspan=2>in euro<tr><th>A<th>B</thead>
      <tr><td>1<td>2<tr><th colspan=2>Used<tr><td>3<td>4</table>"""
    await do("navigate", url=web.page(html))
    answer = (await do("extract")).result
    assert isinstance(answer, Records)
    assert (answer.name, answer.rows) == (
        "Prices / in euro",
        [{"A": "1", "B": "2"}, {"A": "Used", "B": "Used"}, {"A": "3", "B": "4"}],
    )


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<table><tr><td><th>W<th>H<tr><th>Box<td>1<td>2</table>",
            [{"column 1": "Box", "W": "1", "H": "2"}],
        ),
        (
            "<table><tr><th>Name<td>Box<tr><th>W<td></table>",
            [
                {"column 1": "Name", "column 2": "Box"},
                {"column 1": "W", "column 2": ""},
            ],
        ),
        (
            "<table><tr><th>A<th>A<th>A link<tr><td><a href=/x>1</a><td>2<td>3</table>",
            [
                {"A": "1", "A 2": "2", "A link": "3", "A (link)": "http://host/x"},
            ],
        ),
        (
            "<table><tr><th>H<sub>2</sub>O<tr><td>1<b>2</b>3<br>4 <img alt=ok width=20 height=20 src=data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7>",
            [
                {"H2O": "123 4 ok"},
            ],
        ),
    ],
    ids=["corner", "row headers", "equal names", "spacing"],
)
async def test_names_of_columns(do: Do, web: Web, html: str, expected: list[dict[str, str]]) -> None:
    found, _ = await rows(do, web, html)
    assert orjson.loads(orjson.dumps(found).decode().replace(web.url, "http://host")) == expected


async def test_an_aria_grid_states_its_columns(do: Do, web: Web) -> None:
    html = """<div role=grid><div role=row><span role=columnheader aria-colindex=1>A</span>
      <span role=columnheader aria-colindex=2>B</span><span role=columnheader aria-colindex=4>D</span></div>
      <div role=row><span role=gridcell aria-colindex=1 aria-rowspan=2>1</span>
      <span role=gridcell aria-colindex=4>4</span></div>
      <div role=row><span role=gridcell aria-colindex=2 aria-colspan=2>2</span></div></div>"""
    assert await rows(do, web, html) == [
        [
            {"A": "1", "B": "", "D": "4"},
            {"A": "1", "B": "2", "D": ""},
        ],
        "[2 rows have cells for fewer than 3 columns: 1, 2.]",
    ]


async def test_a_column_hidden_by_the_page_is_not_found_through_a_wide_cell(do: Do, web: Web) -> None:
    html = """<style>tr.data > :nth-child(2) { display: none }</style><table>
      <tr class=data><th>A<th>id<th>C<tr><td colspan=3>Group<tr class=data><td>1<td>77<td>3</table>"""
    assert (await rows(do, web, html))[0] == [{"A": "Group", "C": "Group"}, {"A": "1", "C": "3"}]


async def test_a_label_and_its_field_are_not_read_twice(do: Do, web: Web) -> None:
    html = """<table><tr><th><label><input type=checkbox> All</label><th>Sum<th>Ok
      <tr><td><label><input type=checkbox><span>Ada</span></label><td><input aria-label=Sum value=3>
      <td><input type=checkbox aria-label="Ada is ok"></table>"""
    assert (await rows(do, web, html))[0] == [{"All": "Ada", "Sum": "3", "Ok": "Ada is ok"}]


async def test_a_table_that_is_the_target_comes_before_tables_inside(do: Do, web: Web) -> None:
    html = """<table id=t><tr><th>A<th>B<tr><td>1<td><table><tr><th>in<tr><td>x<tr><td>y<tr><td>z</table></table>"""
    await do("navigate", url=web.page(html))
    assert orjson.loads((await do("extract", target="#t")).text) == [{"A": "1", "B": "in x y z"}]


async def test_a_table_that_looks_like_layout_is_found_last(do: Do, web: Web) -> None:
    html = "<table><tr><td>Ada<td>1<tr><td rowspan=2>Bob<td>2<tr><td>3</table><ul><li>one<li>two</ul>"
    await do("navigate", url=web.page(html))
    assert orjson.loads((await do("extract")).text) == [{"text": "one"}, {"text": "two"}]
    assert orjson.loads((await do("extract", kind="table")).text) == [
        {"column 1": "Ada", "column 2": "1"},
        {"column 1": "Bob", "column 2": "2"},
        {"column 1": "Bob", "column 2": "3"},
    ]


async def test_a_cell_hidden_from_screen_readers_keeps_its_column(do: Do, web: Web) -> None:
    html = "<table><tr><th>A<th>B<th>C<tr><td>1<td aria-hidden=true>two<td>3</table>"
    assert (await rows(do, web, html))[0] == [{"A": "1", "B": "two", "C": "3"}]


async def test_read_keeps_links_in_cells(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<table><tr><th>A<th>B<tr><td><a href=/x>Ada</a> | one<td><p>two</p>"))
    assert (await do("read")).text == (f"| A | B |\n| --- | --- |\n| [Ada]({web.url}/x) \\| one | two |")


async def test_find_sees_the_text_of_a_cell(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<table border=1><tr><td>A<td><p><em>Paid</em> late</p></table>"))
    assert (await do("find", text="Paid late")).text == '1 match\n- @e1: table\n  - row: "A" | "Paid late"'
