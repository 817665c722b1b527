"""Selecting options and checking checkboxes, in real Chromium."""

from typing import Literal

import pytest

from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, InvalidArgs, NotFound
from tests.web import Web

COLOURS = """<select aria-label=Colour><option value=r>Red</option><option value=g>Green</option>
<optgroup label=Dark><option value=b>Blue</option></optgroup></select>"""


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("option", "by"), [("b", "value"), ("Blue", "label"), ("2", "index"), ("blue", "any")]
)
async def test_an_option_is_selected_by(
    tab: Tab, web: Web, option: str, by: Literal["any", "value", "label", "index"]
) -> None:
    await tab.goto(web.page(COLOURS))
    assert await tab.element("select").select_option(option, by=by) == ["Blue"]
    assert await tab.element("select").value() == "b"


async def test_an_unknown_option_lists_the_options(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(COLOURS))
    with pytest.raises(NotFound) as refusal:
        await tab.element("select").select_option("Pink")
    assert str(refusal.value) == (
        'combobox "Colour" has no option "Pink". Its options: "Red", "Green", "Blue".'
    )


async def test_several_options_of_a_multiple_select_are_selected(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<select multiple><option selected>A<option>B<option>C</select>"))
    assert await tab.element("select").select_option("B", "C") == ["B", "C"]
    assert await tab.element("select").select_option() == []


async def test_a_page_that_changes_the_selection_back_is_blocked(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("""<select aria-label=Size onchange="this.value = 'A'"><option>A<option>B</select>""")
    )
    with pytest.raises(Blocked, match=r'^The page changed the selection of combobox "Size" to A\.'):
        await tab.element("select").select_option("B")


async def test_selecting_an_option_of_another_element_is_rejected(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<input aria-label=Name>"))
    with pytest.raises(InvalidArgs, match=r'^textbox "Name" is not a form field\.'):
        await tab.element("input").select_option("A")


@pytest.mark.same_tab
@pytest.mark.parametrize(
    "box",
    [
        "<input type=checkbox id=box aria-label=Agree>",
        "<label><input type=checkbox id=box> Agree</label>",
        "<input type=checkbox id=box style='display: none'><label for=box>Agree</label>",
        "<label><input type=checkbox id=box style='opacity: 0; position: absolute'><i>[ ]</i> Agree</label>",
        """<div role=checkbox id=box tabindex=0 aria-checked=false aria-label=Agree onclick="this.setAttribute(
        'aria-checked', this.getAttribute('aria-checked') !== 'true')">[ ]</div>""",
        """<button role=switch id=box aria-checked=false onclick="this.setAttribute('aria-checked',
        this.getAttribute('aria-checked') !== 'true')">Agree</button>""",
    ],
)
async def test_check_and_uncheck_change_the_state_only_if_needed(tab: Tab, web: Web, box: str) -> None:
    await tab.goto(web.page(box + "<script>let clicks = 0; box.onclick ??= () => clicks++</script>"))
    element = tab.element("#box")
    await element.check()
    await element.check()
    assert (await element.state()).checked is True
    await element.uncheck()
    await element.uncheck()
    assert (await element.state()).checked is False


async def test_a_checkbox_is_checked_through_its_label(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<label>I agree <input type=checkbox id=box></label>"))
    await tab.element("text=I agree").check()
    assert (await tab.element("#box").state()).checked is True


async def test_a_checkbox_that_does_not_change_is_blocked(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<input type=checkbox aria-label=Agree onclick='return false'>"))
    with pytest.raises(Blocked) as refusal:
        await tab.element("input").check()
    assert str(refusal.value) == (
        'checkbox "Agree" was clicked, but is still unchecked. Check whether the page requires something else first.'
    )


async def test_an_element_that_cannot_be_checked_is_rejected(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<input aria-label=Name>"))
    with pytest.raises(InvalidArgs, match=r'^textbox "Name" cannot be checked\.'):
        await tab.element("input").check()
