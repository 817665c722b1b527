"""Choosing a frame: targets, snapshots and scripts use it, and every answer names it."""

import pytest

from tabwright.errors import InvalidArgs, NotFound, Stale
from tests.calls import Do
from tests.web import Web

INNER = """<title>Till</title><button onclick="this.textContent='Paid'">Pay</button><p>12 €</p>
<div style='height: 3000px'></div>"""


@pytest.fixture
async def page(do: Do, web: Web) -> str:
    web.page(INNER, "/till")
    url = web.page(
        f"<title>Shop</title><button>Leave</button><iframe name=till src='{web.other_site}/till'></iframe>"
        "<iframe name=twin></iframe><iframe name=twin></iframe>"
    )
    await do("navigate", url=url)
    return url


async def test_frames_are_listed_with_the_chosen_one(do: Do, page: str, web: Web) -> None:
    listed = (await do("list_frames")).text.splitlines()
    assert listed[:2] == [f"f0 (chosen) {page}", f'f1 "till" {web.other_site}/till']
    await do("switch_frame", frame="till")
    assert (await do("list_frames")).text.splitlines()[:3] == [
        "[In frame f1]",
        f"f0 {page}",
        f'f1 (chosen) "till" {web.other_site}/till',
    ]


async def test_targets_snapshots_scripts_and_waits_use_the_chosen_frame(do: Do, page: str, web: Web) -> None:
    assert (await do("switch_frame", frame="f1")).text == (
        "[In frame f1]\nTargets, snapshots and scripts now use frame f1, until main_frame or the next page."
    )
    seen = await do("snapshot")
    host = web.other_site.removeprefix("http://")
    assert seen.text.splitlines()[:2] == ["[In frame f1]", f"[Snapshot of {host}]"]
    assert "Leave" not in seen.text
    assert (await do("click", target="button")).text.splitlines()[:2] == [
        "[In frame f1]",
        'Clicked button "Pay".',
    ]
    assert (await do("evaluate", script="document.title")).text == "[In frame f1]\nTill"
    assert (await do("read")).text == "[In frame f1]\n12 €"
    assert (await do("scroll", pixels=100)).text.startswith("[In frame f1]\nScrolled to 0, 100 (at most")
    await do("wait_for", target="text=Paid")
    with pytest.raises(NotFound, match=r"No element matches text=Leave in frame f1\."):
        await do("click", target="text=Leave", timeout=0.2)
    assert (await do("main_frame")).text == "Targets, snapshots and scripts now use the whole page."
    assert (await do("click", target="text=Leave")).text.startswith('Clicked button "Leave".')


async def test_the_next_page_resets_the_chosen_frame(do: Do, page: str, web: Web) -> None:
    await do("switch_frame", frame="till")
    await do("navigate", url=web.page("<h1>Elsewhere</h1>"))
    assert (await do("snapshot")).text.splitlines()[1:] == ['- @e1: heading "Elsewhere" (level: 1)']


async def test_a_chosen_frame_that_is_removed_is_reported(do: Do, page: str) -> None:
    await do("evaluate", script="document.querySelector('iframe').remove()")
    with pytest.raises(NotFound, match=r"""There is no frame 'f1'; frames: f0, f2 "twin", f3 "twin"\."""):
        await do("switch_frame", frame="f1")
    await do("switch_frame", frame="f2")
    await do(
        "evaluate", script="void parent.setTimeout(() => parent.document.querySelector('iframe').remove())"
    )
    with pytest.raises(Stale, match=r"The chosen frame f2 is gone\."):
        await do("snapshot")
    assert (await do("main_frame")).text == "Targets, snapshots and scripts now use the whole page."


async def test_an_ambiguous_frame_name_is_rejected(do: Do, page: str) -> None:
    with pytest.raises(InvalidArgs, match=r"2 frames are named 'twin': f2, f3\."):
        await do("switch_frame", frame="twin")
