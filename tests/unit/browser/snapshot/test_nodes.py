"""Incremental reading: a changed page gives the same nodes and text as if it were read from scratch."""

from hypothesis import given
from hypothesis import strategies as st

from tabwright.browser.find.refs import vanished
from tabwright.browser.snapshot.nodes import Node, Reading, read
from tabwright.browser.snapshot.text import LineCache, Outline

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


def write_rows(rows: list[Row]) -> str:
    """Write rows as snapshot.js does: no row is more than one level deeper than the row before it."""
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
def test_an_incremental_reading_equals_a_fresh_one(
    page: list[Row], edits: list[tuple[int, int, list[Row]]]
) -> None:
    before = read(write_rows(page), NOTHING, Reading())
    rows = write_rows(edited(page, edits))
    assert read(rows, NOTHING, before) == read(rows, NOTHING, Reading())


@given(PAGE, EDITS)
def test_incremental_text_equals_fresh_text(page: list[Row], edits: list[tuple[int, int, list[Row]]]) -> None:
    written, before = LineCache(), read(write_rows(page), NOTHING, Reading())
    list(Outline(before.nodes, origin="", cache=written).compact_lines())
    now = read(write_rows(edited(page, edits)), NOTHING, before).nodes
    assert list(Outline(now, origin="", cache=written).compact_lines()) == list(
        Outline(now, origin="").compact_lines()
    )


@given(PAGE, EDITS)
def test_removed_refs_are_found_in_an_incremental_reading(
    page: list[Row], edits: list[tuple[int, int, list[Row]]]
) -> None:
    before = read(write_rows(page), NOTHING, Reading())
    now = read(write_rows(edited(page, edits)), NOTHING, before)
    numbers = [{node.number for node in reading.lines} - {0} for reading in (before, now)]
    # A number is one element's; where these pages give it twice, one of them may be left.
    gone = vanished(before.nodes, now.nodes)
    assert numbers[0] - numbers[1] <= gone <= numbers[0]


def test_unchanged_nodes_are_reused() -> None:
    row = "1\trow\t{0}\t0\t\n2\tcell\t\t0\tcell {0}"
    rows = ["0\ttable\t1\t0\t", *(row.format(number) for number in range(2, 9))]
    before = read("\n".join(rows), NOTHING, Reading())
    rows[4] = rows[4].replace("cell 5", "another")
    (table,) = read("\n".join(rows), NOTHING, before).nodes
    kept = [ours is theirs for ours, theirs in zip(table.children, before.nodes[0].children, strict=True)]
    assert kept == [True, True, True, False, True, True, True]
    assert table.children[3].children[0].name == "another"


def test_a_changed_frame_replaces_its_nodes() -> None:
    rows = "0\tiframe\t4\t0\tAd\n0\tbutton\t5\t1\tGo"
    first, second = (Node("text", "one", 0, 0, {}, ()),), (Node("text", "two", 0, 0, {}, ()),)
    before = read(rows, {4: first}, Reading())
    assert read(rows, {4: first}, before) is before
    assert read(rows, {4: second}, before).nodes[0].children == second
