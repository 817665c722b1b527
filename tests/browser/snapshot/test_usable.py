"""Everything a person can use has a ref, whatever the markup says."""

import re

import pytest

from tabwright.browser.snapshot.observe import observe
from tabwright.browser.tab import Tab
from tests.web import Web

LISTEN = """<script>addEventListener('DOMContentLoaded', () => {
  for (const each of document.querySelectorAll('.on')) each.addEventListener('click', () => each.append('!'));
})</script>"""

NOT_NATIVE = {
    "elements with a listener": (
        "<div class=on>Alpha</div><span class=on>Beta</span><p class=on>Gamma</p><div>Delta</div>",
        [
            '- @e1: clickable "Alpha"',
            '- @e2: clickable "Beta"',
            '- @e3: paragraph "Gamma"',
            '- "Delta"',
        ],
    ),
    "icons inside a box that is clicked as a whole": (
        (
            "<style>i{display:inline-block;width:16px;height:16px;background:#06c}</style>"
            "<div class=on style='cursor:pointer'>Hello <i class=on title=Reply></i><span class=on>Forward</span></div>"
        ),
        [
            "- @e1: clickable",
            '  - "Hello"',
            '  - @e2: clickable "Reply"',
            '  - @e3: clickable "Forward"',
        ],
    ),
    "what the cursor shows inside a focusable panel": (
        "<div role=tabpanel tabindex=0 aria-label=Mail>Item A <span style='cursor:pointer'>Open</span></div>",
        ['- @e1: tabpanel "Mail"', '  - "Item A"', '  - @e2: clickable "Open"'],
    ),
    "a link that contains another control": (
        "<a href=/card><b>Card</b> <span class=on title=Favourite>♥</span></a>",
        ['- @e1: link "Card ♥" → /card', '  - @e2: clickable "Favourite"'],
    ),
    "shapes": (
        "<svg width=90 height=40><circle class=on cx=20 cy=20 r=9 fill=red /><rect width=9 height=9 /></svg>",
        ['- @e1: clickable (looks like: "red circle")'],
    ),
    "links without an address": (
        "<a class=on>Text</a><a class=on style='display:inline-block;width:16px;height:16px;background:#0c6'></a>",
        ['- @e1: clickable "Text"', '- @e2: clickable (looks like: "lime")'],
    ),
    "images drawn by CSS": (
        (
            "<style>span{content:url(\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>\")}"
            "</style><span class=on></span>"
        ),
        ["- @e1: clickable"],
    ),
    "the items of a list that handles their clicks": (
        "<ul class=on><li>One<li>Two<li><b>Th</b>ree</ul>",
        [
            "- @e1: list",
            '  - @e2: listitem "One"',
            '  - @e3: listitem "Two"',
            '  - @e4: listitem "Three"',
        ],
    ),
    "the cells of a board that handles their clicks": (
        (
            "<style>i{display:inline-block;width:20px;height:20px;border:1px solid}</style>"
            "<section class=on><div><i></i><i>X</i></div><div><i></i><i></i></div></section>"
        ),
        [
            "- @e1: clickable",
            "  - @e2: clickable",
            '  - @e3: clickable "X"',
            "  - @e4: clickable",
            "  - @e5: clickable",
        ],
    ),
    "a cell and the link that fills it are one control": (
        (
            "<style>a{display:block}</style>"
            "<table><tr><th>Mo<th>Tu<tr><td class=on><a href=#>1</a><td class=on><a href=#>2</a></table>"
        ),
        ["- @e1: table", '  - row: "Mo" | "Tu"', '  - row: @e2: link "1" | @e3: link "2"'],
    ),
    "a handle on a track": (
        "<div class=on style='width:200px;height:10px'><div class=on style='width:10px;height:10px'></div></div>",
        ["- @e1: clickable", "  - @e2: clickable"],
    ),
    "items that share a tab stop": (
        "<div tabindex=-1 class=day>1</div><div tabindex=-1 class=day>2</div><h2 tabindex=-1>Head</h2>",
        ['- @e1: clickable "1"', '- @e2: clickable "2"', '- @e3: heading "Head" (level: 2)'],
    ),
    "a box that only holds controls": (
        "<div class=on><button>Up</button><input aria-label=Amount></div>",
        ['- @e1: button "Up"', '- @e2: textbox "Amount"'],
    ),
    "handles to drag": (
        "<span style='cursor:grab'>⠿</span> Mix",
        ['- @e1: clickable "⠿"', '- "Mix"'],
    ),
    "draggable elements": (
        "<div draggable=true>Card</div><div draggable=false>Fixed</div>",
        ['- @e1: group "Card"', '- "Fixed"'],
    ),
}


@pytest.mark.same_tab
@pytest.mark.parametrize("case", NOT_NATIVE)
async def test_what_can_be_used_has_a_ref(tab: Tab, web: Web, case: str) -> None:
    html, expected = NOT_NATIVE[case]
    first = tab.refs.next - 1
    await tab.goto(web.page(LISTEN + html))
    text = str(await tab.snapshot())
    # The refs of a tab go on from case to case.
    text = re.sub(r"@e(\d+)", lambda ref: f"@e{int(ref[1]) - first}", text)
    assert text.splitlines()[1:] == expected


async def test_interactive_only_names_a_box_after_its_text(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            f"{LISTEN}<div class=on><h3>Mug</h3>€9 <button>Buy</button></div><ul class=on><li>A<li>B</ul>"
        )
    )
    assert (await tab.snapshot()).render(interactive_only=True).splitlines()[1:] == [
        '- @e1: clickable "Mug €9"',
        '- @e3: button "Buy"',
        "- @e4: list",
        '- @e5: listitem "A"',
        '- @e6: listitem "B"',
    ]


async def test_what_has_only_a_listener_can_be_clicked(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(f"{LISTEN}<div class=on style='cursor:pointer'>Row <span class=on>Star</span></div>")
    )
    assert str(await tab.snapshot()).splitlines()[3] == '  - @e2: clickable "Star"'
    await tab.element("@e2").click()
    assert await tab.element("@e2").text() == "Star!"


async def test_listeners_are_followed_as_they_come_and_go(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<div id=a>Alpha</div><div id=b>Beta</div>"))
    await tab.evaluate("const go = () => 1; window.go = go; a.addEventListener('click', go); return 1")
    assert str(await tab.snapshot()).splitlines()[1:] == ['- @e1: clickable "Alpha"', '- "Beta"']
    await tab.evaluate("a.removeEventListener('click', go); b.addEventListener('click', go); return 1")
    assert str(await tab.snapshot()).splitlines()[1:] == ['- "Alpha"', '- @e2: clickable "Beta"']


async def test_listeners_that_change_on_a_still_page_are_noticed_at_once(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<div id=a>Alpha</div><div id=b>Beta</div>"))
    for _ in range(3):
        assert str(await tab.snapshot()).splitlines()[1:] == ['- "Alpha"', '- "Beta"']
    await tab.evaluate("window.go = () => 1; a.addEventListener('click', go); return 1")
    assert str(await tab.snapshot()).splitlines()[1:] == ['- @e1: clickable "Alpha"', '- "Beta"']
    for _ in range(3):
        assert str(await tab.snapshot()).splitlines()[1:] == ['- @e1: clickable "Alpha"', '- "Beta"']
    await tab.evaluate("a.removeEventListener('click', go); return 1")
    assert str(await tab.snapshot()).splitlines()[1:] == ['- "Alpha"', '- "Beta"']


async def test_listeners_in_frames_and_shadow_roots_are_found(tab: Tab, web: Web) -> None:
    inner = web.page(f"{LISTEN}<div class=on>Inside</div>")
    await tab.goto(
        web.page(
            f"<iframe title=Frame src='{inner}'></iframe><x-open></x-open><x-closed></x-closed><script>"
            "for (const mode of ['open', 'closed']) {"
            "  const root = document.querySelector('x-' + mode).attachShadow({ mode });"
            "  root.innerHTML = `<div>${mode}</div>`; root.firstChild.addEventListener('click', () => 1) }</script>"
        )
    )
    assert str(await tab.snapshot()).splitlines()[1:] == [
        '- @e1: iframe "Frame"',
        '  - @e4: clickable "Inside"',
        '- @e2: clickable "open"',
        '- @e3: clickable "closed"',
    ]


async def test_what_jquery_handles_in_a_container_is_found(tab: Tab, web: Web) -> None:
    # As jQuery does: it keeps selectors in a property of the node that listens.
    await tab.goto(
        web.page(
            "<p class=item>One</p><p>Two</p><script>jQuery = () => 1; document.addEventListener('click', () => 1);"
            "document.jQuery3710 = { events: { click: [{ selector: '.item' }, { selector: ':visible' }] } }</script>"
        )
    )
    assert str(await tab.snapshot()).splitlines()[1:] == ['- @e1: paragraph "One"', '- "Two"']


async def test_a_listener_on_most_of_the_page_makes_nothing_clickable(tab: Tab, web: Web) -> None:
    rows = "<p>Some text</p>" * 40
    await tab.goto(
        web.page(f"{LISTEN}<body class=on><main class=on><div>One</div><div>Two</div>{rows}</main>")
    )
    assert not any(node.clickable for node in (await tab.snapshot()).walk())


async def test_the_root_of_a_framework_makes_nothing_clickable(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            "<div id=root><div>One</div><div>Two</div></div><script>"
            "for (const key in document.body) if (key.startsWith('on')) root.addEventListener(key.slice(2), () => 1)"
            "</script>"
        )
    )
    assert str(await tab.snapshot()).splitlines()[1:] == ['- "One"', '- "Two"']


async def test_the_input_of_an_editor_has_a_ref_and_a_trap_for_programs_has_none(tab: Tab, web: Web) -> None:
    hidden = "style='position:absolute;width:1px;height:1px;opacity:0'"
    await tab.goto(
        web.page(
            f"<div style='width:200px;height:60px'><textarea aria-label=Code {hidden}></textarea>let a = 1</div>"
            f"<form style='position:relative'>Contact <input aria-label=Mail><textarea aria-label=Trap {hidden}></textarea>"
            f"<div style='opacity:0;width:90px;height:20px'>Leave empty <textarea aria-label=Trap></textarea></div></form>"
        )
    )
    assert str(await tab.snapshot()).splitlines()[1:-1] == [
        '- @e1: textbox "Code" (multiline, drawn by another element)',
        '- "let a = 1"',
        "- @e2: form",
        '  - "Contact"',
        '  - @e3: textbox "Mail"',
    ]


async def test_a_transparent_combobox_has_a_ref(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            "<div style='position:relative;width:200px;height:30px'><span>Apple</span>"
            "<input role=combobox aria-label=Fruit readonly style='position:absolute;inset:0;opacity:0'></div>"
        )
    )
    assert str(await tab.snapshot()).splitlines()[1:] == [
        '- "Apple"',
        '- @e1: combobox "Fruit" = "Apple" (readonly, drawn by another element)',
    ]


async def test_what_is_drawn_for_a_control_keeps_its_ref(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            f"{LISTEN}<div class=on style='position:relative;width:200px;height:30px;background:#eee'>"
            "<input role=combobox aria-label=Fruit readonly style='position:absolute;opacity:0;pointer-events:none'></div>"
        )
    )
    assert str(await tab.snapshot()).splitlines()[1:] == [
        "- @e1: clickable",
        '  - @e2: combobox "Fruit" (readonly, drawn by another element)',
    ]
    await tab.element("@e1").click()
    assert await tab.element("@e1").text() == "!"


async def test_separate_blocks_are_separate_lines(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            "<div>Alpha</div><div>Beta <b>bold</b> <span>word</span></div>Loose <i>text</i><div>Gamma<div>Delta</div>end</div>"
            "<div style='display:flex;gap:4px'><span>Price</span><span>€9</span></div>"
        )
    )
    assert str(await tab.snapshot()).splitlines()[1:] == [
        '- "Alpha"',
        '- "Beta bold word"',
        '- "Loose text"',
        '- "Gamma"',
        '- "Delta"',
        '- "end"',
        '- "Price €9"',
    ]


async def test_addresses_are_short(tab: Tab, web: Web) -> None:
    long = "x" * 200
    await tab.goto(
        web.page(
            f"<a href=#>Top</a><a href=''>Here</a><a href=#part>Part</a><a href=/buy?{long}>Buy</a><a href=/{long}>Long</a>"
        )
    )
    assert str(await tab.snapshot()).splitlines()[1:] == [
        '- @e1: link "Top"',
        '- @e2: link "Here"',
        '- @e3: link "Part" → #part',
        '- @e4: link "Buy" → /buy?…',
        f'- @e5: link "Long" → /{"x" * 119}…',
    ]


async def test_controls_out_of_view_are_marked_or_counted(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            "<div style='height:50px;overflow:auto'><button>First</button><p style='margin:200px 0'><button>Last</button></div>"
            "<button style='position:absolute;left:-999px'>Skip</button><div style='height:0;overflow:hidden'><a href=/>Home</a>"
            "</div><input style='width:0;height:0;padding:0;border:0'>"
        )
    )
    assert str(await tab.snapshot()).splitlines()[1:] == [
        "- @e1: scroller",
        '  - @e2: button "First"',
        '  - @e3: button "Last" (scrolled out)',
        "[Left out: 2 hidden texts (8 characters); 3 controls out of sight]",
    ]


async def test_text_of_a_drawing_and_states_of_rows_are_shown(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<svg role=img width=99 height=30><text y=20>Q3 revenue</text></svg>
            <table role=treegrid><tr><th aria-sort=descending>Name<th>Size</tr>
            <tr aria-level=1 aria-expanded=true><td>src<td>4</tr><tr aria-level=2><td>main.py<td>3</tr></table>"""
        )
    )
    assert str(await tab.snapshot()).splitlines()[1:] == [
        '- "Q3 revenue"',
        "- @e1: treegrid",
        '  - row "Name Size"',
        '    - columnheader "Name" (sorted: descending)',
        '    - columnheader "Size"',
        '  - row (level: 1, expanded): "src" | "4"',
        '  - row (level: 2): "main.py" | "3"',
    ]


async def test_a_closed_section_shows_its_summary_whatever_its_role(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<details><summary role=button>Shipping</summary>Two days</details>"))
    assert str(await tab.snapshot()).splitlines()[1:] == [
        '- @e1: button "Shipping"',
        "[Left out: 1 hidden text (8 characters)]",
    ]


async def test_roles_and_states_by_element_internals_are_shown_and_reported(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<x-tabs><x-tab>One</x-tab><x-tab>Two</x-tab></x-tabs><script>
            customElements.define('x-tabs', class extends HTMLElement {
              constructor() { super(); this.attachInternals().role = 'tablist' } });
            customElements.define('x-tab', class extends HTMLElement {
              constructor() {
                super();
                this.internals = this.attachInternals();
                this.internals.role = 'tab';
                this.internals.ariaSelected = 'false';
                this.onclick = () => { this.internals.ariaSelected = 'true' };
              } });</script>"""
        )
    )
    assert str(await tab.snapshot()).splitlines()[1:] == [
        "- @e3: tablist",
        '  - @e1: tab "One"',
        '  - @e2: tab "Two"',
    ]
    _, effects = await observe(tab, tab.element("@e2").click)
    assert str(effects) == '~ @e2: tab "Two" (selected)'


async def test_an_element_with_a_handler_that_react_keeps_has_a_ref(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            "<div id=root><section><span>Right-click here</span></section></div><script>"
            "document._reactListeningx = true; root.__reactContainer$x = {}; root.firstChild.__reactProps$x = {};"
            "document.querySelector('span').__reactProps$x = {onContextMenu() {}}</script>"
        )
    )
    assert str(await tab.snapshot()).splitlines()[1:] == ['- @e1: clickable "Right-click here"']


async def test_a_box_whose_class_says_that_it_takes_drops_has_a_ref(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<div class='box drop-zone'>Basket</div><div class=dropdown>Menu</div>"))
    assert str(await tab.snapshot()).splitlines()[1:] == ['- @e1: clickable "Basket"', '- "Menu"']
