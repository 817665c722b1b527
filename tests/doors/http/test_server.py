"""HTTP of a hub that runs as a separate process, as it does for users."""

import json
import os
import signal
import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.abc
import httpx2
import pytest

from tabwright.doors.http.server import bind
from tests.doors.http.wired import raw
from tests.web import Web, never

MEGABYTE = 1024 * 1024


def test_answers_are_sent_at_once() -> None:
    bound = bind(0)
    assert bound is not None
    with bound, socket.create_connection(bound.getsockname()), bound.accept()[0] as accepted:
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@dataclass(frozen=True)
class HubProcess:
    """A running hub."""

    process: anyio.abc.Process
    folder: Path
    log: Path

    @property
    def url(self) -> str:
        return str(json.loads((self.folder / "http.json").read_text())["url"])

    @property
    def memory(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))


@asynccontextmanager
async def hub_process(folder: Path) -> AsyncIterator[HubProcess]:
    """Run a hub while the block runs, then stop it as the user's system would."""
    ready, hub_end = os.pipe()
    log = folder / "hub.log"
    command = [sys.executable, "-m", "tabwright", "hub", "--ready-fd", str(hub_end)]
    env = {**os.environ, "TABWRIGHT_HOME": str(folder), "TABWRIGHT_API_PORT": "any"}  # noqa: TID251 - the test's own
    with log.open("wb") as output:
        process = await anyio.open_process(
            command, env=env, stdout=output, stderr=output, stdin=None, pass_fds=[hub_end]
        )
    os.close(hub_end)
    try:
        with anyio.fail_after(60), os.fdopen(ready, "rb") as pipe:
            await anyio.to_thread.run_sync(pipe.read)
        yield HubProcess(process, folder, log)
    finally:
        if process.returncode is None:
            process.terminate()
        with anyio.fail_after(60):
            await process.wait()
        await process.aclose()


async def test_a_stopped_hub_answers_its_clients_and_cleans_up(tmp_path: Path, web: Web) -> None:
    slow = web.route("/slow", lambda _: never())
    answers: list[httpx2.Response] = []

    async def navigate(url: str) -> None:
        async with httpx2.AsyncClient(base_url=url, timeout=60) as api:
            answers.append(await api.post("/api/actions/navigate", json={"url": slow}))

    async with hub_process(tmp_path) as hub, anyio.create_task_group() as group:
        group.start_soon(navigate, hub.url)
        await web.wait_for_request("/slow")
        hub.process.send_signal(signal.SIGTERM)
        with anyio.fail_after(60):
            code = await hub.process.wait()
    assert code == 0, hub.log.read_text()
    assert (answers[0].status_code, answers[0].json()["error"]["class"]) == (503, "BrowserGone")
    remaining = sorted(os.listdir(tmp_path))  # noqa: PTH208 - only the names matter
    assert remaining == ["audit.jsonl", "downloads", "hub.log"]
    assert "Traceback" not in hub.log.read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
async def test_a_thousand_calls_at_once_get_an_answer_or_retry_after(tmp_path: Path) -> None:
    statuses: Counter[int] = Counter()

    async with hub_process(tmp_path) as hub:
        port = int(hub.url.rpartition(":")[2])
        call = f"POST /api/actions/list_tabs HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 0\r\n\r\n".encode()

        async def ask() -> None:
            answer = await raw(port, call)
            assert set(json.loads(answer.body)) in ({"error"}, ANSWER)
            statuses[answer.status] += 1

        await ask()
        before = hub.memory
        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                for _ in range(1_000):
                    group.start_soon(ask)
        await ask()
        growth = hub.memory - before
    assert statuses.total() == 1_002
    assert set(statuses) <= {200, 503}
    assert statuses[200] >= 250
    assert growth < 64 * MEGABYTE
    assert "Traceback" not in hub.log.read_text()


ANSWER = {"text", "result", "effects", "cursor", "session", "tab", "files"}
