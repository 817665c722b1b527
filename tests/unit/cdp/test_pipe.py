"""The pair of pipes: whole messages in, whole messages out, and an end."""

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


class Wire:
    """The browser's side of the pipes."""

    def __init__(self) -> None:
        self._from_us, self._our_out = os.pipe()
        self._our_in, self._to_us = os.pipe()
        self.transport = PipeTransport(self._our_in, self._our_out)

    def write(self, data: bytes) -> None:
        os.write(self._to_us, data)

    async def read(self, size: int) -> bytes:
        data = b""
        with anyio.fail_after(5):
            while len(data) < size:
                await anyio.wait_readable(self._from_us)
                data += os.read(self._from_us, size - len(data))
        return data

    def close(self) -> None:
        for end in (self._from_us, self._to_us):
            os.close(end)


@asynccontextmanager
async def listening() -> AsyncIterator[tuple[Wire, list[Any], anyio.Event]]:
    """A wire, its messages with the reason of its end as the last, and the event of its end."""
    wire, messages, ended = Wire(), list[Any](), anyio.Event()

    async def run() -> None:
        messages.append(await wire.transport.run(messages.append))
        ended.set()

    async with anyio.create_task_group() as group:
        group.start_soon(run)
        yield wire, messages, ended
        await wire.transport.aclose()


def pieces(data: bytes, cuts: list[int]) -> Iterator[bytes]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return (data[start:end] for start, end in pairwise(places))


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


@given(
    messages=st.lists(st.binary(max_size=50).map(lambda raw: raw.replace(b"\0", b"0"))),
    cuts=st.lists(st.integers(min_value=0)),
)
def test_messages_come_out_whole_however_the_bytes_were_cut(messages: list[bytes], cuts: list[int]) -> None:
    seen: list[bytes] = []
    splitter = Splitter(seen.append)
    for piece in pieces(b"".join(message + b"\0" for message in messages), cuts):
        splitter.feed(piece)
    assert seen == messages


def test_a_message_without_its_end_is_held_back() -> None:
    seen: list[bytes] = []
    splitter = Splitter(seen.append)
    splitter.feed(b'{"id":')
    assert seen == []
    splitter.feed(b"1}\0{")
    assert seen == [b'{"id":1}']


async def test_each_message_is_written_with_its_end_in_order() -> None:
    async with listening() as (wire, _, _):
        wire.transport.send({"id": 1})
        await anyio.wait_all_tasks_blocked()
        wire.transport.send({"id": 2})
        assert await wire.read(18) == b'{"id":1}\0{"id":2}\0'
    wire.close()


async def test_a_message_larger_than_the_pipe_is_written_whole() -> None:
    large = "x" * 3_000_000
    async with listening() as (wire, _, _):
        wire.transport.send({"text": large})
        encoded = f'{{"text":"{large}"}}\0'.encode()
        assert await wire.read(len(encoded)) == encoded
    wire.close()


async def test_when_the_browser_closes_its_end_the_wire_ends_and_says_so() -> None:
    async with listening() as (wire, messages, ended):
        await anyio.wait_all_tasks_blocked()
        wire.write(b'{"id":7}\0not json\0{"id":')
        wire.close()
        with anyio.fail_after(5):
            await ended.wait()
        assert messages == [{"id": 7}, None, "the browser closed its pipe"]
        wire.transport.send({"id": 8})


async def test_when_we_close_the_wire_it_ends_and_says_so() -> None:
    async with listening() as (wire, messages, ended):
        await anyio.wait_all_tasks_blocked()
        await wire.transport.aclose()
        with anyio.fail_after(5):
            await ended.wait()
        assert messages == ["we closed the pipe"]
    wire.close()


async def test_a_wire_closed_before_it_ran_leaves_nothing_open() -> None:
    wire = Wire()
    before = open_files()
    await wire.transport.aclose()
    assert open_files() == before - 2
    wire.close()


async def test_a_wire_closed_as_soon_as_it_runs_leaves_nothing_open() -> None:
    before = open_files()
    wire = Wire()
    async with Connection.open(wire.transport):
        pass
    wire.close()
    assert open_files() == before


async def test_a_call_into_a_closed_pipe_fails_at_once() -> None:
    wire = Wire()
    async with Connection.open(wire.transport) as connection:
        waiting = connection.root.start("Browser.getVersion")
        wire.close()
        assert str(await outcome(waiting)) == "the browser closed its pipe"
        assert str(await outcome(connection.root.send("Browser.getVersion"))) == "the browser closed its pipe"
