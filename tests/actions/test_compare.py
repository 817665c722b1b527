"""Comparing two states of a page by element: causes are reported, consequences are not."""

import pytest

from tabwright.errors import NotFound
from tests.calls import Do
from tests.web import Web

SHOP = """
<style>.big { font-size: 32px; padding: 1em } .red { color: red } p { color: inherit }</style>
<header id=top><h1>Shop</h1><nav><a href=/home>Home</a> <a href=/cart>Cart</a></nav></header>
<main>
  <p id=intro>Welcome <b>back</b></p>
  <ul><li>Tea</li><li>Milk</li><li>Bread</li></ul>
  <label>Amount <input id=amount value=1></label>
  <button id=buy style="border: 1px solid">Buy</button>
</main>
"""


@pytest.mark.parametrize(
    ("script", "answer"),
    [
        ("1", "No differences."),
        (
            "document.querySelector('h1').textContent = 'Sale'",
            'Differences: 1 changed.\n~ heading "Sale": "Shop" → "Sale"',
        ),
        (
            "document.querySelector('ul').insertAdjacentHTML('afterbegin', '<li>Salt</li>')",
            'Differences: 1 added.\n+ listitem "Salt"',
        ),
        ("document.querySelector('li').remove()", 'Differences: 1 removed.\n- listitem "Tea"'),
        (
            "let list = document.querySelector('ul'); list.append(list.firstElementChild)",
            'Differences: 1 moved.\n~ listitem "Tea" moved',
        ),
        (
            "document.querySelector('main').append(document.querySelector('nav'))",
            'Differences: 1 moved.\n~ navigation "Home" moved',
        ),
        ("amount.value = '2'", 'Differences: 1 changed.\n~ textbox "Amount": value "1" → "2"'),
        (
            "document.querySelector('a').href = '/start'",
            'Differences: 1 changed.\n~ link "Home": href "/home" → "/start"',
        ),
        (
            "buy.setAttribute('aria-expanded', 'true')",
            'Differences: 1 changed.\n~ button "Buy": aria-expanded none → "true"',
        ),
        (
            "document.querySelector('main').classList.add('red')",
            'Differences: 1 restyled.\n~ main "Welcome" restyled: color rgb(0, 0, 0) → rgb(255, 0, 0)',
        ),
        (
            "intro.style.marginTop = '40px'",
            'Differences: 1 moved.\n~ paragraph "Welcome" moved: margin-top 16px → 40px',
        ),
        (
            "document.querySelector('main').classList.add('big')",
            (
                'Differences: 1 restyled.\n~ main "Welcome" restyled: font-size 16px → 32px, padding-top 0px → 32px, '
                "padding-right 0px → 32px, padding-bottom 0px → 32px, padding-left 0px → 32px"
            ),
        ),
        (
            "document.querySelector('#intro b').remove()",
            'Differences: 1 removed.\n- b "back"',
        ),
        (
            "for (const link of document.querySelectorAll('a')) link.remove()",
            'Differences: 2 removed.\n- link "Home"\n- link "Cart"',
        ),
        ("buy.hidden = true", 'Differences: 1 removed.\n- button "Buy"'),
    ],
)
async def test_what_changed_is_reported_by_element(do: Do, web: Web, script: str, answer: str) -> None:
    await do("navigate", url=web.page(SHOP))
    assert (await do("mark_page")).text == "Marked 16 elements as before."
    await do("evaluate", script=script)
    assert (await do("compare")).text == answer


async def test_marks_have_names_and_last_through_navigation(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<p>One</p>"))
    await do("mark_page", name="first")
    await do("navigate", url=web.page("<p>Two</p>"))
    assert (await do("compare", before="first")).text == (
        'Differences: 1 changed.\n~ paragraph "Two": "One" → "Two"'
    )
    with pytest.raises(NotFound, match="Unknown mark 'second'"):
        await do("compare", before="second")


async def test_two_urls_are_compared_in_a_tab_that_is_closed(do: Do, web: Web) -> None:
    here = web.page("<h1>Here</h1>")
    await do("navigate", url=here)
    old, new = web.page("<h1>Old</h1><p>Same</p>"), web.page("<h1>New</h1><p>Same</p><p>More</p>")
    assert (await do("compare_urls", before=old, after=new)).text == (
        'Differences: 1 added, 1 changed.\n+ paragraph "More"\n~ heading "New": "Old" → "New"'
    )
    assert len((await do("list_tabs")).text.splitlines()) == 1
    assert (await do("get_text", target="h1")).text == "Here"


async def test_passwords_stay_masked(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<label>Password <input type=password id=p></label>"))
    await do("mark_page")
    await do("fill", target="#p", value="hunter2")
    assert "hunter2" not in (await do("compare")).text


async def test_pages_that_nest_deeply_are_compared(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<div id=top></div>"))
    await do(
        "evaluate",
        script="""let at = document.querySelector('#top');
            for (let i = 0; i < 900; i++) at = at.appendChild(document.createElement('div'));
            at.textContent = 'end'""",
    )
    await do("mark_page")
    await do("evaluate", script="document.querySelector('#top').append('more')")
    assert (await do("compare")).text == 'Differences: 1 changed.\n~ div "more": "" → "more"'
