"""Answers to fill, check and select_option: what the field holds once the page has reacted."""

from typing import Any

import pytest

from tabwright.errors import Blocked
from tests.calls import Do
from tests.web import Web


async def test_a_value_that_the_page_corrects_later_is_reported_as_it_is(do: Do, web: Web) -> None:
    page = """<input aria-label=Count oninput="setTimeout(() => { this.value = '10' }, 300)">"""
    await do("navigate", url=web.page(page))
    answer = await do("fill", target="input", value="99")
    assert answer.text == ('textbox "Count" is now "10". The page changed it from "99".')


async def test_a_secret_that_the_page_corrects_later_stays_masked(do: Do, web: Web) -> None:
    page = """<input type=password aria-label=PIN oninput="setTimeout(() => { this.value = '12' }, 100)">"""
    await do("navigate", url=web.page(page))
    answer = await do("fill", target="input", value="1234")
    assert answer.text.splitlines()[0] == 'textbox "PIN" is now "••••". The page changed it.'


@pytest.mark.parametrize(
    ("call", "field", "message"),
    [
        (
            {"action": "fill", "value": "Ada"},
            """<input aria-label=Name value=Eve oninput="setTimeout(() => { this.value = 'Eve' }, 300)">""",
            'textbox "Name" did not keep "Ada": the page changed it back to "Eve".',
        ),
        (
            {"action": "check"},
            """<input type=checkbox aria-label=Wifi onclick="setTimeout(() => { this.checked = false }, 300)">""",
            'checkbox "Wifi" did not keep "true": the page changed it back to "false".',
        ),
        (
            {"action": "select_option", "options": ["M"]},
            """<select aria-label=Size onchange="setTimeout(() => { this.value = 'S' }, 300)"><option>S<option>M</select>""",
            'The page changed the selection of combobox "Size" to S.',
        ),
        (
            {"action": "fill", "value": "M"},
            """<select aria-label=Size onchange="setTimeout(() => { this.value = 'S' }, 300)"><option>S<option>M</select>""",
            'combobox "Size" did not keep "M": the page changed it back to "S".',
        ),
        (
            {"action": "fill", "value": "M"},
            """<ul role=listbox aria-label=Size onclick="const option = event.target; const set = on =>
            option.setAttribute('aria-selected', on); set(true); setTimeout(set, 300, false)"><li role=option>S</li>
            <li role=option>M</li></ul>""",
            'listbox "Size" did not keep "M": the page changed it back to "S M".',
        ),
    ],
    ids=["text", "checkbox", "options", "option", "listbox"],
)
async def test_a_value_that_the_page_sets_back_later_is_blocked(
    do: Do, web: Web, call: dict[str, Any], field: str, message: str
) -> None:
    await do("navigate", url=web.page(field))
    with pytest.raises(Blocked) as refusal:
        await do(target="body > *", **call)
    assert refusal.value.message == message


@pytest.mark.parametrize("listener", ["document", "window", "document.querySelector('div')"])
async def test_a_listener_anywhere_around_the_field_is_noticed(do: Do, web: Web, listener: str) -> None:
    page = f"""<div><input aria-label=Count></div><script>{listener}.addEventListener("input", event =>
    setTimeout(() => {{ event.target.value = "10" }}, 300))</script>"""
    await do("navigate", url=web.page(page))
    answer = await do("fill", target="input", value="99")
    assert answer.text.splitlines()[0] == 'textbox "Count" is now "10". The page changed it from "99".'
