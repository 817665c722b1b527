"""Answering a dialog reports what changed; if the page was not observed, the report says so."""

from collections.abc import Awaitable, Callable

import anyio
import pytest

from tabwright.errors import Blocked
from tabwright.runner import Runner
from tests.calls import Do
from tests.web import Response, Web

UNKNOWN = "What changed on the page is not known: take a snapshot."
DELETE = """<button onclick="if (confirm('Delete?')) out.textContent = 'Draft deleted'; else out.textContent = 'Kept'">
    Delete</button><p id=out>Draft</p>"""


# Opens its dialog when the test lets it.
ASKING = """<button autofocus>Go</button><p id=out>Page</p>
    <script>onload = () => fetch('/go').then(() => {{ {} }})</script>"""

Opens = Callable[[], Awaitable[None]]


async def open_dialog(do: Do, web: Web, page: str, shown: str) -> None:
    """Show a page, click its button, and check the dialog that opens."""
    await do("navigate", url=web.page(page))
    assert (await do("click", target="button")).text.splitlines()[-1] == f"The page shows {shown}."


@pytest.fixture
def by_itself(runner: Runner, web: Web) -> Opens:
    """Let a page of `ASKING` open its dialog, without any action of the agent."""
    go = anyio.Event()

    async def answer() -> Response:
        await go.wait()
        return Response()

    async def by_itself() -> None:
        [session] = runner.sessions
        [tab] = session.tabs
        go.set()
        with anyio.fail_after(60):
            await tab.changed.until(lambda: tab.dialogs.open is not None)

    web.route("/go", lambda _: answer())
    return by_itself


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        (
            True,
            'Accepted the confirm dialog "Delete?".\n~ "Draft deleted"',
        ),
        (False, 'Dismissed the confirm dialog "Delete?".\n~ "Kept"'),
    ],
)
async def test_answering_a_confirm_reports_what_changed(
    do: Do, web: Web, accept: bool, expected: str
) -> None:
    await open_dialog(do, web, DELETE, 'a confirm dialog "Delete?"')
    assert (await do("answer_dialog", accept=accept)).text == expected


async def test_answering_a_dialog_without_effect_reports_no_change(do: Do, web: Web) -> None:
    await open_dialog(
        do, web, "<button autofocus onclick=\"confirm('Sure?')\">Go</button>", 'a confirm dialog "Sure?"'
    )
    assert (await do("answer_dialog")).text == 'Accepted the confirm dialog "Sure?".\nNothing changed.'


async def test_text_for_a_prompt_is_reported_where_the_page_shows_it(do: Do, web: Web) -> None:
    page = "<button autofocus onclick=\"out.textContent = document.title = prompt('Name?')\">Ask</button><p id=out>Nobody</p>"
    await open_dialog(do, web, page, 'a prompt dialog "Name?"')
    assert (await do("answer_dialog", text="Ada")).text == (
        'Accepted the prompt dialog "Name?".\nThe title is now "Ada"\n~ "Ada"'
    )


async def test_changes_before_an_alert_are_reported_once_it_is_closed(do: Do, web: Web) -> None:
    page = "<button autofocus onclick=\"out.textContent = 'Saved'; alert('Done')\">Save</button><p id=out>Draft</p>"
    await open_dialog(do, web, page, 'an alert dialog "Done"')
    assert (await do("answer_dialog")).text == 'Accepted the alert dialog "Done".\n~ "Saved"'


async def test_a_request_sent_before_an_alert_is_awaited(do: Do, web: Web) -> None:
    web.route("/save", lambda _: Response(body="Saved"))
    page = """<button autofocus onclick="fetch('/save').then(a => a.text()).then(text => out.textContent = text);
        alert('Saving')">Save</button><p id=out>Draft</p>"""
    await open_dialog(do, web, page, 'an alert dialog "Saving"')
    assert (await do("answer_dialog")).text == 'Accepted the alert dialog "Saving".\n~ "Saved"'


async def test_two_dialogs_in_a_row_are_reported_together(do: Do, web: Web) -> None:
    page = """<button autofocus onclick="if (confirm('Delete?')) { out.textContent = 'Deleted'; alert('Gone') }">Go</button>
        <p id=out>Draft</p>"""
    await open_dialog(do, web, page, 'a confirm dialog "Delete?"')
    assert (await do("answer_dialog")).text == (
        'Accepted the confirm dialog "Delete?".\nThe page shows an alert dialog "Gone".'
    )
    assert (await do("answer_dialog")).text == 'Accepted the alert dialog "Gone".\n~ "Deleted"'


async def test_an_answer_that_navigates_reports_the_new_page(do: Do, web: Web) -> None:
    there = web.page("<title>There</title>")
    await open_dialog(
        do,
        web,
        f"<button onclick=\"if (confirm('Leave?')) location = '{there}'\">Go</button>",
        'a confirm dialog "Leave?"',
    )
    assert (await do("answer_dialog")).text == (
        f'Accepted the confirm dialog "Leave?".\nNavigated to {there} "There" (200 OK)'
    )


async def test_answering_a_dialog_of_a_script_reports_what_changed(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<p id=out>Draft</p>"))
    with pytest.raises(Blocked, match=r'The page shows a confirm dialog "Sure\?"'):
        await do("evaluate", script="out.textContent = confirm('Sure?') ? 'Yes' : 'No'")
    assert (await do("answer_dialog")).text == 'Accepted the confirm dialog "Sure?".\n~ "Yes"'


async def test_answering_a_dialog_of_a_page_tool_reports_what_changed(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(DELETE))
    tools = (await do("list_page_tools")).text
    name = next(line.split("(")[0] for line in tools.splitlines()[1:] if "elete" in line)
    assert 'The page shows a confirm dialog "Delete?".' in (await do("call_page_tool", name=name)).text
    assert (await do("answer_dialog")).text == ('Accepted the confirm dialog "Delete?".\n~ "Draft deleted"')


async def test_a_call_blocked_by_a_dialog_does_not_end_the_observation(do: Do, web: Web) -> None:
    await open_dialog(do, web, DELETE, 'a confirm dialog "Delete?"')
    with pytest.raises(Blocked):
        await do("click", target="button")
    assert (await do("answer_dialog")).text.endswith('~ "Draft deleted"')


async def test_changes_after_a_spontaneous_dialog_are_unknown(do: Do, by_itself: Opens, web: Web) -> None:
    await do("navigate", url=web.page(ASKING.format("if (confirm('Still there?')) out.textContent = 'Yes'")))
    await by_itself()
    assert (await do("answer_dialog")).text == f'Accepted the confirm dialog "Still there?".\n{UNKNOWN}'


async def test_a_dialog_after_the_report_does_not_belong_to_the_action(
    do: Do, by_itself: Opens, web: Web
) -> None:
    await do("navigate", url=web.page(ASKING.format("if (confirm('Really?')) out.textContent = 'Yes'")))
    assert (await do("click", target="button")).text == 'Clicked button "Go".\nNothing changed.'
    await by_itself()
    assert (await do("answer_dialog")).text == f'Accepted the confirm dialog "Really?".\n{UNKNOWN}'


async def test_answering_a_spontaneous_dialog_reports_its_navigation(
    do: Do, by_itself: Opens, web: Web
) -> None:
    there = web.page("<title>There</title>")
    await do("navigate", url=web.page(ASKING.format(f"if (confirm('Leave?')) location = '{there}'")))
    await by_itself()
    assert (await do("answer_dialog")).text == (
        f'Accepted the confirm dialog "Leave?".\nNavigated to {there} "There" (200 OK)'
    )


async def test_after_a_user_answered_a_dialog_the_next_answer_reports_changes(
    do: Do, runner: Runner, web: Web
) -> None:
    page = """<button autofocus onclick="if (confirm('Delete?')) { out.textContent = 'Deleted'; alert('Gone') }">Go</button>
        <p id=out>Draft</p>"""
    await open_dialog(do, web, page, 'a confirm dialog "Delete?"')
    [session] = runner.sessions
    [tab] = session.tabs
    await tab.dialogs.accept()
    with anyio.fail_after(60):
        await tab.changed.until(lambda: tab.dialogs.open is not None)
    assert (await do("answer_dialog")).text == 'Accepted the alert dialog "Gone".\n~ "Deleted"'


async def test_answering_a_dialog_of_a_frame_reports_what_changed_there(do: Do, web: Web) -> None:
    inner = web.page(DELETE).replace(web.url, web.other_site)
    await do("navigate", url=web.page(f"<iframe src='{inner}'></iframe>"))
    assert (await do("click", target="text=Delete")).text.endswith(
        'The page shows a confirm dialog "Delete?".'
    )
    assert (await do("answer_dialog")).text == ('Accepted the confirm dialog "Delete?".\n~ "Draft deleted"')


async def test_changes_after_a_dialog_during_loading_are_unknown(do: Do, web: Web) -> None:
    page = web.page("<p id=out>Page</p><script>if (confirm('Cookies?')) out.textContent = 'Yes'</script>")
    with pytest.raises(Blocked, match=r'The page shows a confirm dialog "Cookies\?"'):
        await do("navigate", url=page)
    assert (await do("answer_dialog")).text == f'Accepted the confirm dialog "Cookies?".\n{UNKNOWN}'


async def test_a_dialog_during_loading_after_a_click_leaves_changes_unknown(do: Do, web: Web) -> None:
    there = web.page("<p id=out>Page</p><script>if (confirm('Cookies?')) out.textContent = 'Yes'</script>")
    await do("navigate", url=web.page(f"<a href='{there}'>Go</a>"))
    assert 'The page shows a confirm dialog "Cookies?".' in (await do("click", target="a")).text
    assert (await do("answer_dialog")).text == f'Accepted the confirm dialog "Cookies?".\n{UNKNOWN}'


async def test_leaving_a_page_with_beforeunload_reports_the_new_page(do: Do, web: Web) -> None:
    there = web.page("<title>There</title>")
    await do(
        "navigate", url=web.page(f"<a href='{there}'>Go</a><script>onbeforeunload = () => false</script>")
    )
    assert (await do("click", target="a")).text.endswith("The page shows a beforeunload dialog.")
    assert (await do("answer_dialog")).text == (
        f'Accepted the beforeunload dialog.\nNavigated to {there} "There" (200 OK)'
    )
