"""snapshot/rows.js: the rows of a snapshot as they are written."""

import pytest

from tabwright.browser.snapshot.nodes import Node
from tests.browser.js.conftest import World

# As a walk writes a node with texts inside.
WRITE = """(() => {
    const rows = new tabwright.Rows();
    const place = { buffer: { text: "" }, depth: 1, outside: false };
    const row = rows.node(0, %(role)r, 0, null);
    for (const text of %(texts)s) { place.buffer.text = text; rows.flushText(place); }
    row.name = %(name)r;
    %(then)s;
    return rows.toString();
})()"""


def write(role: str, texts: list[str], *, name: str = "", then: str = "") -> str:
    return WRITE % {"role": role, "texts": texts, "name": name, "then": then}


async def test_row_holds_depth_role_ref_flags_name_and_states(world: World) -> None:
    await world.show("<button>Save</button>")
    row = await world.run(
        """(() => {
            const rows = new tabwright.Rows();
            const row = rows.node(2, "button", tabwright.FLAGS.CLICKABLE, document.querySelector("button"));
            Object.assign(row, { name: "Save", states: ["disabled", "level=1"] });
            return rows.toString();
        })()"""
    )
    assert row.split("\t") == ["2", "button", "1", "1", "Save", "disabled", "level=1"]


async def test_python_reads_the_flags_that_the_script_sets(world: World) -> None:
    flags = await world.run("tabwright.FLAGS")
    invisible = flags.pop("INVISIBLE")
    assert not Node("button", "", 0, invisible, {}, ()).visible
    properties = {
        "CLICKABLE": "clickable",
        "OUTSIDE": "outside",
        "EDITABLE": "editable",
        "SCROLLS": "scrollable",
        "SPACED": "spaced",
        "BLOCK": "starts_line",
    }
    assert flags.keys() == properties.keys()
    for name, attribute in properties.items():
        node = Node("button", "", 0, flags[name], {}, ())
        assert [each for each in properties.values() if getattr(node, each)] == [attribute]


async def test_text_is_trimmed_and_marked_where_space_separates_it(world: World) -> None:
    rows = await world.run(write("paragraph", ["one", " two ", "three", "  "]))
    spaced = await world.run("tabwright.FLAGS.SPACED")
    assert rows.splitlines() == [
        "0\tparagraph\t\t0\t",
        "1\t\t\t0\tone",
        f"1\t\t\t{spaced}\ttwo",
        f"1\t\t\t{spaced}\tthree",
    ]


async def test_text_that_the_name_repeats_is_dropped(world: World) -> None:
    assert (
        await world.run(write("link", ["Home"], name="Home", then="rows.dropNamedText(0)"))
        == "0\tlink\t\t0\tHome"
    )
    rows = await world.run(write("link", ["Home"], then="rows.dropNamedText(0)"))
    assert rows.splitlines() == ["0\tlink\t\t0\t", "1\t\t\t0\tHome"]


async def test_text_inside_a_node_is_read_as_one(world: World) -> None:
    assert await world.run(write("link", ["a", " b", "c "], then="return rows.textInside(0)")) == "a bc"


@pytest.mark.parametrize(
    ("name", "text", "matches"),
    [
        ("Save", "Save", True),
        ("Save the file", "Save file", True),
        ("Delete everything", "Save file", False),
        ("Close", "\u00d7", True),
        ("Close", "x", True),
        ("Close", "", True),
        ("Next page", "Next 2 3", True),
        ("Caf\u00e9 au lait", "CAF\u00c9", True),
    ],
)
async def test_name_matches_when_half_of_the_visible_words_are_in_it(
    world: World, name: str, text: str, matches: bool
) -> None:
    assert await world.run(f"tabwright.matchesVisibleText({name!r}, {text!r})") is matches


async def test_only_text_level_roles_are_part_of_a_line(world: World) -> None:
    read = "['', 'emphasis', 'code', 'link', 'paragraph'].map(tabwright.isTextLevel)"
    assert await world.run(read) == [True, True, True, False, False]
