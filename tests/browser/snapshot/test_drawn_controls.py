"""Controls that component libraries draw themselves: their labels, their values, and what is clicked for them."""

import pytest

from tabwright.browser.tab import Tab
from tests.web import Web

SHADOW = "<script>for (const t of document.querySelectorAll('template[shadow]')) t.parentNode.attachShadow({mode:'open'}).append(t.content)</script>"

LABELS = [
    pytest.param(
        "<label><x-check><template shadow><input type=checkbox></template></x-check> I agree</label>"
        + SHADOW,
        '- @e1: checkbox "I agree" (unchecked)',
        id="around a custom element",
    ),
    pytest.param(
        "<label for=v>Volume</label><div id=v><span role=slider tabindex=0 aria-valuenow=30"
        " style='display:block;width:9px;height:9px'></span></div>",
        '- @e1: slider "Volume" = "30"',
        id="for the box around a slider",
    ),
    pytest.param(
        "<label for=s>Speed</label><select id=s hidden><option>Slow</select><span role=combobox tabindex=0>Slow</span>",
        '- @e1: combobox "Speed"\n  - "Slow"',
        id="of a hidden select, for the box next to it",
    ),
    pytest.param(
        "<label for=s>Speed</label><select id=s hidden><option>Slow</select>"
        "<span><span role=combobox tabindex=0 aria-labelledby=t><span id=t>Slow</span></span></span>",
        '- @e1: combobox "Speed"\n  - "Slow"',
        id="of a hidden select, for a box labelled by its own value",
    ),
    pytest.param(
        "<label for=s>Speed</label><span id=s role=combobox tabindex=0>Slow</span>",
        '- @e1: combobox "Speed"\n  - "Slow"',
        id="for an element that HTML cannot label",
    ),
    pytest.param(
        "<label for=s>Size</label><div id=s><input aria-label=Width><input aria-label=Height></div>",
        '- "Size"\n- @e1: textbox "Width"\n- @e2: textbox "Height"',
        id="for a box with two fields, which have their own",
    ),
]


@pytest.mark.parametrize(("html", "lines"), LABELS)
async def test_a_label_names_the_control_that_people_see(tab: Tab, web: Web, html: str, lines: str) -> None:
    await tab.goto(web.page(html))
    shown = str(await tab.snapshot()).split("\n", 1)[1]
    assert shown.partition("\n[Left out")[0] == lines


BOX = "style='position:relative;width:200px;height:30px'"
INPUT = "<input role=combobox aria-label=Fruit style='border:0;background:none;position:absolute;inset:0'"
VALUES = [
    pytest.param(f"<div {BOX}><span>Pear</span>{INPUT}></div>", '= "Pear"', id="drawn under an empty input"),
    pytest.param(
        f"<div {BOX}><span class=placeholder style='color:silver'>Choose</span>{INPUT}></div>",
        '(placeholder: "Choose")',
        id="placeholder in another colour",
    ),
    pytest.param(
        f"<div {BOX}><span id=d>Choose</span>{INPUT} aria-describedby=d></div>",
        '(placeholder: "Choose")',
        id="placeholder that describes the input",
    ),
    pytest.param(
        f"<div {BOX}><span>Pear</span><button>Remove Pear</button><span>Fig</span>{INPUT}></div>",
        '= "Pear, Fig"',
        id="several",
    ),
    pytest.param(
        f"<div {BOX}><kbd>Ctrl K</kbd>{INPUT} placeholder=Search></div>",
        '(placeholder: "Search")',
        id="input that shows its own placeholder",
    ),
    pytest.param(
        f"<div {BOX}>{INPUT}></div><p>Required</p>",
        "",
        id="text below the box",
    ),
]


@pytest.mark.parametrize(("html", "state"), VALUES)
async def test_a_combobox_has_the_value_that_is_drawn_for_it(
    tab: Tab, web: Web, html: str, state: str
) -> None:
    await tab.goto(web.page(html))
    (line,) = (line for line in str(await tab.snapshot()).splitlines() if "combobox" in line)
    assert line.split('"Fruit"')[1].strip() == state


async def test_a_transparent_button_in_its_label_is_shown_and_clicked(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            "<label style='position:relative;display:block;width:200px'>Fruit <b>Pear</b>"
            "<button aria-label='Fruit, Pear' aria-haspopup=dialog onclick='document.title=1'"
            " style='position:absolute;inset:0;opacity:0'></button></label>"
        )
    )
    shown = str(await tab.snapshot())
    assert '@e1: button "Fruit, Pear" (haspopup: dialog, drawn by another element)' in shown
    await tab.element("@e1").click()
    assert await tab.title() == "1"


async def test_a_combobox_that_ignores_the_pointer_is_clicked_in_its_box(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            "<div onclick='document.title=1' style='width:200px;height:30px;position:relative'><span>Pear</span>"
            "<input role=combobox aria-label=Fruit readonly"
            " style='position:absolute;inset:0;opacity:0;pointer-events:none'></div>"
        )
    )
    await tab.snapshot()
    element = tab.element("role=combobox")
    await element.click()
    assert (element.label, await tab.title()) == ('combobox "Fruit"', "1")


async def test_a_key_for_a_box_goes_to_the_only_element_in_it_that_takes_keys(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("<div id=v><span tabindex=0 onkeydown='document.title=event.key'>handle</span></div>")
    )
    await tab.element("#v").press("ArrowRight")
    assert await tab.title() == "ArrowRight"


async def test_controls_in_a_row_with_the_same_name_have_positions(tab: Tab, web: Web) -> None:
    star = "<li><span role=radio aria-checked=false aria-label=star>*</span></li>"
    await tab.goto(web.page(f"<ul>{star * 3}</ul>"))
    assert [line.strip() for line in str(await tab.snapshot()).splitlines() if "radio" in line] == [
        f'- @e{number}: radio "star" (unchecked, position: {number} of 3)' for number in (1, 2, 3)
    ]


async def test_states_that_authors_set_on_other_roles_are_shown(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            "<button aria-selected=true>15</button>"
            "<ul role=tree><li role=treeitem aria-checked=true>Pear</li></ul>"
        )
    )
    assert str(await tab.snapshot()).splitlines()[1:] == [
        '- @e1: button "15" (selected)',
        "- @e2: tree",
        '  - @e3: treeitem "Pear" (checked)',
    ]


async def test_slotted_text_is_not_behind_the_background_of_the_shadow_root_that_shows_it(
    tab: Tab, web: Web
) -> None:
    field = (
        "<x-field><template shadow><div style='position:relative;height:40px'>"
        "<div style='position:absolute;inset:0;background:#eee'></div>"
        "<div style='position:relative'><slot></slot></div></div></template><b>Pear</b></x-field>"
    )
    await tab.goto(web.page(field + SHADOW))
    assert str(await tab.snapshot()).splitlines()[1:] == ['- "Pear"']


async def test_options_in_list_items_are_options(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("<ul role=listbox aria-label=Speed><li><div role=option tabindex=-1>Slow</div></li></ul>")
    )
    assert str(await tab.snapshot()).splitlines()[1:] == ['- @e1: listbox "Speed"', '  - @e2: option "Slow"']
