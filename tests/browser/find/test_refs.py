"""Refs: one number per element for its whole life, and healing when the element is replaced."""

import anyio
import pytest

from tabwright.browser.tab import Tab
from tabwright.errors import NotFound, Stale
from tests.web import Web


async def refs(tab: Tab) -> dict[str, str]:
    """Return the current refs by the names of their elements."""
    return {node.name: node.ref for node in (await tab.snapshot()).walk() if node.ref}


async def test_a_ref_stays_with_its_element(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<ul id=list><li><button>A</button><li><button>B</button></ul>"))
    assert await refs(tab) == {"A": "@e1", "B": "@e2"}
    await tab.evaluate(
        "list.prepend(list.lastElementChild); document.body.prepend(document.createElement('input')); return 1"
    )
    assert await refs(tab) == {"": "@e3", "B": "@e2", "A": "@e1"}


async def test_no_number_is_used_twice(tab: Tab, web: Web) -> None:
    page = web.page("<button>A</button>")
    await tab.goto(page)
    assert await refs(tab) == {"A": "@e1"}
    await tab.goto(web.page("<button>B</button>"))
    assert await refs(tab) == {"B": "@e2"}
    await tab.goto(page)
    assert await refs(tab) == {"A": "@e3"}


async def test_frames_share_one_counter(tab: Tab, web: Web) -> None:
    inner = web.page("<button>Inner</button>").replace(web.url, web.other_site)
    await tab.goto(web.page(f"<iframe title=F src={inner}></iframe><button>Outer</button>"))
    assert await refs(tab) == {"F": "@e1", "Outer": "@e2", "Inner": "@e3"}


async def test_an_awaited_element_gets_a_number_that_no_other_frame_has(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<iframe title=F srcdoc='<button>Inner</button>'></iframe>"))
    given: list[str] = []

    async def wait_for_late() -> None:
        given.append(await tab.element("#late").ref())

    async with anyio.create_task_group() as group:
        group.start_soon(wait_for_late)
        assert await refs(tab) == {"F": "@e1", "Inner": "@e2"}
        await tab.evaluate("document.body.append(Object.assign(document.createElement('hr'), {id: 'late'}))")
    assert given == ["@e3"]


async def test_a_ref_heals_when_one_element_replaced_its_own(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("<main><h1>Cart</h1><p id=p><button>Pay</button></p><button>Other</button></main>")
    )
    pay = (await refs(tab))["Pay"]
    await tab.evaluate("p.innerHTML = '<button>Pay</button>'; return 1")
    frame, number = await tab.refs.locate(pay)
    assert (frame, f"@e{number}") == (tab.main_frame, pay)
    assert await frame.call("isAlive", number)


async def test_a_ref_heals_after_a_reload_of_the_same_page(tab: Tab, web: Web) -> None:
    page = web.page("<button>Pay</button>")
    await tab.goto(page)
    pay = (await refs(tab))["Pay"]
    await tab.goto(f"{page}?again=1")
    frame, number = await tab.refs.locate(pay)
    assert await frame.call("isAlive", number)


async def test_a_ref_does_not_heal_on_another_page(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button>Pay</button>"))
    pay = (await refs(tab))["Pay"]
    await tab.goto(web.page("<button>Pay</button>"))
    with pytest.raises(Stale) as failure:
        await tab.refs.locate(pay)
    assert str(failure.value) == (
        '@e1 (button "Pay") is not on this page any more. Take a snapshot, then use a ref from it.'
    )


async def test_a_ref_is_stale_when_several_elements_could_have_replaced_its_own(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p id=p><button>Delete</button></p>"))
    delete = (await refs(tab))["Delete"]
    await tab.evaluate("p.innerHTML = '<button>Delete</button><button>Delete</button>'; return 1")
    with pytest.raises(Stale) as failure:
        await tab.refs.locate(delete)
    assert failure.value.message == (
        '@e1 (button "Delete") is not on this page any more, and several similar elements could have replaced it.'
    )


async def test_a_ref_that_was_one_of_several_twins_does_not_heal(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p id=p><button>Delete</button><button>Delete</button></p>"))
    await tab.snapshot()
    await tab.evaluate("p.firstChild.remove(); return 1")
    with pytest.raises(Stale):
        await tab.refs.locate("@e1")
    assert (await tab.refs.locate("@e2"))[1] == 2


async def test_similar_elements_are_distinguished_by_their_place(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("<ul id=l><li><h3>Lamp</h3><button>Buy</button><li><h3>Desk</h3><button>Buy</button></ul>")
    )
    buttons = [node.ref for node in (await tab.snapshot()).walk() if node.role == "button"]
    await tab.evaluate("l.innerHTML = l.innerHTML; return 1")
    frame, number = await tab.refs.locate(buttons[1])
    rows = await frame.call("snapshot", {"root": number})
    assert rows.endswith("\tBuy")


async def test_an_unknown_ref_is_not_found(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button>A</button>"))
    with pytest.raises(NotFound, match="Unknown ref @e99; no snapshot has been taken yet"):
        await tab.refs.locate("@e99")
    await tab.snapshot()
    with pytest.raises(NotFound, match="Unknown ref @e99; the latest is @e1"):
        await tab.refs.locate("@e99")


async def test_a_ref_in_a_removed_frame_is_stale(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<iframe title=F srcdoc='<button>In</button>'></iframe>"))
    inside = (await refs(tab))["In"]
    await tab.evaluate("document.querySelector('iframe').remove(); return 1")
    with pytest.raises(Stale):
        await tab.refs.locate(inside)


async def test_all_refs_of_the_page_and_the_latest_of_earlier_pages_are_known(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<script>document.write('<button>B</button>'.repeat(3_000))</script>"))
    await tab.snapshot()
    assert [(await tab.refs.locate(ref))[1] for ref in ("@e1", "@e3000")] == [1, 3_000]
    for _ in range(5):
        await tab.goto(web.page("<script>document.write('<button>C</button>'.repeat(500))</script>"))
        await tab.snapshot()
    with pytest.raises(NotFound, match=r"^@e1 is too old\."):
        await tab.refs.locate("@e1")
    with pytest.raises(Stale, match=r'^@e3501 \(button "C"\) is not on this page any more'):
        await tab.refs.locate("@e3501")
