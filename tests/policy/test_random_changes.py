"""Whatever a page changes between approval and input, and during it: input meets what was approved, or nothing.

The page itself records every trusted event that presses or types: which node it met, and how that looked.
"""

import random
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, Stale
from tabwright.policy.callers.approvals import Approvals
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.policy.asking import approve, call, tab_of
from tests.web import Web

pytestmark = pytest.mark.usefixtures("as_owner")

BANK = """<style>*{margin:0}button{position:fixed;inset:0}</style><button>Transfer</button><script>
  for (const type of ["pointerdown", "mousedown", "mouseup", "click", "keydown", "keyup", "input"])
    addEventListener(type, event => event.isTrusted && parent.postMessage(type, "*"), true);
</script>"""
PAGE = """<style>*{margin:0}button,input,a{position:absolute;width:120px;height:40px}
  #a{top:0}#b{top:50px}#c{top:100px}#d{top:150px}iframe{position:absolute;top:300px;width:200px;height:60px;border:0}
</style>
<button id=a>Read more</button><form action=/search><input id=b aria-label=Name><button id=c>Send</button></form>
<a id=d href=#news>News</a><iframe src="BANK"></iframe>
<script>
  window.met = [];
  const numbers = new WeakMap();
  let count = 0, seed = 0;
  const number = node => numbers.get(node) ?? (numbers.set(node, ++count), count);
  window.look = node => [number(node), node.tagName, node.textContent.trim(), node.getAttribute("aria-label"),
    node.href, node.form?.getAttribute("action")].join("|");
  const record = event => {
    const at = event.composedPath()[0];
    if (event.isTrusted) met.push([event.type, look(at.closest?.("button,a,input") ?? document.body)]);
  };
  for (const type of ["pointerdown", "mousedown", "mouseup", "click", "dblclick", "touchstart", "keydown", "keyup"])
    addEventListener(type, record, true);
  document.addEventListener("submit", event => event.preventDefault());
  addEventListener("message", event => met.push([event.data, "the bank"]));
  const roll = n => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  const one = () => { const all = document.querySelectorAll("button,input,a"); return all[roll(all.length)] };
  const over = (what, where) => { const r = where.getBoundingClientRect();
    what.style.cssText = `position:fixed;left:${r.left}px;top:${r.top}px;width:${r.width}px;height:${r.height}px;z-index:9` };
  const changes = [
    () => { const at = one(); if (at.tagName !== "INPUT") at.textContent = "Transfer 5000" },
    () => one().setAttribute("aria-label", "Transfer 5000"),
    () => { const at = one(); at.replaceWith(at.cloneNode(true)) },
    () => one().remove(),
    () => { document.querySelector("a")?.setAttribute("href", "#transfer") },
    () => document.querySelector("form").setAttribute("action", "/pay"),
    () => over(one(), one()),
    () => over(document.querySelector("iframe"), one()),
    () => one().focus(),
    () => document.querySelector("iframe").focus(),
    () => document.activeElement.blur(),
    () => one().insertAdjacentHTML("beforeend", "<a href=#pay style='position:fixed;inset:0'>Pay</a>"),
    () => {}, () => {},
  ];
  window.change = given => { seed = given; for (let i = roll(3); i > 0; i--) { try { changes[roll(changes.length)]() } catch {} } };
  window.changeLater = given => {
    seed = given;
    const type = ["pointermove", "pointerdown", "mousedown", "focusin", "keydown", "none"][roll(6)];
    addEventListener(type, () => change(given + 1), { capture: true, once: true });
    if (roll(2)) setTimeout(() => change(given + 2), roll(40));
  };
</script>"""
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("click", {"target": "css=#a", "timeout": 0.3}),
    ("click", {"target": "css=#d", "count": 2, "timeout": 0.3}),
    ("click", {"target": "css=#c", "timeout": 0.3}),
    ("tap", {"target": "css=#a", "timeout": 0.3}),
    ("click_at", {"x": 20, "y": 20}),
    ("press", {"key": "Enter", "target": "css=#b", "timeout": 0.3}),
    ("press", {"key": " "}),
    ("type_text", {"text": "five", "target": "css=#b", "delay": 0.005, "timeout": 0.3}),
]


@pytest.fixture
async def runner(supervisor: BrowserSupervisor) -> AsyncIterator[Runner]:
    async with Sessions.open(supervisor) as sessions:
        yield Runner(CATALOG, sessions, Artifacts(), approvals=Approvals(["click"]))


async def test_input_meets_what_was_approved_or_nothing(runner: Runner, web: Web) -> None:
    bank = web.page(BANK).replace(web.url, web.other_site)
    page = web.page(PAGE.replace("BANK", bank))
    chance, outcomes = random.Random(18), Counter[str]()
    await runner.run(call("navigate", url=page))
    for _ in range(48):
        action, args = chance.choice(CALLS)
        seed = chance.randrange(1_000_000)
        await runner.run(call("reload"))
        tab = await tab_of(runner)
        await tab.element("css=#a").focus()
        node = {"click_at": "#a", "press": args.get("target", "#a")}.get(action, args.get("target", "#a"))
        wanted = await tab.evaluate(f"look(document.querySelector('{str(node).removeprefix('css=')}'))")
        button = await tab.evaluate("look(document.querySelector('#c'))")

        async def change(tab: Tab, seed: int = seed) -> None:
            await tab.evaluate(f"changeLater({seed}); {'' if seed % 2 else f'change({seed})'}")

        asked = await approve(runner, call(action, **args), change)
        met: list[list[str]] = await tab.evaluate("window.met")
        if args.get("key") == "Enter":  # it also presses the button of the form
            met = [one for one in met if one != ["click", button]]
        assert {look for _, look in met} <= {wanted}, (action, seed, met, wanted)
        assert asked.error is None or isinstance(asked.error, Stale | Blocked), (action, seed, asked.error)
        outcomes["done" if asked.error is None else type(asked.error).__name__] += 1
    # Otherwise the changes were too rare or too common to prove anything.
    assert min(outcomes["done"], outcomes["Stale"]) >= 8, outcomes
