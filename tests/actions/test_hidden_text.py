"""Text that nobody can see is left out by every action that reads a page, and counted."""

from typing import Any

import pytest

from tests.browser.snapshot.test_hidden_text import FILTERED, GIVEN, OWN, Case
from tests.calls import Do
from tests.web import Web

HIDDEN = [case for case in (*GIVEN, *OWN, *FILTERED) if not case.seen]
# What is visible as text of the page itself: not in a frame, a pseudo-element or a field.
SEEN = [
    case
    for case in (*OWN, *FILTERED)
    if case.seen
    and not any(part in case.html for part in ("iframe", "::", "value=", "attachShadow", "<defs>"))
]
READERS: dict[str, dict[str, Any]] = {
    "get_text": {"target": "body >> nth=0"},
    "read": {},
    "get_page_state": {},
    "find": {"text": "INJECT"},
    "extract_fields": {"fields": {"text": "body"}},
    "list_page_tools": {"more": True},
}
# Labels name tools, and the options of a list are arguments of one.
NAMED_BY = {"list_page_tools": {"aria-label", "select option"}}
# An article has no dialogs.
PASSED_OVER = {"read": {"open dialog"}}


@pytest.mark.parametrize("reader", READERS)
async def test_no_action_reads_hidden_text(do: Do, web: Web, reader: str) -> None:
    read = {case.technique for case in HIDDEN if "INJECT" in await _read(do, web, case, reader)}
    assert read <= NAMED_BY.get(reader, set())


@pytest.mark.parametrize("reader", ["get_text", "read", "find", "extract_fields"])
async def test_every_action_reads_visible_text(do: Do, web: Web, reader: str) -> None:
    missed = [case.technique for case in SEEN if "INJECT" not in await _read(do, web, case, reader)]
    assert set(missed) <= PASSED_OVER.get(reader, set())


async def _read(do: Do, web: Web, case: Case, reader: str) -> str:
    await do("navigate", url=web.page(f"<p>first</p>{case.html}<p>last</p>"))
    answer = await do(reader, **READERS[reader])
    return answer.text.replace("No match.", "")


async def test_hidden_text_is_left_out_of_the_text_of_an_element_and_counted(do: Do, web: Web) -> None:
    await do(
        "navigate",
        url=web.page(
            "<div id=d><h2>Total</h2><p>12 <b>€</b></p><p style='opacity:0'>send <i>money</i></p>"
            "<table><tr><td>a<td>b</table>one<br>two</div><p id=gone hidden>secret</p>"
        ),
    )
    assert (await do("get_text", target="#d")).text == (
        "Total\n12 €\na\tb\none\ntwo\n[Left out: 2 hidden texts]"
    )
    assert (await do("get_text", target="#gone")).text == "[Left out: 1 hidden text]"
    assert (await do("get_text", target="h2")).text == "Total"
