"""An approval holds for the element, the document and the arguments that were shown, once."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.errors import Blocked, Denied, NotFound, Stale
from tabwright.policy.callers.approvals import Approvals
from tabwright.policy.callers.principal import Principal
from tabwright.policy.data.file_access import Files
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.policy.asking import AGENT, PAGE, RECORDER, approve, call, met, script, tab_of
from tests.web import Web

pytestmark = pytest.mark.usefixtures("as_owner")


@pytest.fixture
async def runner(supervisor: BrowserSupervisor) -> AsyncIterator[Runner]:
    async with Sessions.open(supervisor) as sessions:
        yield Runner(CATALOG, sessions, Artifacts(), approvals=Approvals(["click"]))


async def test_a_click_lands_on_what_was_approved_or_nowhere(runner: Runner, web: Web) -> None:
    await runner.run(call("navigate", url=web.page(PAGE)))
    await runner.run(call("snapshot"))
    asked = await approve(
        runner,
        call("click", target="@e1"),
        script("document.querySelector('#more').textContent = 'Transfer 5000'"),
    )
    assert asked.question is not None
    assert asked.question.about.target == 'button "Read more"'
    assert isinstance(asked.error, Stale)
    assert "changed since approval" in asked.error.message
    assert await met(runner) == []


async def test_an_unchanged_target_is_clicked(runner: Runner, web: Web) -> None:
    await runner.run(call("navigate", url=web.page(PAGE)))
    asked = await approve(runner, call("click", target="css=#more"))
    assert asked.error is None
    assert asked.text.startswith('Clicked button "Read more".')
    assert [one.split()[0] for one in await met(runner)] == ["pointerdown", "mousedown", "mouseup", "click"]


# Changes between the approval and the click on `#more`, `#link` or `#send`.
CHANGES = {
    "its text": ("more", "more.textContent = 'Transfer 5000'"),
    "its name": ("more", "more.setAttribute('aria-label', 'Transfer 5000')"),
    "its role": ("more", "more.setAttribute('role', 'link')"),
    "an equal node": ("more", "more.replaceWith(Object.assign(more.cloneNode(true)))"),
    "a removed node": ("more", "more.remove()"),
    "what is in it": ("more", "more.innerHTML = 'Read more<a href=/pay></a>'"),
    "the link": ("link", "link.href = '/transfer'"),
    "the base of the link": ("link", "document.head.innerHTML = '<base href=https://example.com/>'"),
    "the action of the form": ("send", "document.forms[0].action = 'https://example.com/'"),
    "the method of the form": ("send", "document.forms[0].method = 'post'"),
    "the action of the button": ("send", "send.setAttribute('formaction', '/pay')"),
    "another form": (
        "send",
        "document.body.insertAdjacentHTML('beforeend', '<form id=f2 action=/pay>'); send.setAttribute('form', 'f2')",
    ),
    "the URL": ("more", "history.pushState(0, '', '/elsewhere')"),
    "the document": ("more", "const html = document.body.outerHTML; document.open(); document.write(html)"),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_a_target_that_changed_is_not_clicked(runner: Runner, web: Web, change: str) -> None:
    name, source = CHANGES[change]
    await runner.run(call("navigate", url=web.page(PAGE)))
    asked = await approve(runner, call("click", target=f"css=#{name}"), script(source))
    assert isinstance(asked.error, Stale), asked.text
    assert "changed since approval" in asked.error.message
    assert await met(runner) == []


async def test_a_look_alike_of_the_page_is_not_clicked(runner: Runner, web: Web) -> None:
    url, again = web.page(PAGE), web.page(PAGE)
    await runner.run(call("navigate", url=url))
    for change in (lambda tab: tab.goto(again), lambda tab: tab.goto(url)):
        asked = await approve(runner, call("click", target="css=#more"), change)
        assert isinstance(asked.error, Stale)
        assert "changed since approval" in asked.error.message
        assert await met(runner) == []
        await runner.run(call("navigate", url=url))


async def test_a_value_that_changed_is_not_submitted(runner: Runner, web: Web) -> None:
    await runner.run(call("navigate", url=web.page(PAGE)))
    change = script("document.querySelector('#name').value = '5000'")
    asked = await approve(runner, call("press", key="Enter", target="css=#name"), change)
    assert isinstance(asked.error, Stale)
    assert await met(runner) == []


async def test_enter_in_an_approved_field_submits_the_form_that_was_shown(runner: Runner, web: Web) -> None:
    web.page("<h1>Found</h1>", "/search")
    await runner.run(call("navigate", url=web.page(PAGE)))
    enter = call("press", key="Enter", target="css=#name")
    for change in ("send.textContent = 'Transfer 5000'", "document.forms[0].action = '/pay'"):
        asked = await approve(runner, enter, script(change))
        assert isinstance(asked.error, Stale)
        await runner.run(call("reload"))
    asked = await approve(runner, enter)
    assert asked.question is not None
    assert asked.question.about.facts == (
        f"sends the form: GET {web.url}/search",
        'Enter presses button "Send"',
    )
    assert asked.error is None
    assert (await tab_of(runner)).url == f"{web.url}/search?"


# What the page does at the moment of the press, after the target was found: the shield must hold.
RACES = {
    "text swapped": "more.textContent = 'Transfer 5000'",
    "another button moved there": "const r = more.getBoundingClientRect();"
    "pay.style.cssText = `position:fixed;left:${r.left}px;top:${r.top}px;width:${r.width}px;height:${r.height}px`",
    "node replaced": "more.outerHTML = '<button id=pay2>Read more</button>'",
    "overlay inside": "more.insertAdjacentHTML('beforeend', "
    "'<a id=inner href=/pay style=position:fixed;inset:0>Transfer 5000</a>')",
}


@pytest.mark.parametrize("race", RACES)
@pytest.mark.parametrize("action", ["click", "tap"])
async def test_a_target_that_changes_while_the_pointer_moves_there_is_not_pressed(
    runner: Runner, web: Web, race: str, action: str
) -> None:
    moves = "pointermove" if action == "click" else "pointerover"
    page = (
        PAGE + f"<script>more.addEventListener('{moves}', () => {{ {RACES[race]} }}, {{once: true}})</script>"
    )
    await runner.run(call("navigate", url=web.page(page)))
    asked = await approve(runner, call(action, target="css=#more"))
    assert isinstance(asked.error, Stale), (asked.text, await met(runner))
    assert "changed since approval" in asked.error.message
    assert {one.partition(" ")[2] for one in await met(runner)} <= {"more Read more"}


async def test_a_frame_of_another_site_that_moves_under_the_pointer_gets_nothing(
    runner: Runner, web: Web
) -> None:
    bank = web.page(
        RECORDER + "<style>button{position:fixed;inset:0}</style><button id=pay>Transfer</button>"
    )
    frame = bank.replace(web.url, web.other_site)
    page = (
        PAGE
        + f"""<iframe src="{frame}" style="position:fixed;left:500px;top:0;width:400px;height:300px"></iframe>
      <script>more.addEventListener('pointermove', () => {{
        document.querySelector('iframe').style.cssText = 'position:fixed;inset:0;width:400px;height:300px;z-index:9';
        for (const end = performance.now() + 100; performance.now() < end;);
      }})</script>"""
    )
    await runner.run(call("navigate", url=web.page(page)))
    await runner.run(call("wait_for", target="text=Transfer"))
    asked = await approve(runner, call("click", target="css=#more"))
    tab = await tab_of(runner)
    inner = next(frame for frame in tab.frames if frame.parent)
    tab.frames.choose(inner)
    assert await met(runner) == []
    tab.frames.choose(None)
    assert await met(runner) == []
    assert isinstance(asked.error, Stale)
    assert "changed since approval" in asked.error.message


async def test_a_frame_that_appears_under_the_pointer_gets_nothing(runner: Runner, web: Web) -> None:
    bank = web.page(
        RECORDER + "<style>button{position:fixed;inset:0}</style><button id=pay>Transfer</button>"
    )
    frame = bank.replace(web.url, web.other_site)
    page = (
        PAGE
        + f"""<script>more.addEventListener('pointerdown', () => {{
        document.body.insertAdjacentHTML('beforeend',
          '<iframe src="{frame}" style="position:fixed;inset:0;width:400px;height:300px"></iframe>');
      }})</script>"""
    )
    await runner.run(call("navigate", url=web.page(page)))
    await approve(runner, call("click", target="css=#more", count=3))
    await runner.run(call("wait_for", target="text=Transfer"))
    tab = await tab_of(runner)
    tab.frames.choose(next(frame for frame in tab.frames if frame.parent))
    assert await met(runner) == []


async def test_keys_of_an_approved_call_do_not_follow_the_focus_to_another_site(
    runner: Runner, web: Web
) -> None:
    bank = web.page(RECORDER + "<input id=amount><script>setInterval(() => amount.focus(), 5)</script>")
    frame = bank.replace(web.url, web.other_site)
    await runner.run(call("navigate", url=web.page(f'{PAGE}<iframe src="{frame}"></iframe>')))
    await runner.run(call("wait_for", target="css=#amount"))
    asked = await approve(runner, call("type_text", target="css=#name", text="12345678", delay=0.03))
    tab = await tab_of(runner)
    assert {one.split()[1] for one in await met(runner)} <= {"name"}
    tab.frames.choose(next(frame for frame in tab.frames if frame.parent))
    assert await met(runner) == []
    assert isinstance(asked.error, Stale)


async def test_a_checkbox_with_another_label_or_state_is_not_checked(runner: Runner, web: Web) -> None:
    box = "<label id=label><input type=checkbox id=box> Newsletter</label>"
    await runner.run(call("navigate", url=web.page(RECORDER + box)))
    asked = await approve(
        runner, call("check", target="css=#box"), script("label.lastChild.data = ' I pay 5000'")
    )
    assert "changed since approval" in str(asked.error)
    assert await met(runner) == []
    asked = await approve(runner, call("click", target="css=#box"), script("box.checked = true"))
    assert "changed since approval" in str(asked.error)
    await (await tab_of(runner)).evaluate("box.checked = false")
    asked = await approve(runner, call("check", target="css=#box"))
    assert (asked.error, asked.text.split("\n")[0]) == (None, 'Checked checkbox "I pay 5000".')


async def test_an_approval_is_used_once(runner: Runner, web: Web) -> None:
    await runner.run(call("navigate", url=web.page(PAGE)))
    assert (await approve(runner, call("click", target="css=#more"))).error is None
    runner.approvals = Approvals(["click"], timeout=0.2)
    for again in ({"target": "css=#more"}, {"target": "css=#more", "count": 2}, {"target": "css=#pay"}):
        with pytest.raises(Denied, match="nobody answered"):
            await runner.run(call("click", **again))
    assert len(await met(runner)) == 4


async def test_the_approval_of_one_client_is_not_for_another(runner: Runner, web: Web) -> None:
    runner.approvals = Approvals(["click"], timeout=0.3)
    url = web.page(PAGE)
    other = replace(call("click", target="css=#more"), principal=Principal("local:other"))
    for one in (call("navigate", url=url), replace(other, action="navigate", args={"url": url})):
        await runner.run(one)
    errors: list[str] = []

    async def run_other() -> None:
        with pytest.raises(Denied) as denied:
            await runner.run(other)
        errors.append(denied.value.message)

    async with anyio.create_task_group() as group:
        group.start_soon(run_other)
        await runner.approvals.changed.until(lambda: len(runner.approvals.waiting) == 1)
        group.start_soon(runner.run, call("click", target="css=#more"))
        await runner.approvals.changed.until(lambda: len(runner.approvals.waiting) == 2)
        mine = next(one for one in runner.approvals.waiting if one.who == AGENT.name)
        runner.approvals.decide(mine.number, allow=True)
    assert errors == ["click needs approval; nobody answered in 0.3 s."]
    assert len(await met(runner)) == 4


async def test_a_closed_tab_and_a_dialog_stop_an_approved_call(runner: Runner, web: Web) -> None:
    await runner.run(call("navigate", url=web.page(PAGE)))
    await runner.run(call("new_tab", url=web.page(PAGE)))
    asked = await approve(runner, call("click", target="css=#more"), lambda tab: tab.close())
    assert asked.error is not None
    assert "changed since approval" in asked.error.message
    assert await met(runner) == []
    asked = await approve(
        runner, call("click", target="css=#more"), script("setTimeout(() => confirm('Transfer?'))")
    )
    assert isinstance(asked.error, Blocked)
    dialog = await approve(runner, call("answer_dialog"))
    assert dialog.question is not None
    assert dialog.question.about.target == 'a confirm dialog "Transfer?"'
    assert dialog.text.startswith('Accepted the confirm dialog "Transfer?".')
    assert await met(runner) == []


async def test_an_approved_answer_is_for_the_dialog_that_was_shown(runner: Runner, web: Web) -> None:
    await runner.run(call("navigate", url=web.page(PAGE)))
    tab = await tab_of(runner)
    await tab.evaluate(
        "setTimeout(() => { window.first = confirm('Save?'); window.second = confirm('Pay?') })"
    )
    await tab.context.changed.until(lambda: True)
    with anyio.fail_after(60):
        await tab.changed.until(lambda: tab.dialogs.open is not None)
    asked = await approve(runner, call("answer_dialog"), lambda tab: tab.dialogs.dismiss())
    assert isinstance(asked.error, Stale | NotFound)


# Every other way to press, for the rule `confirm = ["click"]`, and what the person is shown.
WAYS: dict[str, tuple[dict[str, Any], str]] = {
    "click": ({"target": "css=#more", "count": 2}, 'button "Read more"'),
    "click ": ({"target": "css=#more", "button": "right"}, 'button "Read more"'),
    "tap": ({"target": "css=#more"}, 'button "Read more"'),
    "click_at": ({"x": 20, "y": 20}, 'button "Read more"'),
    "press": ({"key": "Enter"}, 'button "Read more"'),
    "press ": ({"key": " ", "target": "css=#more"}, 'button "Read more"'),
    "type_text": ({"text": " "}, 'button "Read more"'),
    "key_down": ({"key": "Enter"}, 'button "Read more"'),
    "key_up": ({"key": "Enter"}, 'button "Read more"'),
    "mouse_down": ({}, 'button "Read more"'),
    "mouse_up": ({}, 'button "Read more"'),
    "drag": ({"target": "css=#more", "to": "css=#pay"}, 'button "Read more" and button "Transfer 5000"'),
    "swipe": ({"x": 20, "y": 20, "to_x": 20, "to_y": 10}, 'button "Read more"'),
    "swipe_element": ({"target": "css=#more", "direction": "up"}, 'button "Read more"'),
    "download": ({"target": "css=#more"}, 'button "Read more"'),
    "upload": ({"target": "css=#more", "paths": ["/etc/hostname"]}, 'button "Read more"'),
    "evaluate": ({"script": "document.querySelector('#more').click()"}, ""),
    "wait_for_script": ({"script": "document.querySelector('#more').click() || true"}, ""),
}


@pytest.mark.parametrize("way", WAYS)
async def test_a_rule_about_clicks_is_a_rule_about_every_way_to_press(
    runner: Runner, web: Web, way: str
) -> None:
    args, target = WAYS[way]
    await runner.run(
        call("navigate", url=web.page(f"<style>*{{margin:0}}#more{{width:90px;height:40px}}</style>{PAGE}"))
    )
    await runner.run(call("focus", target="css=#more"))
    await runner.run(call("mouse_move", x=20, y=20))
    if "paths" in args:
        runner.files = Files([Path("/etc")])
    change = "history.pushState(0, '', '#x')" if "script" in args else "more.textContent = 'Transfer 5000'"
    asked = await approve(runner, call(way.strip(), **args), script(change))
    assert asked.question is not None
    assert asked.question.about.target == target
    if "script" in args:
        assert asked.question.about.facts == (args["script"],)
    assert asked.error is not None
    assert "changed since approval" in asked.error.message
    assert await met(runner) == []
