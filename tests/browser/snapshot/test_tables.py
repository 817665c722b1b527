"""Tables in snapshots: every text and ref of a row is shown, in its column."""

import pytest

from tabwright.browser.tab import Tab
from tests.browser.snapshot.test_snapshot import lines
from tests.web import Web


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("<p>Paid</p>", '"Paid"'),
        ("<p>Paid</p><p>in full</p>", '"Paid", "in full"'),
        ("<strong>Paid</strong>", '"Paid"'),
        ("<em>Paid</em> late", '"Paid late"'),
        ("<time datetime=2024-05-06>6 May</time>", '"6 May"'),
        ("<ul><li>one<li>two</ul>", '"one", "two"'),
        ("<code>x = 1</code>", '"x = 1"'),
        ("<label>Paid</label>", '"Paid"'),
        ("<blockquote>Paid</blockquote>", '"Paid"'),
        ("<dl><dt>State<dd>Paid</dl>", '"State", "Paid"'),
        ("<figure><figcaption>Paid</figcaption></figure>", '"Paid"'),
        ("<div><p>Paid <b>in</b> <sub>full</sub></p></div>", '"Paid in full"'),
        ("<abbr title=Value>VAT</abbr> <mark>20</mark>", '"VAT 20"'),
        ("<p><a href=/a>Ada</a> paid</p>", '@e2: link "Ada" → /a, "paid"'),
        ("<span aria-hidden=true>due</span> today", '"today due"'),
        ("", '""'),
    ],
)
async def test_a_row_shows_all_text_of_its_cells(tab: Tab, web: Web, content: str, shown: str) -> None:
    await tab.goto(web.page(f"<table border=1><tr><td>A</td><td>{content}</td></tr></table>"))
    assert lines(await tab.snapshot()) == ["- @e1: table", f'  - row: "A" | {shown}']


async def test_a_link_in_a_heading_of_a_cell_keeps_its_ref(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<table border=1><tr><td>A<td><h5><a href=/x>Report</a></h5>new</table>"))
    assert lines(await tab.snapshot()) == [
        "- @e1: table",
        "  - row",
        '    - cell "A"',
        "    - cell",
        '      - @e2: heading "Report" (level: 5)',
        '        - @e3: link "Report" → /x',
        '      - "new"',
    ]


async def test_rows_show_spans_so_that_columns_line_up(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<table border=1><tr><th rowspan=2>Name<th colspan=2>Size<tr><th>W<th>H
            <tr><td rowspan=2>Box<td>1<td>2<tr><td>3<td>4<tr><td colspan=3>end</table>"""
        )
    )
    assert lines(await tab.snapshot()) == [
        "- @e1: table",
        '  - row: "Name" | "Size" (2 columns)',
        '  - row: (above) | "W" | "H"',
        '  - row: "Box" | "1" | "2"',
        '  - row: (above) | "3" | "4"',
        '  - row: "end" (3 columns)',
    ]


async def test_a_long_text_of_a_cell_is_not_cut(tab: Tab, web: Web) -> None:
    text = " ".join(f"word{number}" for number in range(400))
    await tab.goto(web.page(f"<table border=1><tr><td>A<td>{text}</table>"))
    assert lines(await tab.snapshot()) == ["- @e1: table", f'  - row: "A" | "{text}"']


async def test_terms_are_text(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<dl><dt>State<dt>Condition<dd>Paid<dt><a href=/a>Ada</a><dd>a person
            <dt>see <a href=/b>Bob</a></dl><p>This <dfn>word</dfn> is new"""
        )
    )
    assert lines(await tab.snapshot()) == [
        '- "State"',
        '- "Condition"',
        '- "Paid"',
        '- @e1: link "Ada" → /a',
        '- "a person"',
        '- term "see Bob"',
        '  - @e2: link "Bob" → /b',
        '- "This word is new"',
    ]
