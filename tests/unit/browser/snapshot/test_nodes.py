"""A page that changed is read and written again only where it did, and comes out as if it were read whole."""

from hypothesis import given
from hypothesis import strategies as st

from tabwright.browser.find.refs import vanished
from tabwright.browser.snapshot.nodes import Node, Reading, read
from tabwright.browser.snapshot.text import Outline, Told

ROLES = ("", "button", "cell", "label", "list", "listitem", "row", "table", "textbox")
ROW = st.tuples(
    st.integers(0, 5), st.sampled_from(ROLES), st.integers(0, 30), st.integers(0, 1), st.sampled_from("abc")
)
PAGE = st.lists(ROW, max_size=25)
# Where rows are replaced, how many, and by what.
EDITS = st.lists(
    st.tuples(st.integers(0, 25), st.integers(0, 3), st.lists(ROW, max_size=3)), min_size=1, max_size=3
)
NOTHING: dict[int, tuple[Node, ...]] = {}
Row = tuple[int, str, int, int, str]


def told(rows: list[Row]) -> str:
    """Write rows as the walker does: nothing is more than a step deeper than what is before it."""
    lines, depth = [], -1
    for deep, role, number, marks, name in rows:
        depth = min(deep, depth + 1)
        lines.append(f"{depth}\t{role}\t{number or ''}\t{marks}\t{name}")
    return "\n".join(lines)


def edited(rows: list[Row], edits: list[tuple[int, int, list[Row]]]) -> list[Row]:
    for at, most, new in edits:
        rows = [*rows[:at], *new, *rows[at + most :]]
    return rows


@given(PAGE, EDITS)
def test_a_changed_page_is_read_as_if_it_were_new(
    page: list[Row], edits: list[tuple[int, int, list[Row]]]
) -> None:
    before = read(told(page), NOTHING, Reading())
    rows = told(edited(page, edits))
    assert read(rows, NOTHING, before) == read(rows, NOTHING, Reading())


@given(PAGE, EDITS)
def test_a_changed_page_is_written_as_if_it_were_new(
    page: list[Row], edits: list[tuple[int, int, list[Row]]]
) -> None:
    written, before = Told(), read(told(page), NOTHING, Reading())
    list(Outline(before.nodes, origin="", told=written).compact())
    now = read(told(edited(page, edits)), NOTHING, before).nodes
    assert list(Outline(now, origin="", told=written).compact()) == list(Outline(now, origin="").compact())


@given(PAGE, EDITS)
def test_what_vanished_is_known_without_looking_at_what_stayed(
    page: list[Row], edits: list[tuple[int, int, list[Row]]]
) -> None:
    before = read(told(page), NOTHING, Reading())
    now = read(told(edited(page, edits)), NOTHING, before)
    numbers = [{node.number for node in reading.lines} - {0} for reading in (before, now)]
    # A number is one element's; where these pages give it twice, one of them may be left.
    gone = vanished(before.nodes, now.nodes)
    assert numbers[0] - numbers[1] <= gone <= numbers[0]


def test_what_did_not_change_stays_the_same_object() -> None:
    row = "1\trow\t{0}\t0\t\n2\tcell\t\t0\tcell {0}"
    rows = ["0\ttable\t1\t0\t", *(row.format(number) for number in range(2, 9))]
    before = read("\n".join(rows), NOTHING, Reading())
    rows[4] = rows[4].replace("cell 5", "another")
    (table,) = read("\n".join(rows), NOTHING, before).nodes
    kept = [ours is theirs for ours, theirs in zip(table.children, before.nodes[0].children, strict=True)]
    assert kept == [True, True, True, False, True, True, True]
    assert table.children[3].children[0].name == "another"


def test_a_frame_that_changed_is_in_its_element() -> None:
    rows = "0\tiframe\t4\t0\tAd\n0\tbutton\t5\t1\tGo"
    first, second = (Node("text", "one", 0, 0, {}, ()),), (Node("text", "two", 0, 0, {}, ()),)
    before = read(rows, {4: first}, Reading())
    assert read(rows, {4: first}, before) is before
    assert read(rows, {4: second}, before).nodes[0].children == second
