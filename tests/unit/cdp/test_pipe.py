"""The two pipes: whole messages in, whole messages out, and their end."""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
from hypothesis import given
from hypothesis import strategies as st

from tabwright.cdp import Connection
from tabwright.cdp.pipe import PipeTransport, Splitter
from tests.unit.cdp.test_connection import outcome


class BrowserEnd:
    """The browser's end of the pipes."""

    def __init__(self) -> None:
        self._from_us, self._our_out = os.pipe()
        self._our_in, self._to_us = os.pipe()
        self.transport = PipeTransport(self._our_in, self._our_out)

    def write(self, data: bytes) -> None:
        os.write(self._to_us, data)

    async def read(self, size: int) -> bytes:
        data = b""
        with anyio.fail_after(60):
            while len(data) < size:
                await anyio.wait_readable(self._from_us)
                data += os.read(self._from_us, size - len(data))
        return data

    def close(self) -> None:
        for end in (self._from_us, self._to_us):
            os.close(end)


@asynccontextmanager
async def listening() -> AsyncIterator[tuple[BrowserEnd, list[Any], anyio.Event]]:
    """Run a transport; yield its other end, its messages with the end reason as the last, and an end event."""
    browser, messages, ended = BrowserEnd(), list[Any](), anyio.Event()

    async def run() -> None:
        messages.append(await browser.transport.run(messages.append))
        ended.set()

    async with anyio.create_task_group() as group:
        group.start_soon(run)
        yield browser, messages, ended
        await browser.transport.aclose()


def split(data: bytes, cuts: list[int]) -> Iterator[bytes]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return (data[start:end] for start, end in pairwise(places))


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


@given(
    messages=st.lists(st.binary(max_size=50).map(lambda raw: raw.replace(b"\0", b"0"))),
    cuts=st.lists(st.integers(min_value=0)),
)
def test_messages_are_whole_however_the_bytes_are_split(messages: list[bytes], cuts: list[int]) -> None:
    seen: list[bytes] = []
    splitter = Splitter(seen.append)
    for piece in split(b"".join(message + b"\0" for message in messages), cuts):
        splitter.feed(piece)
    assert seen == messages


def test_an_incomplete_message_is_not_passed_on() -> None:
    seen: list[bytes] = []
    splitter = Splitter(seen.append)
    splitter.feed(b'{"id":')
    assert seen == []
    splitter.feed(b"1}\0{")
    assert seen == [b'{"id":1}']


async def test_messages_are_written_in_order_with_a_terminator() -> None:
    async with listening() as (browser, _, _):
        browser.transport.send({"id": 1})
        await anyio.wait_all_tasks_blocked()
        browser.transport.send({"id": 2})
        assert await browser.read(18) == b'{"id":1}\0{"id":2}\0'
    browser.close()


async def test_a_message_larger_than_the_pipe_is_written_whole() -> None:
    large = "x" * 3_000_000
    async with listening() as (browser, _, _):
        browser.transport.send({"text": large})
        encoded = f'{{"text":"{large}"}}\0'.encode()
        assert await browser.read(len(encoded)) == encoded
    browser.close()


async def test_the_transport_ends_when_the_browser_closes_its_end() -> None:
    async with listening() as (browser, messages, ended):
        await anyio.wait_all_tasks_blocked()
        browser.write(b'{"id":7}\0not json\0{"id":')
        browser.close()
        with anyio.fail_after(60):
            await ended.wait()
        assert messages == [{"id": 7}, None, "the browser closed its pipe"]
        browser.transport.send({"id": 8})


async def test_the_transport_ends_when_we_close_it() -> None:
    async with listening() as (browser, messages, ended):
        await anyio.wait_all_tasks_blocked()
        await browser.transport.aclose()
        with anyio.fail_after(60):
            await ended.wait()
        assert messages == ["we closed the pipe"]
    browser.close()


async def test_a_transport_closed_before_it_ran_leaves_nothing_open() -> None:
    browser = BrowserEnd()
    before = open_files()
    await browser.transport.aclose()
    assert open_files() == before - 2
    browser.close()


async def test_a_transport_closed_as_soon_as_it_runs_leaves_nothing_open() -> None:
    before = open_files()
    browser = BrowserEnd()
    async with Connection.open(browser.transport):
        pass
    browser.close()
    assert open_files() == before


async def test_a_call_into_a_closed_pipe_fails_at_once() -> None:
    browser = BrowserEnd()
    async with Connection.open(browser.transport) as connection:
        waiting = connection.root.start("Browser.getVersion")
        browser.close()
        assert str(await outcome(waiting)) == "the browser closed its pipe"
        assert str(await outcome(connection.root.send("Browser.getVersion"))) == "the browser closed its pipe"
