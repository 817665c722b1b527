"""JavaScript dialogs in real Chromium."""

from contextlib import suppress

import anyio
import pytest

from tabwright.browser.context import Context
from tabwright.browser.page.dialogs import Dialog, DialogOpened
from tabwright.browser.tab import Tab
from tabwright.errors import NotFound
from tests.web import Web


async def open_dialog(tab: Tab, script: str) -> Dialog:
    """Run a script that opens a dialog, and return the dialog."""
    with pytest.raises(DialogOpened) as caught:
        await tab.evaluate(script)
    assert tab.dialogs.open == caught.value.dialog
    return caught.value.dialog


async def test_an_alert_is_reported_to_the_call_that_opened_it(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>page"))
    assert await open_dialog(tab, "alert('Saved')") == Dialog("alert", "Saved")


async def test_an_open_dialog_fails_every_call_at_once(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>page"))
    await open_dialog(tab, "confirm('Sure?')")
    with anyio.fail_after(60), pytest.raises(DialogOpened) as caught:
        await tab.title()
    assert (
        str(caught.value) == 'The page shows a confirm dialog "Sure?". Answer it first, with answer_dialog.'
    )


@pytest.mark.parametrize(
    ("script", "answer", "expected"),
    [
        ("confirm('Sure?')", "accept", True),
        ("confirm('Sure?')", "dismiss", False),
        ("prompt('Name?', 'Ada')", "accept", "Ada"),
        ("prompt('Name?', 'Ada')", "Grace", "Grace"),
        ("prompt('Name?', 'Ada')", "dismiss", None),
    ],
)
async def test_the_page_gets_the_answer(
    tab: Tab, web: Web, script: str, answer: str, expected: object
) -> None:
    await tab.goto(web.page("<p>page"))
    await open_dialog(tab, f"window.got = {script}")
    if answer == "dismiss":
        await tab.dialogs.dismiss()
    else:
        await tab.dialogs.accept(None if answer == "accept" else answer)
    assert await tab.evaluate("window.got") == expected


async def test_a_beforeunload_dialog_can_be_accepted_to_leave_the_page(tab: Tab, web: Web) -> None:
    here, there = web.page("<p>page"), web.page("there")
    await tab.goto(here)
    await tab.evaluate("onbeforeunload = event => event.preventDefault()")
    with pytest.raises(DialogOpened) as caught:
        await tab.goto(there)
    assert caught.value.dialog.kind == "beforeunload"
    commits = tab.navigation.commits
    await tab.dialogs.accept()
    assert (await tab.navigation.next(after=commits)).url == there


async def test_a_beforeunload_dialog_can_be_dismissed_to_stay(tab: Tab, web: Web) -> None:
    here = web.page("<p>page")
    await tab.goto(here)
    await tab.evaluate("onbeforeunload = event => event.preventDefault()")
    with pytest.raises(DialogOpened):
        await tab.goto(web.page("there"))
    await tab.dialogs.dismiss()
    assert tab.url == here
    assert await tab.evaluate("1 + 1") == 2


async def test_a_series_of_alerts_is_answered_one_by_one(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>page"))
    await open_dialog(tab, "for (let i = 1; i <= 3; i++) alert(i)")
    seen = []
    while tab.dialogs.open:
        seen.append((await tab.dialogs.accept()).message)
        with suppress(DialogOpened):
            await tab.title()
    assert seen == ["1", "2", "3"]


async def test_answering_without_a_dialog_is_not_found(tab: Tab) -> None:
    with pytest.raises(NotFound) as caught:
        await tab.dialogs.accept()
    assert caught.value.message == "No dialog is open."


async def test_a_dialog_in_one_tab_does_not_block_the_others(context: Context, tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>page"))
    other = await context.new_tab(web.page("<title>Other</title>"))
    await open_dialog(tab, "alert('here')")
    assert await other.title() == "Other"


async def test_a_dialog_of_a_frame_is_a_dialog_of_its_tab(tab: Tab, web: Web) -> None:
    inner = web.page("<script>setTimeout(() => alert('from inside'))</script>").replace(
        web.url, web.other_site
    )
    outer = web.page(f"<iframe src='{inner}'></iframe>")
    with pytest.raises(DialogOpened) as caught:
        await tab.goto(outer, wait_until="networkidle")
    assert caught.value.dialog == Dialog("alert", "from inside")
