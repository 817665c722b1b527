"""Filling fields that are built of ARIA roles, and editors, in real Chromium."""

import pytest

from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, InvalidArgs, NotFound
from tests.calls import Do
from tests.web import Web

SLIDER = """<div role=slider tabindex=0 aria-label=Volume aria-valuemin=0 aria-valuemax=100 aria-valuenow=30
style="width: 100px; height: 20px"></div><script>
  const slider = document.querySelector("[role=slider]");
  const moves = { ArrowUp: 5, ArrowRight: 5, ArrowDown: -5, ArrowLeft: -5, Home: -1000, End: 1000 };
  slider.onkeydown = event => {
    const value = Number(slider.getAttribute("aria-valuenow")) + (moves[event.key] ?? 0);
    const next = Math.min(100, Math.max(0, value));
    if (window.late) setTimeout(() => slider.setAttribute("aria-valuenow", next), 20);
    else slider.setAttribute("aria-valuenow", next);
  };
</script>"""

# A list that opens in another part of the page, as most libraries draw it.
POPUP = """<span id=name>Fruit</span><div role=combobox tabindex=0 aria-labelledby=name aria-haspopup=listbox
aria-controls=list aria-expanded=false style="width: 100px">Choose</div><div id=place></div><script>
  const box = document.querySelector("[role=combobox]");
  box.onclick = () => {
    box.setAttribute("aria-expanded", true);
    place.innerHTML = "<ul role=listbox id=list>" + ["Apple", "Banana", "Cherry"].map(name =>
      `<li role=option data-value=${name[0]} aria-disabled=${name === "Cherry"}>${name}</li>`).join("") + "</ul>";
  };
  place.onclick = event => choose(event.target.textContent);
  const close = () => { place.innerHTML = ""; box.setAttribute("aria-expanded", false) };
  const choose = name => { box.textContent = CHOSEN; close() };
  addEventListener("keydown", event => { if (event.key === "Escape") close() });
</script>"""

# A text field that holds only what filters its list; the choice is shown next to it, and other text is dropped.
SEARCH = """<div><span id=choice></span><input role=combobox aria-label=Fruit aria-autocomplete=list
aria-controls=list aria-expanded=false></div><div id=place></div><script>
  const box = document.querySelector("input");
  const fruits = ["Apple", "Apricot", "Banana"];
  const show = () => {
    const found = fruits.filter(name => name.toLowerCase().includes(box.value.toLowerCase()));
    place.innerHTML = "<ul role=listbox id=list>" + found.map(name => `<li role=option>${name}</li>`).join("") + "</ul>";
    box.setAttribute("aria-expanded", found.length > 0);
  };
  box.oninput = () => setTimeout(show, DELAY);
  box.onblur = () => setTimeout(() => { box.value = ""; place.innerHTML = "" }, 20);
  place.onmousedown = event => event.preventDefault();
  place.onclick = event => { choice.textContent = event.target.textContent; box.value = ""; place.innerHTML = "" };
</script>"""

RADIOS = """<div role=radiogroup aria-label=Size>
<label><input type=radio name=size> Small</label><label><input type=radio name=size> Large</label></div>"""

LISTBOX = """<ul role=listbox aria-label=Tags MULTIPLE><li role=option aria-selected=true>Red</li>
<li role=option aria-selected=false>Green</li><li role=option aria-selected=false>Blue</li></ul><script>
  const list = document.querySelector("ul");
  list.onclick = event => {
    const several = list.hasAttribute("aria-multiselectable");
    if (!several) for (const option of list.children) option.setAttribute("aria-selected", false);
    const before = event.target.getAttribute("aria-selected") === "true";
    event.target.setAttribute("aria-selected", !before);
  };
</script>"""


@pytest.mark.same_tab
@pytest.mark.parametrize("value", ["75", "0", "100", "30", "35"])
@pytest.mark.parametrize("late", ["false", "true"], ids=["at once", "late"])
async def test_a_slider_is_moved_to_a_value(tab: Tab, web: Web, value: str, late: str) -> None:
    await tab.goto(web.page(f"<script>var late = {late}</script>{SLIDER}"))
    assert await tab.element("[role=slider]").fill(value) == value
    assert await tab.element("[role=slider]").attribute("aria-valuenow") == value


async def test_a_slider_that_skips_the_value_is_blocked_with_where_it_is(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(SLIDER))
    with pytest.raises(Blocked) as refusal:
        await tab.element("[role=slider]").fill("52")
    now = await tab.element("[role=slider]").attribute("aria-valuenow")
    assert str(refusal.value) == (
        f'slider "Volume" does not stop at "52"; it is now "{now}". Choose a value that it can take.'
    )


async def test_a_value_out_of_the_range_of_a_slider_is_rejected(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(SLIDER))
    with pytest.raises(InvalidArgs) as refusal:
        await tab.element("[role=slider]").fill("101")
    assert str(refusal.value) == (
        'slider "Volume" does not accept that value. Give a number from 0 up to 100.'
    )


async def test_a_slider_with_named_steps_is_moved_to_a_name(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<div role=slider tabindex=0 aria-valuenow=0 aria-valuetext=Low style="width: 9px; height: 9px"></div>
            <script>
              const slider = document.querySelector("div");
              const names = ["Low", "Medium", "High"];
              slider.onkeydown = event => {
                const step = { ArrowUp: 1, Home: -9 }[event.key] ?? 0;
                const now = Math.min(2, Math.max(0, Number(slider.getAttribute("aria-valuenow")) + step));
                slider.setAttribute("aria-valuenow", now);
                slider.setAttribute("aria-valuetext", names[now]);
              };
            </script>"""
        )
    )
    assert await tab.element("div").fill("high") == "High"


async def test_a_number_field_rejects_what_it_would_correct_later(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("<input role=spinbutton aria-label=Count aria-valuemin=1 aria-valuemax=10 value=3>")
    )
    with pytest.raises(InvalidArgs) as refusal:
        await tab.element("input").fill("99")
    assert str(refusal.value) == (
        'spinbutton "Count" does not accept that value. Give a number from 1 up to 10.'
    )


@pytest.mark.same_tab
@pytest.mark.parametrize("value", ["Banana", "banana", "B"])
async def test_an_option_of_a_list_that_opens_is_chosen(tab: Tab, web: Web, value: str) -> None:
    await tab.goto(web.page(POPUP.replace("CHOSEN", "name")))
    assert await tab.element("[role=combobox]").fill(value) == "Banana"
    assert await tab.element("[role=combobox]").text() == "Banana"


async def test_an_unknown_option_lists_the_options_and_closes_the_list(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(POPUP.replace("CHOSEN", "name")))
    with pytest.raises(NotFound) as refusal:
        await tab.element("[role=combobox]").fill("Mango")
    assert str(refusal.value) == (
        'combobox "Fruit" has no option "Mango". Its options: "Apple", "Banana", "Cherry".'
    )
    assert await tab.element("[role=combobox]").attribute("aria-expanded") == "false"


async def test_a_choice_that_the_widget_does_not_show_is_not_claimed(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(POPUP.replace("CHOSEN", "'Choose'")))
    answer = (await do("fill", target="[role=combobox]", value="Banana")).text
    assert answer.splitlines()[0] == (
        'combobox "Fruit" contains "Choose". Option "Banana" was clicked, but it does not show it.'
    )


async def test_select_option_chooses_in_a_list_that_opens(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(POPUP.replace("CHOSEN", "name")))
    answer = (await do("select_option", target="[role=combobox]", options=["Apple"])).text
    assert answer.splitlines()[0] == 'combobox "Fruit" is now "Apple".'


async def test_a_choice_in_a_dialog_must_be_confirmed(do: Do, web: Web) -> None:
    await do(
        "navigate",
        url=web.page(
            """<div id=field><button aria-haspopup=dialog onclick="pane.show()">Fruit</button></div><dialog id=pane>
            <div role=radiogroup><label><input type=radio name=fruit>Apple</label>
            <label><input type=radio name=fruit>Banana</label></div><button>OK</button></dialog>"""
        ),
    )
    answer = (await do("fill", target="#field", value="Banana")).text
    assert answer.splitlines()[0] == (
        'button "Fruit" contains "Fruit". "Banana" is selected in the dialog that it opened. Confirm it there.'
    )


@pytest.mark.same_tab
@pytest.mark.parametrize("delay", ["0", "300"])
async def test_the_option_that_equals_the_text_is_chosen(tab: Tab, web: Web, delay: str) -> None:
    await tab.goto(web.page(SEARCH.replace("DELAY", delay)))
    assert await tab.element("input").fill("Banana") == "Banana"
    assert await tab.element("#choice").text() == "Banana"


async def test_a_text_without_an_equal_option_lists_the_options(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(SEARCH.replace("DELAY", "0")))
    await do("snapshot")
    answer = (await do("fill", target="input", value="Ap")).text
    first = answer.splitlines()[0]
    assert first.startswith('combobox "Fruit" contains "Ap". No option is chosen. Option list open: @e')
    apricot = first.partition(", ")[2].partition(" ")[0]
    assert first.endswith(f'"Apple", {apricot} "Apricot".')
    await do("click", target=apricot)
    assert (await do("get_text", target="#choice")).text == "Apricot"


async def test_a_text_that_the_field_drops_is_not_claimed(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(SEARCH.replace("DELAY", "0")))
    answer = (await do("fill", target="input", value="Mango")).text
    assert answer.splitlines()[0] == (
        'combobox "Fruit" is not set. It accepts only its options, and "Mango" is none of them.'
    )


async def test_free_text_in_a_field_with_suggestions_is_accepted(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<input role=combobox aria-label=City aria-expanded=false>"))
    answer = (await do("fill", target="input", value="Lyon")).text
    assert answer.splitlines()[0] == 'combobox "City" is now "Lyon".'
    assert (await do("get_state", target="input")).result.model_dump()["focused"] is True


async def test_a_suggestion_of_a_site_search_is_not_pressed(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<form role=search><input role=combobox aria-controls=list aria-expanded=true></form>
            <ul role=listbox id=list onclick="document.title = 'searched'"><li role=option>dogs</li></ul>"""
        )
    )
    assert await tab.element("input").fill("dogs") == "dogs"
    assert await tab.title() == ""


async def test_options_that_only_the_eye_sees_are_chosen(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<input role=combobox readonly aria-label=Fruit aria-controls=list aria-expanded=false value=""><div id=place></div>
            <script>
              const box = document.querySelector("input");
              box.onclick = () => {
                box.setAttribute("aria-expanded", true);
                place.innerHTML = `<div><div role=listbox id=list style="width: 0; height: 0; overflow: hidden">
                  <div role=option aria-label=Apple>a</div></div><div><div class=item>Apple</div>
                  <div class=item>Banana</div></div></div>`;
              };
              place.onclick = event => {
                box.value = event.target.textContent;
                place.innerHTML = "";
                box.setAttribute("aria-expanded", false);
              };
            </script>"""
        )
    )
    assert await tab.element("input").fill("Banana") == "Banana"
    assert await tab.element("input").value() == "Banana"


async def test_a_radio_button_is_chosen_by_the_name_in_its_group(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(RADIOS))
    assert await tab.element("[role=radiogroup]").fill("Large") == "Large"
    assert await tab.evaluate("[...document.querySelectorAll('input')].map(input => input.checked)") == [
        False,
        True,
    ]


async def test_a_fieldset_of_radio_buttons_is_filled_like_a_group(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(RADIOS.replace("div role=radiogroup", "fieldset").replace("</div>", "</fieldset>"))
    )
    assert await tab.element("fieldset").fill("Small") == "Small"


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("multiple", "value", "selected"),
    [("", "Blue", ["Blue"]), ("aria-multiselectable=true", ["Green", "Blue"], ["Green", "Blue"])],
)
async def test_options_of_a_listbox_are_selected(
    tab: Tab, web: Web, multiple: str, value: str | list[str], selected: list[str]
) -> None:
    await tab.goto(web.page(LISTBOX.replace("MULTIPLE", multiple)))
    assert await tab.element("ul").fill(value) == ", ".join(selected)
    found = "[...document.querySelectorAll('[aria-selected=true]')].map(option => option.textContent)"
    assert await tab.evaluate(found) == selected


@pytest.mark.parametrize("value", ["", "new text"])
async def test_an_editor_with_its_own_selection_is_replaced(tab: Tab, web: Web, value: str) -> None:
    # Shows ten of a hundred lines, ignores the selection of the document, and obeys the keyboard.
    await tab.goto(
        web.page(
            """<div role=textbox contenteditable aria-label=Code></div><script>
              let content = Array.from({ length: 100 }, (_, i) => "row " + i).join("\\n");
              let all = false;
              const host = document.querySelector("div");
              const draw = () => { host.innerText = content.split("\\n").slice(0, 10).join("\\n") };
              const put = added => { if (all) content = added; else content += added; all = false; draw() };
              host.onkeydown = event => {
                if (event.key === "a" && event.ctrlKey) { all = true; event.preventDefault() }
                if (event.key === "Backspace") { if (all) put(""); event.preventDefault() }
              };
              host.onbeforeinput = event => { event.preventDefault(); put(event.data ?? "") };
              draw();
            </script>"""
        )
    )
    assert await tab.element("div").fill(value) == value
    assert await tab.evaluate("content") == value


async def test_an_editor_that_draws_its_text_is_filled(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<div style="width: 300px; height: 100px"><div id=pad></div>
            <div id=keys role=textbox tabindex=0 aria-label=Code style="width: 0"></div></div><script>
              let text = "old text";
              const context = keys.editContext = new EditContext();
              const draw = () => { pad.textContent = text };
              keys.onkeydown = event => {
                if (event.key !== "a" || !event.ctrlKey) return;
                context.updateText(0, context.text.length, text);
                context.updateSelection(0, text.length);
                event.preventDefault();
              };
              context.ontextupdate = event => {
                text = text.slice(0, event.updateRangeStart) + event.text + text.slice(event.updateRangeEnd);
                draw();
              };
              draw();
            </script>"""
        )
    )
    assert await tab.element("#keys").fill("new text") == "new text"
    assert await tab.element("#pad").text() == "new text"


async def test_a_switch_that_is_drawn_by_another_element_is_set(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<label for=wifi>Wifi</label><div onclick="wifi.checked = !wifi.checked"><input id=wifi type=checkbox
            role=switch style="position: absolute; width: 0; height: 0; opacity: 0; margin: 0"
            onclick="event.preventDefault()"><span style="cursor: pointer; display: inline-block; width: 40px;
            height: 20px; background: gray"></span></div>"""
        )
    )
    assert await tab.element("#wifi").fill("true") == "true"
    assert await tab.evaluate("wifi.checked") is True


async def test_a_radio_button_behind_its_label_is_checked(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<div style="position: relative"><input type=radio name=stars id=one style="position: absolute; left: 0">
            <input type=radio name=stars id=two style="position: absolute; left: 0">
            <label for=one style="position: absolute; left: 0; width: 30px; background: gold">1</label>
            <label for=two style="position: absolute; left: 30px; width: 30px; background: gold">2</label></div>"""
        )
    )
    await tab.element("#two").check()
    assert await tab.evaluate("[one.checked, two.checked]") == [False, True]


async def test_a_state_that_the_page_shows_late_is_waited_for(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<button role=switch aria-checked=false aria-label=Wifi onclick="setTimeout(() =>
            this.setAttribute('aria-checked', true), 200)">x</button>"""
        )
    )
    assert await tab.element("button").fill("true") == "true"
