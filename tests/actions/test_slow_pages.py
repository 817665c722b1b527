"""Pages of which a part never arrives: what the answers say."""

import pytest

from tabwright.errors import TimedOut
from tests.calls import Do
from tests.web import Web, never


@pytest.fixture
def slow(web: Web) -> str:
    """A page with an image that never arrives."""
    web.route("/slow", lambda _: never())
    return web.page("<title>Slow</title><p>words</p><img src=/slow>", headers={"cache-control": "no-store"})


def missing(web: Web) -> str:
    return f"Still loading 1 image of {web.url.removeprefix('http://')}."


async def test_navigations_return_a_usable_page_and_name_what_is_missing(do: Do, web: Web, slow: str) -> None:
    answer = f"Navigated to {slow} (200 OK)\n{missing(web)}"
    assert (await do("navigate", url=slow)).text == answer
    assert (await do("reload")).text == answer
    other = web.page("other")
    assert (await do("navigate", url=other)).text == f"Navigated to {other} (200 OK)"
    assert (await do("back")).text == answer
    assert (await do("navigate", url=slow, wait_until="load", timeout=1)).text == answer


async def test_waiting_for_load_fails_if_the_page_does_not_load(do: Do, web: Web, slow: str) -> None:
    await do("navigate", url=slow, wait_until="domcontentloaded")
    with pytest.raises(TimedOut) as caught:
        await do("wait_for_load", timeout=0.5)
    assert caught.value.message == (
        f"The page did not reach load in 0.5 s: still loading 1 image of {web.url.removeprefix('http://')} ({web.url}/slow)."
    )


@pytest.mark.parametrize("wait_for_navigation", [False, True])
async def test_a_click_that_leads_to_a_slow_page_says_so(
    do: Do, web: Web, slow: str, wait_for_navigation: bool
) -> None:
    await do("navigate", url=web.page(f"<a href={slow}>Next</a>"))
    answer = await do("click", target="text=Next", wait_for_navigation=wait_for_navigation)
    assert answer.text == f'Clicked link "Next".\nNavigated to {slow} "Slow" (200 OK)\n{missing(web)}'


async def test_a_new_tab_opens_a_usable_page(do: Do, web: Web, slow: str) -> None:
    assert (await do("new_tab", url=slow)).text.splitlines()[-1].endswith(f"(current): {slow}")
