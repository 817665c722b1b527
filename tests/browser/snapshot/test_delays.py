"""Effects that come a moment after the input, by every means that a page has."""

import pytest

from tabwright.browser.snapshot.observe import observe
from tabwright.browser.tab import Tab
from tests.browser.snapshot.delays import SHORT
from tests.web import Response, Web

PAGE = """<button onclick="react()">Go</button><p id=out>Before</p>
<script>const done = () => { out.textContent = 'After' }; function react() { %s }</script>"""


@pytest.mark.parametrize("script", SHORT.values(), ids=SHORT.keys())
async def test_a_reaction_within_100_ms_is_reported(tab: Tab, web: Web, script: str) -> None:
    web.route("/answer", lambda _: Response("yes"))
    await tab.goto(web.page(PAGE % script))
    await tab.snapshot()
    _, effects = await observe(tab, tab.element("button").click)
    assert '~ "After"' in str(effects).splitlines()


@pytest.mark.parametrize("script", [SHORT["timer 60"], SHORT["message, timer"], SHORT["two frames"]])
async def test_a_reaction_in_a_frame_is_reported(tab: Tab, web: Web, script: str) -> None:
    # The document around it schedules the reaction.
    inner = web.page("<button onclick='parent.react()'>Inner</button>")
    await tab.goto(web.page(f"<iframe src='{inner}'></iframe>{PAGE % script}"))
    ref = next(node.ref for node in (await tab.snapshot()).walk() if node.name == "Inner")
    _, effects = await observe(tab, tab.element(ref).click)
    assert '~ "After"' in str(effects).splitlines()
