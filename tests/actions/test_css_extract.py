"""Data by CSS, the DOM context and the short page state: bounded, with the rest available."""

import json
import re
from pathlib import Path

import pytest

from tabwright.errors import InvalidArgs
from tests.calls import Do
from tests.web import Response, Web, never

PAGES = Path(__file__).parents[1] / "pages"
SHOP = """<h1>Shop</h1><input id=mail value=a@b.c><input id=pin type=password value=1234>
<input id=news type=checkbox checked><div class=card><b>Tea</b> <i>1.299,50 €</i> <a href='/tea'>more</a> <u>yes</u>
<em>hot</em><em>green</em></div><div class=card><b>Nut</b> <i>-3.5</i> <a href='/nut'>more</a> <u>no</u></div>"""


async def test_values_are_read_by_css_as_shown(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(SHOP))
    fields = {
        "title": "h1",
        "mail": "#mail",
        "pin": "#pin",
        "none": "#none",
        "names": {"css": "b", "all": True},
    }
    read = await do("extract_fields", fields={**fields, "news": {"css": "#news", "type": "boolean"}})
    assert json.loads(read.text) == {
        "title": "Shop",
        "mail": "a@b.c",
        "pin": "••••",
        "none": None,
        "names": ["Tea", "Nut"],
        "news": True,
    }
    assert read.result.model_dump() == {"value": json.loads(read.text), "count": 1, "start": 0}


async def test_each_item_of_a_list_becomes_a_record_of_typed_fields(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(SHOP))
    fields = {
        "name": "b",
        "price": {"css": "i", "type": "number"},
        "url": {"css": "a", "type": "url"},
        "link": {"css": "a", "attr": "href"},
        "ready": {"css": "u", "type": "boolean"},
        "kinds": {"css": "em", "all": True},
        "class": {"attr": "class"},
    }
    read = await do("extract_fields", item=".card", fields=fields)
    assert json.loads(read.text) == [
        {
            "name": "Tea",
            "price": 1299.5,
            "url": f"{web.url}/tea",
            "link": "/tea",
            "ready": True,
            "kinds": ["hot", "green"],
            "class": "card",
        },
        {
            "name": "Nut",
            "price": -3.5,
            "url": f"{web.url}/nut",
            "link": "/nut",
            "ready": False,
            "kinds": [],
            "class": "card",
        },
    ]


async def test_numbers_are_parsed_in_any_notation(do: Do, web: Web) -> None:
    numbers = {
        "1,299.50": 1299.5,
        "1.299,50": 1299.5,
        "1 299,5 €": 1299.5,
        "1,299": 1299,
        "1.299.000": 1299000,
        "3.5 stars": 3.5,
        "about \u22127": -7,
        "none": None,
    }
    await do("navigate", url=web.page("".join(f"<p>{text}</p>" for text in numbers)))
    read = await do("extract_fields", fields={"all": {"css": "p", "type": "number", "all": True}})
    assert json.loads(read.text) == {"all": list(numbers.values())}


async def test_a_long_list_is_cut_between_records_and_can_be_continued(do: Do, web: Web) -> None:
    rows = "".join(f"<li>Item {number}</li>" for number in range(300))
    await do("navigate", url=web.page(f"<ul>{rows}</ul>"))
    read = await do("extract_fields", item="li", fields={"name": {}}, max_tokens=200)
    records, more = read.text.split("\n")[:2]
    answer = len(json.loads(records))
    assert more == f"[{300 - answer} more items: use start {answer}]"
    rest = await do("extract_fields", item="li", fields={"name": {}}, start=answer, most=2)
    assert json.loads(rest.text.split("\n")[0]) == [
        {"name": f"Item {answer}"},
        {"name": f"Item {answer + 1}"},
    ]


async def test_an_invalid_field_spec_is_named(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<p>x"))
    with pytest.raises(InvalidArgs, match=r"Invalid CSS selector: 'p\['"):
        await do("extract_fields", fields={"a": "p["})
    with pytest.raises(
        InvalidArgs, match=r"fields\.a\.type: Input should be 'string', 'number', 'boolean' or 'url'\."
    ):
        await do("extract_fields", fields={"a": {"css": "p", "type": "date"}})
    with pytest.raises(InvalidArgs, match=r"fields\.a: Input should be"):
        await do("extract_fields", fields={"a": 7})


async def test_refs_of_the_dom_context_can_be_used(do: Do, web: Web) -> None:
    links = "".join(f"<a href='/{number}'>Link {number}</a> " for number in range(50))
    form = "<form aria-label=Find><input name=q aria-label=Query><button disabled>Go</button></form>"
    await do("navigate", url=web.page(f"<button>Menu</button><p hidden><button>No</button></p>{form}{links}"))
    answer = (await do("get_dom_context")).text.splitlines()
    assert answer[:7] == [
        "Elements (1):",
        '@e1 button "Menu"',
        "Forms (1):",
        f'@e2 form "Find" get {(await do("get_page")).result.model_dump()["url"]}',
        '  @e3 textbox "Query" name=q',
        '  @e4 button "Go" disabled',
        "Links (50, 40 from 0):",
    ]
    assert (await do("fill", target="@e3", value="x")).text.startswith('textbox "Query" is now "x".')
    rest = (await do("get_dom_context", start=40)).text.splitlines()
    assert rest[-10].endswith(f'"Link 40" {web.url}/40')


ORDINARY = sorted(path.name for path in PAGES.glob("*.html"))


@pytest.mark.parametrize("name", ORDINARY)
async def test_a_page_state_has_at_most_100_nodes_and_more_returns_the_rest(
    do: Do, web: Web, name: str
) -> None:
    web.route("/page", lambda _: Response((PAGES / name).read_bytes()))
    await do("navigate", url=f"{web.url}/page", wait_until="domcontentloaded")
    answer = await do("get_page_state")
    shown = [line for line in answer.text.splitlines() if re.match(r" *- ", line)]
    assert answer.text.splitlines()[0].startswith(f'{web.url}/page "')
    assert 1 <= len(shown) <= 100
    whole = answer.result.model_dump()["text"].splitlines()
    if len(shown) < len(whole) - 2:
        assert answer.cursor
        read_on = await do("more", cursor=f"{answer.cursor}:0", tokens=100_000)
        assert read_on.text.splitlines()[1:] == whole


async def test_navigating_without_waiting_returns_at_once(do: Do, web: Web) -> None:
    here, slow = web.page("<title>Here</title>"), web.route("/slow", lambda _: never())
    await do("navigate", url=here)
    answer = await do("navigate", url=slow, wait_until="none")
    assert answer.text == f"Started loading {slow}; the tab may still show {here}"
    await web.wait_for_request("/slow")
    await do("stop_loading")
    with pytest.raises(InvalidArgs, match="Chrome cannot navigate to 'nowhere'"):
        await do("navigate", url="nowhere", wait_until="none")
