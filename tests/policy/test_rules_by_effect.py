"""A rule names what calls do, whichever action does it: the steps of a batch, page tools, recipes, filling in."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.errors import Denied
from tabwright.policy.callers.approvals import Approvals
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.policy.asking import PAGE, RECORDER, approve, call, met, script, tab_of
from tests.web import Web

pytestmark = pytest.mark.usefixtures("as_owner")

FORM = (
    RECORDER
    + """
  <form action=/pay method=post onsubmit="event.preventDefault(); window.sent = true">
    <h2>Transfer</h2>
    <label>Amount <input id=amount name=amount></label><label>To <input id=to name=to></label>
    <button id=send>Transfer</button>
  </form>"""
)


@pytest.fixture
async def runner(supervisor: BrowserSupervisor) -> AsyncIterator[Runner]:
    async with Sessions.open(supervisor) as sessions:
        yield Runner(CATALOG, sessions, Artifacts(), approvals=Approvals(["click"]))


async def test_text_is_filled_in_without_approval_of_presses_but_nothing_is_pressed(
    runner: Runner, web: Web
) -> None:
    page = "<input id=name aria-label=Name><input type=checkbox id=box aria-label=Agree><select id=list>"
    await runner.run(call("navigate", url=web.page(f"{RECORDER}{page}<option>One<option>Two</select>")))
    await runner.run(call("fill", target="css=#name", value="Ada"))
    await runner.run(call("select_option", target="css=#list", options=["Two"]))
    with pytest.raises(Denied, match="This would press something, which needs approval by a person"):
        await runner.run(call("fill", target="css=#box", value="true"))
    tab = await tab_of(runner)
    assert await tab.evaluate("[document.querySelector('#name').value, box.checked]") == ["Ada", False]
    assert [one for one in await met(runner) if not one.startswith("input ")] == []


async def test_the_steps_of_a_batch_are_asked_one_by_one(runner: Runner, web: Web) -> None:
    await runner.run(call("navigate", url=web.page(PAGE)))
    steps = [{"action": "get_page"}, {"action": "click", "target": "css=#more"}]
    batch = call("batch", steps=[json.dumps(step) for step in steps])
    asked = await approve(runner, batch, script("more.textContent = 'Transfer 5000'"))
    assert asked.question is not None
    assert (asked.question.action, asked.question.about.target) == ("click", 'button "Read more"')
    assert "click failed: Stale: The target changed since approval" in asked.text
    assert await met(runner) == []


@pytest.mark.parametrize(
    "change",
    [
        "document.forms[0].action = 'https://example.com/'",
        "send.textContent = 'Transfer everything'",
        "send.outerHTML = '<button id=send>Transfer</button>'",
        "amount.labels[0].firstChild.data = 'Tip '",
        "amount.outerHTML = amount.outerHTML",
        "document.forms[0].insertAdjacentHTML('beforeend', '<input name=all required>')",
    ],
)
async def test_a_page_tool_is_approved_with_its_fields_and_its_button(
    runner: Runner, web: Web, change: str
) -> None:
    await runner.run(call("navigate", url=web.page(FORM)))
    listed = await runner.run(call("list_page_tools"))
    assert "transfer(" in listed.text
    tool = call("call_page_tool", name="transfer", arguments={"amount": "5", "to": "Eve"})
    asked = await approve(runner, tool, script(change))
    assert asked.question is not None
    about = asked.question.about
    assert about.target == "page tool transfer"
    assert about.facts[1:] == (
        'textbox "Amount"',
        'textbox "To"',
        'button "Transfer"',
        f"sends the form: POST {web.url}/pay",
        'Enter presses button "Transfer"',
    )
    assert asked.error is not None, asked.text
    assert not await (await tab_of(runner)).evaluate("window.sent")
    assert [one for one in await met(runner) if "click" in one or "submit" in one] == []


async def test_an_approved_page_tool_runs(runner: Runner, web: Web) -> None:
    await runner.run(call("navigate", url=web.page(FORM)))
    tool = call("call_page_tool", name="transfer", arguments={"amount": "5", "to": "Eve"})
    asked = await approve(runner, tool)
    assert (asked.error, asked.text.split("\n")[0]) == (None, "Filled in amount, to and pressed “Transfer”.")
    assert await (await tab_of(runner)).evaluate("window.sent")


async def test_a_rule_about_filling_in_lets_the_options_of_an_approved_field_be_chosen(
    runner: Runner, web: Web
) -> None:
    runner.approvals = Approvals(["fill"])
    box = """<div id=city role=combobox tabindex=0 aria-label=City aria-controls=list aria-expanded=false
      onclick="list.hidden = false; city.setAttribute('aria-expanded', true)">Rome</div>
      <div role=listbox id=list hidden>
      <div role=option onclick="pick(this)">Rome</div><div role=option onclick="pick(this)">Paris</div></div>
      <script>function pick(one) { city.textContent = one.textContent; list.hidden = true;
        city.setAttribute('aria-expanded', false) }</script>"""
    await runner.run(call("navigate", url=web.page(box)))
    asked = await approve(runner, call("fill", target="css=#city", value="Paris"))
    assert (asked.error, asked.text.split("\n")[0]) == (None, 'combobox "City" is now "Paris".')


async def test_a_recipe_is_approved_and_its_steps_are_shielded(
    runner: Runner, web: Web, tmp_path: Path
) -> None:
    recipe = """name = "read_more"
site = "127.0.0.1"
[[step]]
do = "click"
target = ["button \\"Read more\\""]
"""
    (tmp_path / "read_more.toml").write_text(recipe)
    swap = "<script>more.addEventListener('pointermove', () => { if (window.swaps) more.textContent = 'Pay' })</script>"
    session = await runner.sessions.get("local:agent", "shop")
    session.context.recipe_folder = tmp_path
    await runner.run(call("navigate", url=web.page(PAGE + swap)))
    listed = await runner.run(call("list_page_tools"))
    assert "read_more" in listed.text, listed.text
    asked = await approve(runner, call("call_page_tool", name="read_more"), script("window.swaps = true"))
    assert asked.error is not None
    assert "changed since approval" in asked.error.message
    assert await met(runner) == []
    await runner.run(call("reload"))
    asked = await approve(runner, call("call_page_tool", name="read_more"))
    assert asked.error is None
    assert len(await met(runner)) == 4
