"""The dashboard, used in a browser by Tabwright itself."""

import base64
import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import anyio
import httpx2
import pytest

from tabwright.app import running
from tabwright.browser.browser import Browser
from tabwright.browser.capture.screenshot import capture
from tabwright.browser.context import Context
from tabwright.browser.tab import Tab
from tabwright.call import Answer, Call
from tabwright.errors import Blocked, Denied, NotFound
from tabwright.home import Home
from tabwright.policy.callers.approvals import Approvals
from tabwright.policy.callers.http_auth import HttpAuth
from tabwright.policy.callers.principal import Principal
from tabwright.policy.callers.tokens import Tokens
from tabwright.settings import SecuritySettings, Settings
from tests.doors.http.wired import Wired, http_door, wired
from tests.web import Response, Web

pytestmark = pytest.mark.usefixtures("as_owner")

SHOP = """<!doctype html><title>Shop</title><body style="margin:0">
<button style="position:fixed;left:0;top:0;width:400px;height:300px" onclick="cart.textContent++">Add to cart</button>
<p style="margin-top:400px">Cart: <b id=cart>0</b></p>
<form role=search onsubmit="event.preventDefault(); found.textContent = 'Results for ' + query.value">
<label>Search <input id=query type=search required></label><button>Search</button></form><p id=found></p>
<script>console.log("the shop is open")</script>"""


@pytest.fixture(scope="module")
async def hub(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Wired]:
    # Starts the shared browser first: started later, it would outlive the hub that was opened before it.
    async with wired(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.fixture(autouse=True)
async def reset(hub: Wired) -> AsyncIterator[None]:
    yield
    for session in hub.runner.sessions:
        session.hand_back()
    hub.runner.approvals = Approvals()
    await hub.close_sessions()


async def act(hub: Wired, action: str, **args: object) -> Answer:
    """Run an action as an agent."""
    agent = Principal("local:agent")
    return await hub.runner.run(Call(action=action, args=args, principal=agent, session="shop", door="mcp"))


async def see(tab: Tab, selector: str, text: str = "") -> str:
    """Wait until an element contains a text, and return its whole text."""
    script = (
        "[...document.querySelectorAll(args[0])].map(e => e.innerText).find(text => text.includes(args[1]))"
    )
    with anyio.fail_after(60):
        return str(await tab.waits.function(script, selector, text))


async def wait_for_picture(tab: Tab) -> None:
    await tab.waits.function("document.querySelector('#screen img').naturalWidth > 300")


async def test_it_renders_empty_busy_failing_dark_and_on_a_small_screen(
    hub: Wired, tab: Tab, web: Web, tmp_path: Path
) -> None:
    async def check_layout(name: str) -> None:
        shot = await capture(tab)
        (tmp_path / f"dashboard-{name}.jpg").write_bytes(base64.b64decode(shot.data))
        assert await tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), name

    async def hover() -> None:
        with pytest.raises(Denied):
            await act(hub, "hover", target="text=Add to cart")

    async def wait() -> None:
        await act(hub, "wait_for_text", text="Here it is")

    await tab.emulation.set_viewport(1280, 800)
    await tab.goto(hub.url)
    await see(tab, "header", "version")
    await see(tab, "#start dl", "Without an agent")
    await check_layout("empty")

    hub.runner.approvals = Approvals(["hover"])
    url = web.page(SHOP)
    await act(hub, "navigate", url=url)
    await act(hub, "click", target="text=Add to cart")
    await wait_for_picture(tab)
    await see(tab, "#panel summary", "search")
    [session] = hub.runner.sessions
    async with anyio.create_task_group() as group:
        group.start_soon(hover)
        question = " ".join((await see(tab, "#waiting > div", "wants")).split())
        assert re.fullmatch(
            r'local:agent wants hover on button "Add to cart" in shop '
            rf'{{"target":"text=Add to cart"}} on {url} [12]:\d\d left Allow Refuse',
            question,
        )
        group.start_soon(wait)
        await see(tab, "#sessions li", "busy")
        await check_layout("busy")
        await session.tabs[0].evaluate("found.textContent = 'Here it is'")
        await tab.element("#waiting >> text=Refuse").click()

    with pytest.raises(NotFound):
        await act(hub, "click", target="@e99", timeout=0.1)
    await see(tab, "#calls li", "NotFound")
    await check_layout("error")

    await tab.emulation.set_media(colour_scheme="dark")
    await check_layout("dark")
    await tab.emulation.set_viewport(390, 800)
    await check_layout("narrow")


async def test_without_sessions_it_explains_how_to_connect_an_agent(hub: Wired, tab: Tab, web: Web) -> None:
    program = Path(sys.executable).parent / "tabwright"
    await tab.context.permissions.grant("clipboard-read", "clipboard-write", origin=hub.url)
    await tab.goto(hub.url)
    lines = (await see(tab, "#start dl", "Without an agent")).splitlines()
    shown = [line for line in lines if line not in ("", "Copy")]
    by_hand = f'{{"command": "{program}", "args": ["mcp"]}}'
    assert dict(zip(shown[::2], shown[1::2], strict=True)) == {
        "Your client": f"{program} config",
        "Claude Code": f"{program} config claude-code --write",
        "Codex": f"{program} config codex --write",
        "Cursor": f"{program} config cursor --write",
        "VS Code": f"{program} config vscode --write",
        "By hand": f'{{"mcpServers": {{"tabwright": {by_hand}}}}}',
        "VS Code format": f'{{"servers": {{"tabwright": {{"type": "stdio", {by_hand[1:]}}}}}',
        "Without an agent": f"{program} demo",
    }
    await tab.element("label=Copy for Cursor").click()
    await see(tab, "#start button", "Copied")
    copied = await tab.session.send(
        "Runtime.evaluate", expression="navigator.clipboard.readText()", awaitPromise=True, userGesture=True
    )
    assert copied["result"]["value"] == f"{program} config cursor --write"
    await act(hub, "navigate", url=web.page(SHOP))
    await wait_for_picture(tab)
    assert await tab.evaluate("document.querySelector('#start').checkVisibility()") is False


async def test_a_person_watches_an_agent_work(hub: Wired, tab: Tab, web: Web) -> None:
    await tab.goto(hub.url)
    assert await see(tab, "#sessions .empty") == ("No open sessions. The first call of an agent opens one.")

    url = web.page(SHOP)
    await act(hub, "navigate", url=url)
    await act(hub, "click", target="text=Add to cart")
    with pytest.raises(NotFound):
        await act(hub, "click", target="@e99", timeout=0.1)

    assert "local:agent" in await see(tab, "#sessions li")
    assert await see(tab, "#address", "http") == url
    assert "Unknown ref @e99" in await see(tab, "#calls li", "NotFound")
    clicked = await see(tab, "#calls li", "Add to cart")
    assert re.match(r'click done \d+ ms {"target": "text=Add to cart"} ', " ".join(clicked.split()))
    assert '~ "Cart: 1"' in clicked
    await wait_for_picture(tab)


async def test_page_tools_console_and_network_are_shown(hub: Wired, tab: Tab, web: Web) -> None:
    await act(hub, "navigate", url=web.page(SHOP))
    await tab.goto(hub.url)

    await see(tab, "#panel summary", "search")
    await tab.element("#panel summary >> text=search").click()
    await tab.element("label=query").fill("tea")
    await tab.element("text=Run search").click()
    assert "Results for tea" in await see(tab, "#outcome", "Results")
    assert "Results for tea" in (await act(hub, "snapshot")).text

    await tab.element("role=tab[name='Console']").click()
    assert "the shop is open" in await see(tab, "#panel pre", "open")
    await tab.element("role=tab[name='Network']").click()
    assert "GET" in await see(tab, "#panel pre", "GET")


async def test_a_person_takes_over_and_hands_back(hub: Wired, tab: Tab, web: Web) -> None:
    await act(hub, "navigate", url=web.page(SHOP))
    await tab.goto(hub.url)
    await wait_for_picture(tab)

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
    # The layout does not move under the pointer when the picture loses the focus.
    await tab.element("#panel summary >> text=search").click()
    assert await tab.evaluate("document.querySelector('#panel details').open")

    await tab.element("text=Hand back").click()
    await see(tab, "#hold", "Take over")
    assert "Results for Tea!" in (await act(hub, "snapshot")).text


async def take_over(hub: Wired, tab: Tab, url: str) -> Tab:
    """Let an agent open a page and a person take over its session; return the agent's tab."""
    await act(hub, "navigate", url=url)
    await tab.goto(hub.url)
    await see(tab, "#address", url)
    await wait_for_picture(tab)
    await tab.element("text=Take over").click()
    await see(tab, "#hold", "Hand back")
    await tab.waits.function("document.activeElement.id === 'screen'")
    [session] = hub.runner.sessions
    [page] = session.tabs
    return page


async def point(tab: Tab, x: float, y: float) -> tuple[float, float]:
    """Return where the dashboard shows a point of the agent's page."""
    box = await tab.element("#screen img").box()
    return box.x + x * box.width / 1280, box.y + y * box.width / 1280


async def drag(tab: Tab, start: tuple[float, float], end: tuple[float, float]) -> None:
    await tab.mouse.move(*start)
    await tab.mouse.down()
    await tab.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    await tab.mouse.move(*end)
    await tab.mouse.up()


async def test_a_person_drags_and_selects_beyond_the_edge_of_the_picture(
    hub: Wired, tab: Tab, web: Web
) -> None:
    page = await take_over(
        hub,
        tab,
        web.page(
            "<body style='margin:0;font:40px monospace'><input id=level type=range min=0 max=100 value=0 "
            "style='width:1000px;height:60px;margin:0'><p style='margin:0'>Words to be selected</p>"
            "<script>addEventListener('mouseup', () => document.title += '|')</script>"
        ),
    )
    await drag(tab, await point(tab, 8, 30), await point(tab, 800, 30))
    await page.waits.function("level.value > 75 && level.value < 85")
    await drag(tab, await point(tab, 1, 90), await point(tab, 500, 90))
    await page.waits.function("getSelection().toString().startsWith('Words to be sel')")
    await page.evaluate("getSelection().empty()")  # otherwise the selection would be dragged
    # A button that is released outside the picture is released in the page too.
    await drag(tab, await point(tab, 600, 300), (5, 5))
    await page.waits.function("document.title === '|||'")


async def test_a_person_pastes_into_the_page(hub: Wired, tab: Tab, web: Web) -> None:
    page = await take_over(hub, tab, web.page("<textarea id=note autofocus></textarea>"))
    await page.evaluate("note.focus()")
    # A person copies a text; here, the address that the dashboard shows.
    await tab.element("#hold").focus()
    await tab.evaluate("getSelection().selectAllChildren(document.querySelector('#address'))")
    await tab.keyboard.press("Control+c" if not tab.keyboard.is_mac else "Meta+c")
    await tab.element("#screen").focus()
    await tab.keyboard.press("Control+v" if not tab.keyboard.is_mac else "Meta+v")
    await page.waits.function("note.value === location.href")


async def test_the_dashboard_works_with_the_keyboard_alone(hub: Wired, tab: Tab, web: Web) -> None:
    async def tab_to(text: str) -> None:
        """Press Tab until the focused element contains a text."""
        script = "(({id, innerText, name}) => [id, innerText, name].join(' '))(document.querySelector(':focus') ?? {})"
        seen: list[str] = []
        while text not in (now := str(await tab.evaluate(script))):
            assert len(seen) < 40, seen
            seen.append(now)
            await tab.keyboard.press("Tab")

    hub.runner.approvals = Approvals(["press"])
    first, second = web.page(f"<title>First</title>{SHOP}"), web.page(f"<title>Second</title>{SHOP}")
    await act(hub, "navigate", url=first)
    await act(hub, "new_tab", url=second)
    [session] = hub.runner.sessions
    page = session.tabs[0]
    await tab.goto(hub.url)
    await see(tab, "#address", second)

    await tab_to(first.removeprefix("http://"))
    await tab.keyboard.press("Enter")
    await see(tab, "#address", first)
    await wait_for_picture(tab)
    await see(tab, "#panel summary", "search")

    await tab_to("Take over")
    await tab.keyboard.press("Enter")
    assert await see(tab, "#keys", "Escape") == (
        "You have taken over this session. Click the picture or move to it with Tab; all keys then go to "
        "the page, including Tab. Press Escape twice to return."
    )
    await tab.waits.function("document.activeElement.id === 'screen'")
    role_and_label = "[...['role', 'aria-label'].map(name => document.activeElement.getAttribute(name))]"
    assert await tab.evaluate(role_and_label) == ["application", "Live view of the page"]
    await page.evaluate("query.focus()")
    await tab.keyboard.type("Tea")
    await tab.keyboard.press("Enter")
    await page.waits.function("found.textContent === 'Results for Tea'")
    await tab.keyboard.press("Tab")
    await page.waits.function("document.activeElement.textContent === 'Search'")
    await tab.keyboard.press("Escape")
    await tab.keyboard.press("Escape")
    assert await tab.evaluate("document.activeElement.id") == "hold"
    await tab.keyboard.press("Enter")
    await see(tab, "#hold", "Take over")
    assert await tab.evaluate("document.activeElement.id") == "hold"

    await tab_to("Page tools")
    await tab.keyboard.press("ArrowRight")
    await see(tab, "#panel pre", "the shop is open")
    await tab.keyboard.press("ArrowLeft")
    await see(tab, "#panel summary", "search")
    await tab_to("search")
    await tab.keyboard.press("Enter")
    await tab_to("query")
    await tab.keyboard.type("Coffee")
    await tab.keyboard.press("Enter")
    assert "Results for Coffee" in await see(tab, "#outcome", "Results")

    async with anyio.create_task_group() as group:
        group.start_soon(act_once, hub, "press", "Tab")
        await see(tab, "#waiting div", "wants press")
        await tab_to("Allow")
        await tab.keyboard.press("Enter")


async def act_once(hub: Wired, action: str, key: str) -> None:
    await act(hub, action, key=key)


FORM = """<title>Form</title><form onsubmit="event.preventDefault(); result.textContent =
 this.elements.namedItem('length').value + ' of ' + this.elements.namedItem('item').value" aria-label="Measure">
<label>length <input name=length required></label><label>item <input name=item required></label><button>Measure</button></form><p id=result></p>
<script>
document.modelContext.registerTool({
    name: "order", description: "Order things.",
    inputSchema: { type: "object", required: ["sizes", "to"], properties: {
        sizes: { type: "array", items: { type: "integer" } }, to: { type: "object", properties: { city: { type: "string" } } },
        kind: { enum: [1, 2] } } },
    execute: given => ({ content: [{ type: "text", text: JSON.stringify(given) }] }),
});
</script>"""


async def test_arguments_have_the_types_of_the_schema_whatever_their_names(
    hub: Wired, tab: Tab, web: Web
) -> None:
    await act(hub, "navigate", url=web.page(FORM))
    await tab.goto(hub.url)
    await see(tab, "#panel summary", "measure")
    await tab.element("#panel summary >> text=measure").click()
    await tab.element("#panel [name=length]").fill("12")
    await tab.element("#panel [name=item]").fill("tea")
    await tab.element("text=Run measure").click()
    assert '"12 of tea"' in await see(tab, "#outcome", "12")

    await tab.element("#panel summary >> text=order").click()
    await tab.element("#panel [name=sizes]").fill("1, two")
    await tab.element("#panel [name=to]").fill('{"city": "Ulm"}')
    await tab.element("#panel [name=kind]").select_option("2")
    await tab.element("text=Run order").click()
    await see(tab, "#outcome", 'sizes: "two" is not a number.')
    await tab.element("#panel [name=sizes]").fill("1, 2")
    await tab.element("text=Run order").click()
    assert '{"kind":2,"sizes":[1,2],"to":{"city":"Ulm"}}' in await see(tab, "#outcome", "Ulm")


async def test_the_panels_follow_the_page_that_the_tab_shows(hub: Wired, tab: Tab, web: Web) -> None:
    await act(hub, "navigate", url=web.page(SHOP))
    await tab.goto(hub.url)
    await see(tab, "#panel summary", "search")
    await act(hub, "navigate", url=web.page("<title>Plain</title><script>console.log('plain')</script>"))
    await see(tab, "#panel", "This page has no tools.")
    await tab.element("role=tab[name='Console']").click()
    await see(tab, "#panel pre", "plain")
    await act(hub, "navigate", url=web.page("<script>console.log('the third')</script>"))
    await see(tab, "#panel pre", "the third")


async def test_sessions_of_two_owners_with_the_same_name_are_distinct(hub: Wired, tab: Tab, web: Web) -> None:
    for owner, page in (("local:one", "<title>One</title>"), ("local:two", "<title>Two</title>")):
        await hub.runner.run(
            Call(action="navigate", args={"url": web.page(page)}, principal=Principal(owner))
        )
    await tab.goto(hub.url)
    await see(tab, "#calls li", "local:two")
    await tab.element("#only").click()
    shown = "[...document.querySelectorAll('#calls li .dim')].map(line => line.innerText.split(' · ')[1])"
    [one, two] = [f"{session.owner} {session.name}" for session in hub.runner.sessions]
    for key, owner in ((one, "local:one"), (two, "local:two")):
        await tab.element(f"#sessions li[data-key='{key}'] button").click()
        await tab.waits.function(f"{shown}.join() === args[0]", owner)


async def test_an_error_stays_until_it_is_closed(hub: Wired, tab: Tab, web: Web) -> None:
    await act(hub, "navigate", url=web.page(SHOP))
    await tab.goto(hub.url)
    await see(tab, "#address", "http")
    error = '{"error": {"message": "This session is gone.", "hint": "Choose another."}}'
    await tab.context.interception.mock("*/api/dashboard/hold", status=404, body=error)
    await tab.element("text=Take over").click()
    await see(tab, "#error", "This session is gone. Choose another.")
    another = web.page("<title>Another</title>")
    await act(hub, "new_tab", url=another)
    await see(tab, "#sessions li", another.removeprefix("http://"))
    assert "This session is gone. Choose another." in await see(tab, "#error")
    await tab.element("#error >> text=Close").click()
    await tab.waits.function("document.querySelector('#error').innerText === ''")


async def test_more_windows_than_connections_still_work(hub: Wired, context: Context, web: Web) -> None:
    await act(hub, "navigate", url=web.page(SHOP))
    windows = [await context.new_tab() for _ in range(7)]
    for window in windows:
        await window.goto(hub.url)
        await wait_for_picture(window)
    delayed = "updates every 2 seconds because 4 other windows are live"
    for number, window in enumerate(windows, 1):
        assert (delayed in await see(window, "#status", "1 session")) == (number > 4)
    await windows[-1].element("text=Take over").click()
    for window in windows:
        await see(window, "#hold", "Hand back")
    await windows[-1].waits.function("document.activeElement.id === 'screen'")
    # Only the window where the person took over has the focus in its picture.
    focused = [await window.evaluate("document.activeElement.id") for window in windows]
    assert focused == ["", "", "", "", "", "", "screen"]
    for window in windows[:3]:
        await window.close()
    for window in windows[3:]:
        await window.waits.function("!document.querySelector('#status').innerText.includes(args[0])", delayed)


async def test_a_dialog_of_the_page_is_answered(hub: Wired, tab: Tab, web: Web) -> None:
    url = web.page(
        "<button onclick=\"answer.textContent = prompt('Your name?', 'Ann')\">Ask</button>"
        "<button onclick=\"answer.textContent = confirm('Sure?')\">Confirm</button><p id=answer></p>"
    )
    await act(hub, "navigate", url=url)
    await act(hub, "click", target="text=Ask")
    await tab.goto(hub.url)
    assert "The page shows a dialog (prompt): Your name?" in await see(tab, "#dialog form")
    assert "dialog" in await see(tab, "#sessions button", "dialog")
    assert await tab.element("#dialog input").value() == "Ann"
    await tab.element("#dialog input").fill("Bo")
    await tab.element("#dialog >> text=OK").click()
    [session] = hub.runner.sessions
    [page] = session.tabs
    await tab.waits.function("!document.querySelector('#dialog form')")
    await page.waits.function("answer.textContent === 'Bo'")
    await act(hub, "click", target="text=Confirm")
    await see(tab, "#dialog form", "Sure?")
    await tab.element("#dialog >> text=Cancel").click()
    await tab.waits.function("!document.querySelector('#dialog form')")
    await page.waits.function("answer.textContent === 'false'")
    assert await see(tab, "#calls li", "answer_dialog")


async def test_a_person_allows_and_refuses_calls(hub: Wired, tab: Tab, web: Web) -> None:
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

    for answer, meanwhile in (("Allow", "scroll"), ("Refuse", "get_page")):
        async with anyio.create_task_group() as group:
            group.start_soon(press)
            assert "local:agent wants press" in await see(tab, "#waiting div")
            box = await tab.element(f"#waiting >> text={answer}").box()
            await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
            await tab.mouse.down()
            # The button must not move while other things happen.
            await act(hub, meanwhile)
            await see(tab, "#calls li", meanwhile)
            await tab.mouse.up()
    assert outcomes == ["done", "A person refused press. Ask them what to do instead."]


async def test_ending_a_session_asks_for_confirmation(hub: Wired, tab: Tab, web: Web) -> None:
    await act(hub, "navigate", url=web.page(SHOP))
    await tab.goto(hub.url)
    async with anyio.create_task_group() as group:
        group.start_soon(tab.element("text=End session").click)
        with anyio.fail_after(60):
            await tab.changed.until(lambda: tab.dialogs.open is not None)
        await tab.dialogs.accept()
    await see(tab, "#status", "0 sessions")
    assert list(hub.runner.sessions) == []


async def post(hub: Wired, path: str, body: dict[str, object]) -> dict[str, Any]:
    """Send a request as the page does."""
    async with httpx2.AsyncClient(base_url=hub.url, timeout=30) as client:
        answer = await client.post(f"/api/dashboard/{path}", json=body)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


async def test_inspecting_a_tab_changes_nothing_for_the_agent(hub: Wired, web: Web, tmp_path: Path) -> None:
    web.route("/file", lambda _: Response("x", headers={"content-disposition": "attachment; filename=a.txt"}))
    await act(hub, "navigate", url=web.page(f"{SHOP}<a href=/file>File</a>"))
    [session] = hub.runner.sessions
    [tab] = session.tabs
    session.add_note("Session shop is back: 1 tab.")
    downloads = session.context.downloads
    await downloads.save_to(tmp_path)
    await tab.element("text=File").click()
    await downloads.wait_for_end(await downloads.wait_for_start(after=0))
    before = hub.runner.journal.last

    where = {"session": "local:agent shop", "tab": tab.id}
    tools = await post(hub, "look", {**where, "at": "tools"})
    assert [tool["name"] for tool in tools["tools"]] == ["search", "add_to_cart"]
    assert "the shop is open" in str(await post(hub, "look", {**where, "at": "console"}))
    assert "GET" in str(await post(hub, "look", {**where, "at": "network"}))
    assert hub.runner.journal.last == before

    answer = await act(hub, "list_tabs")
    assert answer.text.startswith("Session shop is back: 1 tab.")
    assert [file.mime for file in answer.artifacts] == ["text/plain"]


async def test_what_a_person_does_is_logged_under_their_name(hub: Wired, web: Web) -> None:
    hub.runner.approvals = Approvals(["press"])
    await act(hub, "navigate", url=web.page(SHOP))
    [session] = hub.runner.sessions
    where: dict[str, object] = {"session": "local:agent shop", "tab": session.tabs[0].id}
    before = hub.runner.journal.last
    async with anyio.create_task_group() as group:
        for allow in (True, False):
            group.start_soon(press_or_be_denied, hub)
            with anyio.fail_after(60):
                await hub.runner.approvals.changed.until(lambda: bool(hub.runner.approvals.waiting))
            [question] = hub.runner.approvals.waiting
            await post(hub, "decide", {"number": question.number, "allow": allow})
            with anyio.fail_after(60):
                await hub.runner.approvals.changed.until(lambda: not hub.runner.approvals.waiting)
    await post(hub, "hold", {**where, "hold": True})
    await post(hub, "run", {**where, "action": "snapshot"})
    await post(hub, "hold", {**where, "hold": False})
    await post(hub, "stop", {"session": "local:agent shop"})
    lines = [line for line in hub.runner.journal.after(before) if line.door == "dashboard"]
    assert {(line.who, line.owner, line.session) for line in lines} == {
        ("local:person", "local:agent", "shop")
    }
    assert [(line.action, line.args) for line in lines] == [
        ("allow", '{"action": "press"}'),
        ("refuse", '{"action": "press"}'),
        ("take_over", ""),
        ("snapshot", ""),
        ("hand_back", ""),
        ("end_session", ""),
    ]


async def press_or_be_denied(hub: Wired) -> None:
    with suppress(Denied):
        await act(hub, "press", key="Tab")


async def test_input_of_a_person_keeps_a_session_alive(hub: Wired, web: Web) -> None:
    await act(hub, "navigate", url=web.page(SHOP))
    [session] = hub.runner.sessions
    where = {"session": "local:agent shop", "tab": session.tabs[0].id}
    await post(hub, "hold", {**where, "hold": True})
    session.touch(seconds_ago=3_600)
    move = {"kind": "mouse", "type": "mouseMoved", "x": 1, "y": 1, "button": "none"}
    await post(hub, "input", {**where, "event": move})
    assert session.idle_seconds < 60


async def test_the_session_of_a_profile_can_be_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABWRIGHT_HOME", str(tmp_path))
    me = Principal("local:me", folder=tmp_path)
    async with (
        running(Settings(), Home.find()) as runner,
        http_door(runner, tmp_path) as url,
    ):
        await runner.run(Call(action="create_profile", args={"name": "Work"}, principal=me))
        await runner.run(Call(action="launch_browser", args={"profile_id": "work"}, principal=me))
        [session] = runner.sessions
        await post(Wired(url, runner), "stop", {"session": f"{session.owner} {session.name}"})
        assert list(runner.sessions) == []
        [entry] = [line for line in Home.find().audit.read_text().splitlines() if "end_session" in line]
        assert json.loads(entry)["who"] == "local:person"


async def test_the_settings_choose_which_actions_need_approval(web: Web) -> None:
    async with running(Settings(security=SecuritySettings(confirm=("press",)))) as runner:
        agent = Principal("local:agent")
        await runner.run(Call(action="navigate", args={"url": web.page(SHOP)}, principal=agent))
        async with anyio.create_task_group() as group:
            group.start_soon(runner.run, Call(action="press", args={"key": "Tab"}, principal=agent))
            with anyio.fail_after(60):
                await runner.approvals.changed.until(lambda: bool(runner.approvals.waiting))
            [question] = runner.approvals.waiting
            assert question.action == "press"
            runner.approvals.decide(question.number, allow=True)


async def test_the_page_requests_nothing_from_other_origins(hub: Wired, tab: Tab, web: Web) -> None:
    async with httpx2.AsyncClient(base_url=hub.url) as client:
        assert (await client.get("/")).headers["content-security-policy"] == (
            "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
            "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        )
    await act(hub, "navigate", url=web.page(SHOP))
    await tab.goto(hub.url)
    await wait_for_picture(tab)
    await see(tab, "#panel summary", "search")
    urls = [exchange.url for exchange in tab.network.exchanges()]
    assert f"{hub.url}/dashboard/main.js" in urls
    assert [url for url in urls if not url.startswith((f"{hub.url}/", "data:"))] == []
    assert [str(message) for message in tab.console.messages(kind="error")] == []


async def test_a_hidden_window_drops_its_stream(hub: Wired, tab: Tab, web: Web) -> None:
    await act(hub, "navigate", url=web.page(SHOP))
    await tab.goto(hub.url)
    await wait_for_picture(tab)
    visible, url = await tab.context.new_tab(hub.url), web.page("<title>Next</title>")

    async def set_hidden(hidden: str) -> None:
        script = (
            f"Object.defineProperty(document, 'hidden', {{ value: {hidden}, configurable: true }});"
            "document.dispatchEvent(new Event('visibilitychange'))"
        )
        await tab.session.send("Runtime.evaluate", expression=script)

    await set_hidden("true")
    await act(hub, "navigate", url=url)
    await see(visible, "#address", url)
    assert url not in str(await tab.evaluate("document.body.innerText"))
    await set_hidden("false")
    await see(tab, "#address", url)


CONTRAST = """selector => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const light = colour => {
        canvas.fillStyle = "white"; canvas.fillStyle = getComputedStyle(document.documentElement).colorScheme && colour;
        canvas.clearRect(0, 0, 1, 1); canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = matchMedia("(prefers-color-scheme: dark)").matches ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)";
    const pair = [light(getComputedStyle(document.querySelector(selector)).borderTopColor), light(ground)].sort((a, b) => b - a);
    return (pair[0] + 0.05) / (pair[1] + 0.05);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_it_meets_accessibility_rules(
    hub: Wired, tab: Tab, web: Web, scheme: Literal["light", "dark"]
) -> None:
    await tab.emulation.set_media(colour_scheme=scheme)
    await act(hub, "navigate", url=web.page(SHOP))
    await tab.goto(hub.url)
    await see(tab, "#panel summary", "search")
    await tab.element("#panel summary >> text=search").click()
    for selector in ("#panel input", "#hold", "#refresh"):
        assert await tab.evaluate(f"({CONTRAST})(args[0])", selector) >= 3, selector
    outline = str(await tab.snapshot())
    assert 'tablist "About this tab"' in outline
    assert 'tabpanel "Page tools"' in outline
    tabs = "[...document.querySelector('[role=tablist]').children].map(one => one.getAttribute('role') + one.getAttribute('aria-controls'))"
    assert await tab.evaluate(tabs) == ["tabpanel"] * 3
    # Screen readers announce every write to the status, so an unchanged one is not written again.
    await tab.evaluate(
        "window.writes = 0; new MutationObserver(all => { writes += all.length; }).observe(document.querySelector('#status'), "
        "{ childList: true, characterData: true, subtree: true })"
    )
    await act(hub, "click", target="text=Add to cart")
    await see(tab, "#calls li", "Add to cart")
    assert await tab.evaluate("writes") == 0


async def test_the_page_asks_for_a_token_where_one_is_needed(
    hub: Wired, tab: Tab, web: Web, tmp_path: Path
) -> None:
    tokens = Tokens(tmp_path / "tokens.json")
    reader, chief = (tokens.create(name, scopes)[1] for name, scopes in (("r", ["read"]), ("c", ["admin"])))
    await act(hub, "navigate", url=web.page(SHOP))
    async with http_door(hub.runner, tmp_path, auth=HttpAuth(tokens)) as url:
        await tab.goto(url)
        status = await see(tab, "#status", "token")
        assert "tabwright token create NAME (for the dashboard: --scope admin)" in status
        assert "tabwright token create NAME --scope admin" in await see(tab, "#entry", "token")
        await tab.element("#entry input").fill(reader)
        await tab.element("text=Sign in").click()
        assert "The dashboard needs the scope admin." in await see(tab, "#status", "needs the scope")
        await tab.element("#entry input").fill(chief)
        await tab.element("text=Sign in").click()
        assert "shop" in await see(tab, "#sessions li")


@pytest.mark.parametrize("path", ["look", "run", "hold", "input", "decide", "reply", "stop"])
async def test_other_sites_and_malformed_requests_are_refused(hub: Wired, path: str) -> None:
    async with httpx2.AsyncClient(base_url=hub.url, timeout=30) as client:
        foreign = {"origin": "https://evil.example", "content-type": "application/json"}
        assert (await client.post(f"/api/dashboard/{path}", headers=foreign, content="{}")).status_code == 403
        malformed = await client.post(f"/api/dashboard/{path}", json={"nonsense": 1})
        assert (malformed.status_code, malformed.json()["error"]["class"]) == (400, "InvalidArgs")
