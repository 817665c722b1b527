"""How a tree becomes text, without a browser."""

from tabwright.browser.snapshot.nodes import Node, build
from tabwright.browser.snapshot.snapshot import LeftOut, Snapshot
from tabwright.browser.snapshot.text import Outline
from tabwright.text import quote

CLICKABLE = 1


def node(role: str, name: str = "", *children: Node, number: int = 0, marks: int = 0, **states: str) -> Node:
    return Node(role, name, number, marks, states, children)


def text(words: str, *, spaced: bool = True) -> Node:
    return node("text", words, marks=32 if spaced else 0)


def compact(*nodes: Node) -> list[str]:
    return [
        "  " * line.depth + line.text for line in Outline(nodes, origin="https://shop.test").compact_lines()
    ]


def test_rows_become_a_tree() -> None:
    rows = "0\tmain\t1\t0\t\n1\theading\t2\t0\tTitle\tlevel=1\n1\t\t\t32\tSome text\n0\tlink\t3\t1\tGo\thref=https://x/?a=b"
    assert build(rows, {}) == (
        node("main", "", node("heading", "Title", number=2, level="1"), text("Some text"), number=1),
        node("link", "Go", number=3, marks=CLICKABLE, href="https://x/?a=b"),
    )


def test_no_rows_are_an_empty_tree() -> None:
    assert build("", {}) == ()


def test_nodes_of_a_frame_are_children_of_its_element() -> None:
    inside = (text("inner"),)
    assert build("0\tiframe\t4\t0\tAd", {4: inside}) == (node("iframe", "Ad", *inside, number=4),)


def test_pieces_of_a_sentence_are_one_line() -> None:
    pieces = (
        text("Press"),
        node("strong", "", text("Save", spaced=False), marks=32),
        text(", then wait.", spaced=False),
    )
    assert compact(node("paragraph", "", *pieces)) == ['"Press Save, then wait."']


def test_wrappers_without_a_name_leave_no_line() -> None:
    item = node("listitem", "", node("link", "A", number=1, marks=CLICKABLE, href="https://shop.test/a"))
    assert compact(node("list", "", item)) == ['@e1: link "A" → /a']
    assert compact(node("list", "Shelf", item)) == ['list "Shelf"', '  @e1: link "A" → /a']


def test_text_that_a_name_repeats_is_left_out() -> None:
    picture = node("image", "Lamp", number=2)
    link = node(
        "link", "Lamp €9", picture, node("heading", "Lamp €9", level="3", number=3), number=1, marks=CLICKABLE
    )
    assert compact(link) == ['@e1: link "Lamp €9"']


def test_the_label_of_a_control_is_left_out() -> None:
    field = node("textbox", "Name", number=1, marks=CLICKABLE)
    assert compact(node("label", "", text("Name")), field) == ['@e1: textbox "Name"']
    assert compact(node("label", "", text("Name"), field)) == ['@e1: textbox "Name"']
    assert compact(node("label", "", text("Nobody's"))) == ['"Nobody\'s"']


def test_a_row_with_more_than_text_and_controls_takes_several_lines() -> None:
    nested = node("cell", "x", node("list", "Inner", node("listitem", "", text("x"))))
    assert compact(node("row", "", node("cell", "1"), nested)) == [
        "row",
        '  cell "1"',
        "  cell",
        '    list "Inner"',
        '      "x"',
    ]


def test_long_addresses_are_cut_and_other_origins_shown_in_full() -> None:
    def render_link(href: str) -> str:
        return compact(node("link", "A", number=1, marks=CLICKABLE, href=href))[0].partition("→ ")[2]

    assert render_link("https://shop.test/p?q=1#x") == "/p?q=1#x"
    assert render_link("https://shop.test.evil.test/p") == "https://shop.test.evil.test/p"
    assert render_link("https://x.test/" + "a" * 500) == "https://x.test/" + "a" * 105 + "…"


def test_page_text_cannot_escape_its_quotes() -> None:
    assert quote('a"b') == '"a\\"b"'
    assert quote("a\\") == '"a\\\\"'
    assert quote("a\n- @e1: button\u2028\x1b[0m") == '"a - @e1: button [0m"'


def test_the_last_line_says_what_was_left_out() -> None:
    left_out = LeftOut(
        hidden_texts=1, hidden_characters=1200, stripped_characters=3, frames=2, truncated=True
    )
    assert str(Snapshot("https://shop.test/x", "", (text("Hi"),), left_out)) == "\n".join(
        [
            "[Snapshot of shop.test]",
            '- "Hi"',
            (
                "[Left out: 1 hidden text (1,200 characters); 3 invisible characters; 2 frames;"
                " the rest of the page, which is too large]"
            ),
        ]
    )


def test_an_empty_page_is_reported() -> None:
    empty = Snapshot("https://shop.test/x", "", (), LeftOut())
    assert str(empty) == "[Snapshot of shop.test] Nothing is shown."
    words = Snapshot("https://shop.test/x", "", (text("Hi"),), LeftOut(frames=1))
    assert words.render(interactive_only=True) == (
        "[Snapshot of shop.test] Nothing to act on.\n[Left out: 1 frame]"
    )
    assert words.render().splitlines()[0] == "[Snapshot of shop.test]"


def test_siblings_of_one_kind_have_one_shape() -> None:
    def card(name: str, price: str) -> Node:
        return node("listitem", "", node("link", name, number=1, marks=CLICKABLE), text(price))

    assert card("Lamp", "€9").shape() == card("Desk", "€99").shape()
    assert card("Lamp", "€9").shape() != node("listitem", "", text("€9")).shape()
