"""The dashboard, looked at and used in a browser, by Tabwright itself."""

import base64
import re
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import httpx2
import pytest

from tabwright.browser.screenshot import capture
from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, Denied, NotFound
from tabwright.policy.approvals import Approvals
from tabwright.policy.entry import Entry
from tabwright.policy.identity import Principal
from tabwright.policy.tokens import Tokens
from tabwright.runner import Answer, Call
from tests.doors.wired import Wired, http_door, wired
from tests.web import Web

SHOP = """<!doctype html><title>Shop</title><body style="margin:0">
<button style="position:fixed;left:0;top:0;width:400px;height:300px" onclick="cart.textContent++">Add to cart</button>
<p style="margin-top:400px">Cart: <b id=cart>0</b></p>
<form role=search onsubmit="event.preventDefault(); found.textContent = 'Results for ' + query.value">
<label>Search <input id=query type=search required></label><button>Search</button></form><p id=found></p>
<script>console.log("the shop is open")</script>"""


@pytest.fixture(scope="module")
async def hub(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Wired]:
    async with wired(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.fixture(autouse=True)
async def afterwards(hub: Wired) -> AsyncIterator[None]:
    yield
    hub.runner.held.clear()
    hub.runner.approvals = Approvals()
    await hub.close_sessions()


async def act(hub: Wired, action: str, **args: object) -> Answer:
    """Act as an agent."""
    agent = Principal("local:agent")
    return await hub.runner.run(Call(action=action, args=args, principal=agent, session="shop", door="mcp"))


async def see(tab: Tab, where: str, words: str = "") -> str:
    """Wait until something is shown there that has these words, and return all it says."""
    script = (
        "[...document.querySelectorAll(args[0])].map(e => e.innerText).find(text => text.includes(args[1]))"
    )
    with anyio.fail_after(30):
        return str(await tab.waits.function(script, where, words))


async def picture(tab: Tab) -> None:
    await tab.waits.function("document.querySelector('#screen img').naturalWidth > 300")


async def test_it_can_be_looked_at_empty_busy_with_an_error_in_the_dark_and_on_a_small_screen(
    hub: Wired, tab: Tab, web: Web, tmp_path: Path
) -> None:
    async def look(name: str) -> None:
        shot = await capture(tab)
        (tmp_path / f"dashboard-{name}.jpg").write_bytes(base64.b64decode(shot.data))
        assert await tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), name

    async def press() -> None:
        with pytest.raises(Denied):
            await act(hub, "press", key="Tab")

    async def wait() -> None:
        await act(hub, "wait_for_text", text="Here it is")

    await tab.emulation.viewport(1280, 800)
    await tab.goto(hub.url)
    await see(tab, "#sessions .empty")
    await look("empty")

    hub.runner.approvals = Approvals(["press"])
    await act(hub, "navigate", url=web.page(SHOP))
    await act(hub, "click", target="text=Add to cart")
    await picture(tab)
    await see(tab, "#panel summary", "search")
    [session] = hub.runner.sessions
    async with anyio.create_task_group() as group:
        group.start_soon(press)
        await see(tab, "#waiting div", "wants press")
        group.start_soon(wait)
        await see(tab, "#sessions li", "at work")
        await look("busy")
        await session.tabs[0].evaluate("found.textContent = 'Here it is'")
        await tab.element("#waiting >> text=Refuse").click()

    with pytest.raises(NotFound):
        await act(hub, "click", target="@e99", timeout=0.1)
    await see(tab, "#calls li", "NotFound")
    await look("error")

    await tab.emulation.media(colour_scheme="dark")
    await look("dark")
    await tab.emulation.viewport(390, 800)
    await look("narrow")


async def test_an_agent_is_watched_at_work(hub: Wired, tab: Tab, web: Web) -> None:
    await tab.goto(hub.url)
    assert await see(tab, "#sessions .empty") == (
        "No session is open. One appears with the first call of an agent."
    )

    url = web.page(SHOP)
    await act(hub, "navigate", url=url)
    await act(hub, "click", target="text=Add to cart")
    with pytest.raises(NotFound):
        await act(hub, "click", target="@e99", timeout=0.1)

    assert "local:agent" in await see(tab, "#sessions li")
    assert await see(tab, "#address", "http") == url
    assert "@e99 was never given out" in await see(tab, "#calls li", "NotFound")
    clicked = await see(tab, "#calls li", "Add to cart")
    assert re.match(r'click done \d+ ms {"target": "text=Add to cart"} ', " ".join(clicked.split()))
    assert '~ "Cart: 1"' in clicked
    await picture(tab)


async def test_a_page_s_tools_are_tried_and_its_console_and_requests_are_read(
    hub: Wired, tab: Tab, web: Web
) -> None:
    await act(hub, "navigate", url=web.page(SHOP))
    await tab.goto(hub.url)

    await see(tab, "#panel summary", "search")
    await tab.element("#panel summary >> text=search").click()
    await tab.element("label=query").fill("tea")
    await tab.element("text=Run search").click()
    assert "Results for tea" in await see(tab, "#panel pre", "Results")
    assert "Results for tea" in (await act(hub, "snapshot")).text

    await tab.element("role=tab[name='Console']").click()
    assert "the shop is open" in await see(tab, "#panel pre", "open")
    await tab.element("role=tab[name='Network']").click()
    assert "GET" in await see(tab, "#panel pre", "GET")


async def test_a_person_takes_over_and_hands_back(hub: Wired, tab: Tab, web: Web) -> None:
    await act(hub, "navigate", url=web.page(SHOP))
    await tab.goto(hub.url)
    await picture(tab)

    await tab.element("text=Take over").click()
    await see(tab, "#hold", "Hand back")
    with pytest.raises(Blocked, match="A person has taken over session shop"):
        await act(hub, "snapshot")

    box = await tab.element("#screen img").box()
    await tab.element("#screen img").click(position=(box.width * 100 / 1280, box.width * 100 / 1280))
    [session] = hub.runner.sessions
    [page] = session.tabs
    await page.waits.function("cart.textContent === '1'")
    await page.evaluate("query.focus()")
    await tab.keyboard.type("Tea!")
    await tab.keyboard.press("Enter")
    await page.waits.function("found.textContent === 'Results for Tea!'")

    await tab.element("text=Hand back").click()
    await see(tab, "#hold", "Take over")
    assert "Results for Tea!" in (await act(hub, "snapshot")).text


async def test_a_person_allows_and_refuses_what_waits_for_them(hub: Wired, tab: Tab, web: Web) -> None:
    hub.runner.approvals = Approvals(["press"])
    await act(hub, "navigate", url=web.page(SHOP))
    await tab.goto(hub.url)
    outcomes: list[str] = []

    async def press() -> None:
        try:
            await act(hub, "press", key="Tab")
            outcomes.append("done")
        except Exception as error:
            outcomes.append(str(error))

    for answer in ("Allow", "Refuse"):
        async with anyio.create_task_group() as group:
            group.start_soon(press)
            assert "local:agent wants press" in await see(tab, "#waiting div")
            box = await tab.element(f"#waiting >> text={answer}").box()
            await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
            await tab.mouse.down()
            # What happens meanwhile takes the button from under nobody.
            url = web.page(SHOP)
            await act(hub, "navigate", url=url)
            await see(tab, "#address", url)
            await tab.mouse.up()
    assert outcomes == ["done", "A person refused press. Ask them what to do instead."]


async def test_a_session_is_ended_after_a_question(hub: Wired, tab: Tab, web: Web) -> None:
    await act(hub, "navigate", url=web.page(SHOP))
    await tab.goto(hub.url)
    async with anyio.create_task_group() as group:
        group.start_soon(tab.element("text=End session").click)
        with anyio.fail_after(20):
            await tab.changed.until(lambda: tab.dialogs.open is not None)
        await tab.dialogs.accept()
    await see(tab, "#sessions .empty")
    assert list(hub.runner.sessions) == []


async def test_where_tokens_are_asked_for_the_page_asks_for_one(
    hub: Wired, tab: Tab, web: Web, tmp_path: Path
) -> None:
    tokens = Tokens(tmp_path / "tokens.json")
    reader, chief = (tokens.create(name, scopes)[1] for name, scopes in (("r", ["read"]), ("c", ["admin"])))
    await act(hub, "navigate", url=web.page(SHOP))
    async with http_door(hub.runner, tmp_path, entry=Entry(tokens)) as url:
        await tab.goto(url)
        assert "A token is needed" in await see(tab, "#status", "token")
        await tab.element("#entry input").fill(reader)
        await tab.element("text=Enter").click()
        assert "The dashboard needs the scope admin." in await see(tab, "#status", "scope")
        await tab.element("#entry input").fill(chief)
        await tab.element("text=Enter").click()
        assert "shop" in await see(tab, "#sessions li")


@pytest.mark.parametrize("path", ["run", "hold", "input", "decide", "stop"])
async def test_pages_of_other_sites_and_malformed_orders_are_refused(hub: Wired, path: str) -> None:
    async with httpx2.AsyncClient(base_url=hub.url, timeout=30) as client:
        foreign = {"origin": "https://evil.example", "content-type": "application/json"}
        assert (await client.post(f"/api/dashboard/{path}", headers=foreign, content="{}")).status_code == 403
        malformed = await client.post(f"/api/dashboard/{path}", json={"nonsense": 1})
        assert (malformed.status_code, malformed.json()["error"]["class"]) == (400, "InvalidArgs")
