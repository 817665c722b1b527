"""The action `snapshot`."""

from tests.calls import Do
from tests.web import Web

NAV = "<nav aria-label=Main>" + "".join(f"<a href=/{n}>Part {n}</a>" for n in range(8)) + "</nav>"


async def test_navigation_is_named_once_per_site(do: Do, web: Web) -> None:
    one, two = web.page(f"{NAV}<h1>One</h1>", "/one"), web.page(f"{NAV}<h1>Two</h1>", "/two")
    await do("navigate", url=one)
    assert '- @e2: link "Part 0" → /0' in (await do("snapshot")).text
    assert '- @e2: link "Part 0" → /0' in (await do("snapshot")).text
    await do("navigate", url=two)
    assert (await do("snapshot")).text.splitlines()[1:] == [
        '- @e11: navigation "Main"',
        "  - … 8 lines as on an earlier page: snapshot @e11",
        '- @e20: heading "Two" (level: 1)',
    ]
    assert '- @e12: link "Part 0" → /0' in (await do("snapshot", target="@e11")).text
    assert '@e12: link "Part 0" → /0' in (await do("find", text="Part 0")).text
    assert '@e12: link "Part 0" → /0' in (await do("snapshot", interactive_only=True)).text
    assert '@e12: link "Part 0" → /0' in (await do("snapshot", compact=False)).text


async def test_navigation_that_differs_is_shown(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(f"{NAV}<h1>One</h1>", "/one"))
    await do("snapshot")
    await do("navigate", url=web.page(f"{NAV.replace('Part 7', 'New')}<h1>Two</h1>", "/two"))
    assert 'link "New" → /7' in (await do("snapshot")).text


async def test_find_says_that_a_page_is_too_large_to_search_whole(do: Do, web: Web) -> None:
    # Elements that are nested this deep are not read; only a script can nest them.
    nest = "let at = document.body; for (let n = 0; n < 1000; n++) at = at.appendChild(document.createElement('div'))"
    await do("navigate", url=web.page(f"<p>Start</p><script>{nest}; at.append('End')</script>"))
    part = "in the part that was searched; the page is too large to search whole"
    assert (await do("find", text="End")).text == f"No match {part}."
    assert (await do("find", text="start")).text.splitlines()[0] == f"1 match {part}"
