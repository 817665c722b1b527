"""Effects: what an action changed, as the answer reports it."""

import anyio
import pytest

from tabwright.browser.context import Context
from tabwright.browser.snapshot.effects_report import MAX_CHARACTERS
from tabwright.browser.snapshot.observe import observe
from tabwright.browser.tab import Tab
from tests.web import Response, Web, never


async def click(tab: Tab, selector: str, *, patience: float = 5.0) -> str:
    """Click an element with a trusted click; return the effects."""

    async def action() -> None:
        x, y = await tab.evaluate(
            "const box = document.querySelector(args[0]).getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]",
            selector,
        )
        for kind in ("mousePressed", "mouseReleased"):
            tab.session.post("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    _, effects = await observe(tab, action, patience=patience)
    return str(effects)


async def test_an_action_without_effect_reports_that_nothing_changed(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button>Save</button>"))
    assert await click(tab, "button") == 'Focus: @e1: button "Save" (focused)'
    assert await click(tab, "button") == "Nothing changed."


async def test_new_elements_are_reported_with_refs(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<button onclick="document.body.insertAdjacentHTML('beforeend',
               '<div role=alert>Saved <a href=/undo>Undo</a></div>')">Save</button>"""
        )
    )
    assert (await click(tab, "button")).splitlines() == [
        '+ alert: "Saved"',
        '+ @e2: link "Undo" → /undo',
    ]


async def test_removed_elements_are_reported_with_their_last_name(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("<button onclick=\"document.querySelector('a').remove()\">Go</button><a href=/x>Old</a>")
    )
    assert await click(tab, "button") == '- @e2: link "Old"'


async def test_an_element_shown_by_a_class_is_new(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<style>.off { display: none }</style>
            <button onclick="document.querySelector('nav').classList.toggle('off')">Menu</button>
            <nav class=off><a href=/a>Alpha</a></nav>"""
        )
    )
    opened = await click(tab, "button")
    assert '+ @e3: link "Alpha" → /a' in opened.splitlines()
    closed = await click(tab, "button")
    assert closed == '- @e2: navigation, @e3: link "Alpha"'


async def test_changed_text_and_values_are_reported(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<label><input type=checkbox onchange="document.querySelector('output').textContent = 'on'">Agree</label>
            <output>off</output>"""
        )
    )
    assert set((await click(tab, "input")).splitlines()) == {
        '~ @e1: checkbox "Agree" (checked, focused)',
        '~ "on"',
    }


async def test_a_changed_word_is_reported_with_its_line(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            f"""<button onclick="for (const n of document.querySelectorAll('b')) n.textContent++">Add</button>
            <p>Cart: <b>0</b> items</p><p>{"Long text. " * 20}<em><b>5</b> left</em></p>"""
        )
    )
    assert (await click(tab, "button")).splitlines() == [
        '~ "Cart: 1 items"',
        '~ "… Long text. Long text. Long text. 6 left"',
    ]


async def test_a_navigation_is_reported_with_url_title_and_status(tab: Tab, web: Web) -> None:
    web.page("<title>Next</title>", "/next", status=404)
    await tab.goto(web.page("<a href=/next>go</a>"))
    assert await click(tab, "a") == f'Navigated to {web.url}/next "Next" (404 Not Found)'


async def test_a_slow_navigation_is_waited_for(tab: Tab, web: Web) -> None:
    release = anyio.Event()

    async def slow() -> Response:
        await release.wait()
        return Response("<title>Late</title>")

    web.route("/late", lambda _: slow())
    await tab.goto(web.page("<a href=/late>go</a>"))
    report = ""

    async def action() -> None:
        nonlocal report
        report = await click(tab, "a")

    async with anyio.create_task_group() as group:
        group.start_soon(action)
        await web.wait_for_request("/late")
        release.set()
    assert report == f'Navigated to {web.url}/late "Late" (200 OK)'


async def test_a_change_that_needs_the_server_is_waited_for(tab: Tab, web: Web) -> None:
    web.route("/api", lambda _: Response("42 results"))
    await tab.goto(
        web.page(
            """<button onclick="fetch('/api').then(answer => answer.text()).then(text => out.textContent = text)">
            Search</button><p id=out></p>"""
        )
    )
    assert '+ "42 results"' in (await click(tab, "button")).splitlines()


async def test_unanswered_requests_are_reported(tab: Tab, web: Web) -> None:
    web.route("/api", lambda _: never())
    await tab.goto(web.page("<button onclick=\"fetch('/api')\">Search</button>"))
    await click(tab, "body")
    assert (await click(tab, "button")).splitlines()[-1] == "1 request under way."


async def test_a_dialog_is_the_effect_of_the_click_that_opened_it(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button onclick=\"alert('Hi')\">Greet</button>"))
    assert await click(tab, "button") == 'The page shows an alert dialog "Hi".'


async def test_answering_a_dialog_reports_what_the_page_then_does(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("<button onclick=\"if (confirm('Sure?')) document.title = 'Done'\">Delete</button>")
    )
    await click(tab, "button")
    _, effects = await observe(tab, tab.dialogs.accept)
    assert str(effects) == 'The title is now "Done"\nFocus: @e1: button "Delete" (focused)'


async def test_a_new_tab_is_reported(context: Context, tab: Tab, web: Web) -> None:
    there = web.page("<title>There</title>")
    await tab.goto(web.page(f"<a target=_blank href='{there}'>go</a>"))
    lines = (await click(tab, "a")).splitlines()
    [opened] = [other for other in context.tabs.values() if other is not tab]
    assert lines[0] == f"Opened tab {opened.id} {there}"


async def test_console_errors_are_reported(tab: Tab, web: Web) -> None:
    url = web.page("<button onclick=\"console.error('boom')\">Go</button>")
    await tab.goto(url)
    assert (await click(tab, "button")).splitlines()[0] == f"Console: error: boom ({url}:1)"


async def test_a_title_and_url_changed_by_a_script_are_reported(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            "<button onclick=\"document.title = 'Inbox (2)'; history.pushState({}, '', '/inbox')\">Go</button>"
        )
    )
    assert (await click(tab, "button")).splitlines()[:2] == [
        f"The address is now {web.url}/inbox",
        'The title is now "Inbox (2)"',
    ]


async def test_a_tab_that_closes_itself_is_reported(context: Context, tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button onclick=\"window.open('/popup')\">Open</button>"))
    web.page("<button onclick='window.close()'>Close</button>", "/popup")
    with context.expect_tab() as expected:
        await click(tab, "button")
    popup = await expected.wait()
    await popup.navigation.wait("load")
    assert await click(popup, "button") == "The tab closed."


async def test_a_flood_of_changes_fits_its_budget(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<button onclick="for (let i = 0; i < 500; i++)
            document.body.insertAdjacentHTML('beforeend', `<p><a href=/item/${i}>Item number ${i} of the list</a></p>`)">
            More</button>"""
        )
    )
    report = await click(tab, "button")
    assert len(report) <= MAX_CHARACTERS
    assert "more changes" in report.splitlines()[-1]


async def test_settling_is_bounded_on_a_page_that_never_rests(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            "<button>Go</button><p id=clock></p><script>setInterval(() => clock.textContent = Date.now(), 5)</script>"
        )
    )
    with anyio.fail_after(60):
        assert "~" in await click(tab, "button")


async def test_an_endless_script_started_by_an_action_is_reported(tab: Tab, web: Web) -> None:
    loop = "setTimeout(() => { for (;;); }, 20)"
    await tab.goto(web.page(f"<button onclick='{loop}'>Save</button>"), wait_until="networkidle")
    assert await click(tab, "button", patience=60) == (
        'A script blocked the page and was stopped.\nFocus: @e1: button "Save" (focused)'
    )
    assert await tab.evaluate("1 + 1") == 2


async def test_an_action_that_fails_raises_its_own_error(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>page"))

    async def action() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await observe(tab, action)


async def test_changes_inside_frames_are_reported(tab: Tab, web: Web) -> None:
    inner = web.page("<button onclick=\"this.textContent = 'Inside done'\">Inside</button>")
    await tab.goto(web.page(f"<iframe src='{inner}' style='position:fixed;left:0;top:0'></iframe>"))
    await tab.navigation.wait("networkidle")

    async def action() -> None:
        for kind in ("mousePressed", "mouseReleased"):
            tab.session.post("Input.dispatchMouseEvent", type=kind, x=30, y=25, button="left", clickCount=1)

    _, effects = await observe(tab, action)
    assert any("Inside done" in change.line for change in effects.changes)


async def test_a_click_in_a_frame_of_another_site_reports_changes_in_both(tab: Tab, web: Web) -> None:
    inner = web.page(
        "<button onclick=\"this.textContent = 'Sent'; parent.postMessage('Received', '*')\">Send</button>"
    ).replace(web.url, web.other_site)
    await tab.goto(
        web.page(
            f"<p id=p>Waiting</p><iframe src={inner}></iframe><script>onmessage = e => p.textContent = e.data</script>"
        )
    )
    await tab.snapshot()
    _, effects = await observe(tab, tab.element("text=Send").click)
    assert {change.line for change in effects.changes if change.sign == "~"} >= {'"Received"'}
    assert any("Sent" in change.line for change in effects.changes)


async def test_a_multiple_select_reports_what_is_selected_now(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<select multiple aria-label=Tags><option selected>a<option>b<optgroup label=More><option>c</optgroup></select>"""
        )
    )
    _, effects = await observe(tab, lambda: tab.element("select").select_option("b", "c"))
    assert str(effects).splitlines() == [
        'Focus: @e1: listbox "Tags" (focused)',
        '~ @e2: option "a" (no longer selected)',
        '~ @e3: option "b" (selected)',
        '~ @e4: option "c" (selected)',
    ]
    _, effects = await observe(tab, lambda: tab.element("select").select_option())
    assert str(effects).splitlines() == [
        '~ @e3: option "b" (no longer selected)',
        '~ @e4: option "c" (no longer selected)',
    ]


async def test_a_value_out_of_range_is_reported_as_invalid(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<label>Age <input type=number max=120></label>"))
    _, effects = await observe(tab, lambda: tab.element("input").fill(130))
    assert str(effects) == '~ @e1: spinbutton "Age" = "130" (invalid, focused)'


async def test_a_link_within_the_page_reports_where_it_leads(tab: Tab, web: Web) -> None:
    url = web.page(
        "<a href=#end>Jump</a><div style=height:3000px></div><h2 id=end>The end</h2><p style=height:3000px>"
    )
    await tab.goto(url)
    assert (await click(tab, "a")).splitlines() == [
        f"The address is now {url}#end",
        'Scrolled to @e2: heading "The end"',
    ]


async def test_what_changes_by_itself_comes_last(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<p id=clock>0</p><script>setInterval(() => clock.textContent++, 20)</script>
            <main><section><form><button type=button onclick="out.textContent = 'Done'">Go</button></form></section></main>
            <footer><div><p id=out>Ready</p></div></footer>"""
        )
    )
    await tab.snapshot()
    await tab.waits.function("clock.textContent > 9")
    [done, ticked] = (await click(tab, "button")).splitlines()
    assert done == '~ "Done"'
    assert ticked.startswith('~ "')
