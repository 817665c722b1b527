"""What a page makes of a value a moment after it was filled in, by every means that a page has."""

import pytest

from tabwright.errors import Blocked
from tests.browser.snapshot.delays import LONG, SHORT
from tests.calls import Do
from tests.web import Response, Web

PAGE = """<label>Code <input oninput="react()" value=old></label>
<script>const field = document.querySelector('input');
const done = () => { field.value = 'old' }; function react() { %s }</script>"""
DELAYS = SHORT | LONG


@pytest.mark.parametrize("script", DELAYS.values(), ids=DELAYS.keys())
async def test_a_value_that_the_page_sets_back_is_never_reported_as_accepted(
    do: Do, web: Web, script: str
) -> None:
    web.route("/answer", lambda _: Response("yes"))
    await do("navigate", url=web.page(PAGE % script))
    with pytest.raises(Blocked) as refusal:
        await do("fill", target="input", value="new")
    assert refusal.value.message in (
        'textbox "Code" did not keep "new": the page changed it back to "old".',
        'textbox "Code" did not accept the text: its value has not changed.',
    )
