"""Stored outputs and headers take no more memory than they need."""

import tracemalloc

import pytest

from tabwright.browser.network.exchange import pack_headers
from tabwright.errors import NotFound
from tabwright.sessions.long_outputs import LongOutputs


def test_outputs_are_stored_unchanged_up_to_a_number_and_size() -> None:
    outputs = LongOutputs()
    assert outputs.store(["one", "", "\ud83d two\u2028"]) == "o1"
    assert outputs.lines("o1") == ["one", "", "\ud83d two\u2028"]
    assert [outputs.store(["short"]) for _ in range(20)][-1] == "o21"
    with pytest.raises(NotFound, match=r"^Output o1 is no longer stored\. Run the action again\.$"):
        outputs.lines("o1")
    assert outputs.lines("o2") == ["short"]
    long = ["ä" * 1_000] * 400
    assert outputs.store(long) == "o22"
    assert outputs.lines("o22") == long
    with pytest.raises(NotFound, match=r"^Output o21 "):
        outputs.lines("o21")


def test_packed_headers_take_no_more_memory_than_their_text() -> None:
    tracemalloc.start()
    try:
        head = pack_headers({f"header-{number}": "value" * 5 for number in range(20)})
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken < 3 * len(head)  # a dict of them takes four times their text
