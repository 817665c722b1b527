"""One connection with a scripted peer."""

import asyncio
import logging
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from pydantic import TypeAdapter

from tabwright.cdp import CALL_TIMEOUT, CdpError, CdpSession, Connection, ConnectionLost
from tabwright.errors import InvalidArgs, NotFound, TimedOut
from tabwright.fields import Timeout
from tests.fakes.chrome import FakeChrome


@pytest.fixture
def chrome() -> FakeChrome:
    return FakeChrome()


@pytest.fixture
async def connection(chrome: FakeChrome) -> AsyncIterator[Connection]:
    async with Connection.open(chrome) as connection:
        await chrome.running.wait()
        yield connection


async def outcome(call: Awaitable[Any]) -> Any:
    """Return the result of a call, or its exception."""
    with anyio.fail_after(60):
        try:
            return await call
        except Exception as error:
            return error


async def test_a_call_is_written_as_chrome_expects_it(connection: Connection, chrome: FakeChrome) -> None:
    connection.session("S1").post("Page.navigate", url="about:blank")
    assert chrome.calls == [
        {"id": 1, "method": "Page.navigate", "params": {"url": "about:blank"}, "sessionId": "S1"}
    ]


async def test_a_call_to_the_browser_has_no_session_id(connection: Connection, chrome: FakeChrome) -> None:
    connection.root.post("Browser.getVersion")
    assert chrome.calls == [{"id": 1, "method": "Browser.getVersion", "params": {}}]


async def test_each_answer_reaches_its_call_in_any_order(connection: Connection, chrome: FakeChrome) -> None:
    first = connection.root.start("Browser.getVersion")
    second = connection.root.start("Target.getTargets")
    chrome.answer(chrome.calls[1], targetInfos=[])
    chrome.answer(chrome.calls[0], product="Chrome/1")
    assert (await first, await second) == ({"product": "Chrome/1"}, {"targetInfos": []})


async def test_calls_started_in_a_row_are_written_before_the_first_answer(
    connection: Connection, chrome: FakeChrome
) -> None:
    for name in ("one", "two", "three"):
        connection.root.start("Page.navigate", url=name)
    assert [call["params"]["url"] for call in chrome.calls] == ["one", "two", "three"]


async def test_send_waits_for_its_answer(connection: Connection, chrome: FakeChrome) -> None:
    async with anyio.create_task_group() as group:

        async def answer() -> None:
            chrome.answer(await chrome.call("Browser.getVersion"), product="Chrome/1")

        group.start_soon(answer)
        assert await connection.root.send("Browser.getVersion") == {"product": "Chrome/1"}


async def test_events_keep_their_order(connection: Connection, chrome: FakeChrome) -> None:
    seen: list[str] = []
    session = connection.session("S1")
    session.on("Page.frameNavigated", lambda event: seen.append(f"navigated {event['n']}"))
    session.on("Page.loadEventFired", lambda event: seen.append(f"loaded {event['n']}"))
    for number in (1, 2):
        chrome.event("Page.frameNavigated", "S1", n=number)
        chrome.event("Page.loadEventFired", "S1", n=number)
    assert seen == ["navigated 1", "loaded 1", "navigated 2", "loaded 2"]


async def test_an_event_that_precedes_the_answer_is_not_missed(
    connection: Connection, chrome: FakeChrome
) -> None:
    seen: list[str] = []
    session = connection.session("S1")
    session.on("Page.frameNavigated", lambda _: seen.append("event"))
    future = session.start("Page.navigate", url="about:blank")
    chrome.event("Page.frameNavigated", "S1")
    chrome.answer(chrome.calls[0])
    await future
    assert seen == ["event"]


async def test_an_event_reaches_only_its_session(connection: Connection, chrome: FakeChrome) -> None:
    seen: list[str] = []
    connection.session("S1").on("Page.loadEventFired", lambda _: seen.append("S1"))
    connection.session("S2").on("Page.loadEventFired", lambda _: seen.append("S2"))
    chrome.event("Page.loadEventFired", "S2")
    assert seen == ["S2"]


async def test_an_event_without_parameters_passes_an_empty_dict(
    connection: Connection, chrome: FakeChrome
) -> None:
    seen: list[dict[str, Any]] = []
    connection.root.on("Inspector.targetCrashed", seen.append)
    chrome.say({"method": "Inspector.targetCrashed"})
    assert seen == [{}]


async def test_unsubscribing_twice_is_harmless(connection: Connection, chrome: FakeChrome) -> None:
    seen: list[dict[str, Any]] = []
    unsubscribe = connection.root.on("Target.targetCreated", seen.append)
    unsubscribe()
    unsubscribe()
    chrome.event("Target.targetCreated")
    assert seen == []


async def test_a_subscriber_may_unsubscribe_while_it_is_called(
    connection: Connection, chrome: FakeChrome
) -> None:
    seen: list[str] = []

    def once(_: dict[str, Any]) -> None:
        seen.append("once")
        unsubscribe()

    unsubscribe = connection.root.on("Target.targetCreated", once)
    connection.root.on("Target.targetCreated", lambda _: seen.append("always"))
    chrome.event("Target.targetCreated")
    chrome.event("Target.targetCreated")
    assert seen == ["once", "always", "always"]


async def test_a_failing_subscriber_is_logged_and_others_still_run(
    connection: Connection, chrome: FakeChrome, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[str] = []

    def failing(_: dict[str, Any]) -> None:
        raise KeyError("frame")

    connection.root.on("Target.targetCreated", failing)
    connection.root.on("Target.targetCreated", lambda _: seen.append("other"))
    chrome.event("Target.targetCreated")
    assert seen == ["other"]
    assert [record.getMessage() for record in caplog.records] == [
        "a subscriber of Target.targetCreated failed"
    ]
    assert connection.root.lost is None


async def test_a_refused_call_raises_an_error_with_its_method(
    connection: Connection, chrome: FakeChrome
) -> None:
    future = connection.root.start("Page.navigate", url="x")
    chrome.refuse(chrome.calls[0], -32602, "Invalid parameters", data="url: string value expected")
    with pytest.raises(CdpError) as refused:
        await future
    assert str(refused.value) == ("Page.navigate: Invalid parameters url: string value expected (-32602)")
    assert (refused.value.method, refused.value.code) == ("Page.navigate", -32602)


async def test_a_refused_duplicate_does_not_fail_the_first_call(
    connection: Connection, chrome: FakeChrome
) -> None:
    unclaimed: list[object] = []
    connection.unclaimed = unclaimed.append
    future = connection.root.start("Browser.getVersion")
    chrome.refuse(chrome.calls[0], -32600, "Duplicate `id` in protocol request")
    chrome.answer(chrome.calls[0], product="Chrome/1")
    assert await future == {"product": "Chrome/1"}
    chrome.answer(chrome.calls[0], product="Chrome/1, again")
    assert unclaimed == [{"product": "Chrome/1, again"}]


async def test_a_refused_posted_call_is_only_logged(
    connection: Connection, chrome: FakeChrome, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    connection.root.post("Page.enable")
    chrome.refuse(chrome.calls[0], -32000, "Not allowed")
    await anyio.wait_all_tasks_blocked()
    assert [record.getMessage() for record in caplog.records if record.name.startswith("tabwright")] == [
        "a posted call failed: Page.enable: Not allowed (-32000)"
    ]


async def test_a_lost_connection_fails_all_waiting_and_later_calls(
    chrome: FakeChrome, connection: Connection
) -> None:
    sessions = [connection.root, connection.session("S1"), connection.session("S2")]
    waiting = [session.start("Runtime.evaluate", expression="1") for session in sessions]
    chrome.hang_up("the browser closed its pipe")
    failures = [await outcome(call) for call in waiting]
    failures += [await outcome(session.send("Browser.getVersion")) for session in sessions]
    failures.append(await outcome(connection.session("S3").send("Browser.getVersion")))
    assert [(type(failure), str(failure)) for failure in failures] == [
        (ConnectionLost, "the browser closed its pipe")
    ] * 7
    assert len(chrome.calls) == 3
    assert connection.lost.is_set()


async def test_the_opener_chooses_the_error_of_a_lost_connection(chrome: FakeChrome) -> None:
    async with Connection.open(chrome, lost=lambda reason: NotFound(f"Gone: {reason}.")) as connection:
        await chrome.running.wait()
        waiting = connection.root.start("Browser.getVersion")
        chrome.hang_up("it fell over")
        with pytest.raises(NotFound, match=r"^Gone: it fell over\.$"):
            await waiting


async def test_ending_a_session_fails_only_its_calls(connection: Connection, chrome: FakeChrome) -> None:
    closed, other = connection.session("S1"), connection.session("S2")
    waiting, unharmed = closed.start("Page.enable"), other.start("Page.enable")
    closed.end(NotFound("Tab t1 is closed."))
    chrome.answer(chrome.calls[1])
    assert await unharmed == {}
    for call in (waiting, closed.send("Page.disable")):
        failure = await outcome(call)
        assert (type(failure), str(failure)) == (NotFound, "Tab t1 is closed.")
    assert len(chrome.calls) == 2


async def test_messages_of_an_ended_session_are_dropped(connection: Connection, chrome: FakeChrome) -> None:
    seen: list[dict[str, Any]] = []
    session = connection.session("S1")
    session.on("Page.loadEventFired", seen.append)
    session.end(NotFound("Tab t1 is closed."))
    chrome.event("Page.loadEventFired", "S1")
    assert seen == []
    assert connection.root.lost is None


async def test_the_first_end_reason_stays(connection: Connection, chrome: FakeChrome) -> None:
    session = connection.session("S1")
    session.end(NotFound("Tab t1 is closed."))
    session.end(NotFound("Tab t1 is closed again."))
    failure = await outcome(session.send("Page.enable"))
    assert str(failure) == "Tab t1 is closed."


async def test_an_interrupted_session_stays_usable(connection: Connection, chrome: FakeChrome) -> None:
    session = connection.session("S1")
    waiting = session.start("Runtime.evaluate", expression="alert(1)")
    session.interrupt(NotFound("A dialog is open."))
    assert str(await outcome(waiting)) == "A dialog is open."
    later = session.start("Page.handleJavaScriptDialog", accept=True)
    chrome.answer(chrome.calls[1])
    assert await later == {}


async def test_a_late_answer_to_a_cancelled_call_is_dropped(
    connection: Connection, chrome: FakeChrome
) -> None:
    with anyio.move_on_after(0):
        await connection.root.send("Target.createTarget", url="about:blank")
    assert connection.waiting == 0
    chrome.answer(chrome.calls[0], targetId="T1")
    assert connection.root.lost is None


async def test_an_unanswered_call_times_out(chrome: FakeChrome) -> None:
    async with Connection.open(chrome, call_timeout=0.05) as connection:
        await chrome.running.wait()
        failure = await outcome(connection.root.send("Browser.getVersion"))
        assert isinstance(failure, TimedOut)
        assert str(failure) == "The browser did not answer Browser.getVersion in 0.05 s. Try again."
        await anyio.lowlevel.checkpoint()
        assert connection.waiting == 0


def test_the_call_timeout_is_longer_than_any_timeout_of_a_caller() -> None:
    longest = TypeAdapter(Timeout).json_schema()["maximum"]
    assert longest < CALL_TIMEOUT


async def test_finished_calls_are_forgotten(connection: Connection, chrome: FakeChrome) -> None:
    answered = connection.root.start("Browser.getVersion")
    refused = connection.root.start("Page.navigate", url="x")
    interrupted = connection.session("S1").start("Page.enable")
    unsendable = connection.root.start("Page.navigate", url=object())
    assert connection.waiting == 3
    chrome.answer(chrome.calls[0])
    chrome.refuse(chrome.calls[1], -32000, "no")
    connection.session("S1").interrupt(NotFound("gone"))
    for call in (answered, refused, interrupted, unsendable):
        await outcome(call)
    await anyio.lowlevel.checkpoint()
    assert connection.waiting == 0


@pytest.mark.parametrize("value", [object(), "half a pair: \ud83d", 2**70, {1, 2}])
async def test_values_that_json_cannot_encode_are_refused(
    connection: Connection, chrome: FakeChrome, value: object
) -> None:
    failure = await outcome(connection.root.send("Page.navigate", url=value))
    assert isinstance(failure, InvalidArgs)
    assert failure.message.startswith("Page.navigate cannot be sent: ")
    assert chrome.calls == []


async def test_half_a_surrogate_pair_in_a_message_becomes_a_question_mark(
    connection: Connection, chrome: FakeChrome
) -> None:
    call = connection.root.start("Runtime.evaluate", expression="'\\ud83d'")
    chrome.write(b'{"id":1,"result":{"value":"x\\ud83dy","whole":"\\ud83d\\ude00 \xc3\xa9"}}')
    assert await call == {"value": "x?y", "whole": "\U0001f600 é"}


async def test_an_unexpected_answer_is_dropped(connection: Connection, chrome: FakeChrome) -> None:
    chrome.say({"id": 77, "result": {}})
    chrome.say({"id": 77, "error": {"code": 1, "message": "x"}})
    chrome.event("Page.loadEventFired", "unknown session")
    chrome.event("Future.unknownEvent")
    assert connection.root.lost is None


async def test_a_duplicate_answer_is_dropped(connection: Connection, chrome: FakeChrome) -> None:
    call = connection.root.start("Browser.getVersion")
    chrome.answer(chrome.calls[0], product="first")
    chrome.answer(chrome.calls[0], product="second")
    assert await call == {"product": "first"}


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"not json",
        b'{"id":1,"result":',
        b"\xff\xfe",
        b"[]",
        b"7",
        b"null",
        b"{}",
        b'{"id":[]}',
        b'{"id":1}',
        b'{"id":1,"error":"no"}',
        b'{"method":"Page.loadEventFired","sessionId":[]}',
        b"[" * 100_000,
    ],
)
async def test_a_peer_that_breaks_the_protocol_counts_as_lost(
    connection: Connection, chrome: FakeChrome, raw: bytes
) -> None:
    waiting = connection.root.start("Browser.getVersion")
    chrome.write(raw)
    chrome.write(raw)
    for call in (waiting, connection.root.send("Browser.getVersion")):
        failure = await outcome(call)
        assert (type(failure), str(failure)) == (ConnectionLost, "it sent an invalid protocol message")
    assert connection.lost.is_set()


async def test_no_task_outlives_the_block(chrome: FakeChrome) -> None:
    before = asyncio.all_tasks()
    async with Connection.open(chrome):
        await chrome.running.wait()
    assert chrome.left.is_set()
    assert asyncio.all_tasks() == before


async def test_the_end_of_the_block_fails_waiting_calls(chrome: FakeChrome) -> None:
    async with Connection.open(chrome) as connection:
        await chrome.running.wait()
        waiting = connection.root.start("Browser.getVersion")
    assert str(await outcome(waiting)) == "we closed the transport"


async def test_an_exception_in_the_block_is_not_wrapped(chrome: FakeChrome) -> None:
    with pytest.raises(NotFound, match="mine"):
        async with Connection.open(chrome):
            raise NotFound("mine")
    assert chrome.left.is_set()


async def test_a_cancelled_block_ends_the_connection(chrome: FakeChrome) -> None:
    with anyio.CancelScope() as scope:
        async with Connection.open(chrome):
            await chrome.running.wait()
            scope.cancel()
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert chrome.left.is_set()


async def test_tracebacks_do_not_grow_in_a_shared_error(connection: Connection, chrome: FakeChrome) -> None:
    chrome.hang_up("over")
    await connection.lost.wait()

    async def depth(fail: Callable[[], Awaitable[Any]]) -> int:
        failure = await outcome(fail())
        return len(traceback.extract_tb(failure.__traceback__))

    async def refuse(session: CdpSession) -> None:
        assert session.lost is not None
        raise session.lost

    for fail in (lambda: connection.root.send("Page.enable"), lambda: refuse(connection.root)):
        assert await depth(fail) == await depth(fail) == await depth(fail)
