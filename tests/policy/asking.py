"""Calls that ask a person: the page changes while the question is open, then the person allows the call."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio

from tabwright.browser.tab import Tab
from tabwright.call import Call
from tabwright.errors import TabwrightError
from tabwright.policy.callers.approvals import Question
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner

AGENT = Principal("local:agent")
# The page itself records every trusted event that presses or types, and where it arrived.
RECORDER = """<script>
  window.met = [];
  const record = event => {
    const at = event.composedPath()[0];
    if (event.isTrusted) met.push(`${event.type} ${at.id || at.tagName} ${at.textContent?.trim() ?? ""}`);
  };
  for (const type of ["pointerdown", "mousedown", "mouseup", "click", "dblclick", "contextmenu", "touchstart",
                      "keydown", "keyup", "input", "drop", "submit"])
    window.addEventListener(type, record, true);
</script>"""
PAGE = (
    RECORDER
    + """
  <button id=more>Read more</button>
  <button id=pay>Transfer 5000</button>
  <a id=link href=/news>News</a>
  <form id=form action=/search><input id=name aria-label=Name><button id=send>Send</button></form>
"""
)


def call(action: str, **args: object) -> Call:
    return Call(action=action, args=args, principal=AGENT, session="shop", door="test")


@dataclass
class Asked:
    """A call that was approved: the question, and what became of it."""

    question: Question | None = None
    text: str = ""
    error: TabwrightError | None = None


Change = Callable[[Tab], Awaitable[object]]


async def approve(runner: Runner, given: Call, change: Change | None = None) -> Asked:
    """Run a call; when it asks, change the page, then allow it."""
    asked = Asked()

    async def run() -> None:
        try:
            asked.text = (await runner.run(given)).text
        except TabwrightError as error:
            asked.error = error
        group.cancel_scope.cancel()

    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            group.start_soon(run)
            await runner.approvals.changed.until(lambda: bool(runner.approvals.waiting))
            [asked.question] = runner.approvals.waiting
            if change is not None:
                session = runner.sessions.find(given.principal.name, given.session)
                assert session is not None
                assert session.next is not None
                await change(session.next)
            runner.approvals.decide(asked.question.number, allow=True)
            await anyio.sleep_forever()
    return asked


async def tab_of(runner: Runner) -> Tab:
    session = await runner.sessions.get(AGENT.name, "shop")
    assert session.next is not None
    return session.next


async def met(runner: Runner) -> list[str]:
    found: list[str] = await (await tab_of(runner)).evaluate("window.met ?? []")
    return found


def script(source: str) -> Change:
    return lambda tab: tab.evaluate(source)
