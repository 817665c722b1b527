"""Windows that a page opens without end: few stay open, the rest are closed and counted.

Only in browsers that we launch: in the user's own Chrome, its popup blocker decides.
"""

import re

import anyio
import pytest

from tests.calls import Do
from tests.web import Web

FLOOD = re.compile(r"^Closed (\d+) more windows that the page opened(.*)\.$", re.MULTILINE)
# Each opens a window, of which Chrome lets the user's click open one.
WAYS = {
    "link": "a.click()",
    "named": "window.open('/pop', `w${n}`)",
    "form": "document.body.append(f); f.submit(); f = f.cloneNode()",
    "event": "a.dispatchEvent(new MouseEvent('click'))",
}


async def flood(do: Do, web: Web, loop: str) -> str:
    web.page("<title>Popup</title>", "/pop")
    script = f"""
        let a = document.querySelector('a'), f = document.querySelector('form'), n = 0
        document.querySelector('button').onclick = () => {{ {loop} }}
    """
    targets = "<a href=/pop target=_blank>Link</a><form action=/pop target=_blank></form>"
    await do("navigate", url=web.page(f"<button>Go</button>{targets}<script>{script}</script>"))
    with anyio.fail_after(60):
        return (await do("click", target="button")).text


@pytest.mark.parametrize("opens", WAYS.values(), ids=WAYS)
async def test_windows_beyond_the_first_are_closed_and_counted(do: Do, web: Web, opens: str) -> None:
    text = await flood(do, web, f"for (; n < 8; n++) {{ {opens} }}")
    assert [found[1] for found in FLOOD.finditer(text)] == ["7"]
    assert text.count("Opened tab") == 1
    tabs = (await do("list_tabs")).result.model_dump()["tabs"]
    assert len(tabs) == 2


async def test_a_script_that_opens_windows_without_end_is_stopped(do: Do, web: Web) -> None:
    text = await flood(do, web, f"for (;;) {{ {WAYS['link']} }}")
    closed = FLOOD.search(text)
    assert closed is not None, text
    assert closed[2] == "; the script that opened them was stopped"
    assert (await do("evaluate", script="1 + 1")).text == "2"


async def test_a_script_may_try_only_so_many_names_of_windows(do: Do, web: Web) -> None:
    text = await flood(do, web, f"for (; n < 500; n++) {{ {WAYS['named']} }}")
    closed = FLOOD.search(text)
    assert closed is not None, text
    assert closed[1] == "20"
    assert (await do("evaluate", script="n")).text == "500"
