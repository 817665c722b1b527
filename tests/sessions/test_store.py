"""The file of stored sessions: private, shared by processes, and a failure of it stops nothing."""

import logging
import resource
import stat
import sys
import time
from pathlib import Path

import anyio
import orjson
import pytest

from tabwright.app import running
from tabwright.browser.saved_state.state import ContextState, TabState
from tabwright.home import Home
from tabwright.sessions.store import Store, StoredSession
from tabwright.settings import SessionSettings, Settings


def state(title: str, taken: float = 0.0) -> ContextState:
    url = f"https://{title}.test/"
    return ContextState(taken, [], {url: {"key": "value"}}, [TabState("t1", url, [url])], "t1")


async def load(store: Store, name: str) -> ContextState | None:
    found = await store.get("local:ann", name)
    return ContextState.parse(orjson.loads(found)) if found else None


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_a_session_is_stored_until_it_is_deleted(tmp_path: Path) -> None:
    store = Store(tmp_path / "state" / "sessions.db")
    await store.put("local:ann", "shop", state("first"))
    await store.put("local:ann", "shop", state("shop", 7.0))
    await store.close()
    again = Store(tmp_path / "state" / "sessions.db")
    assert await load(again, "shop") == state("shop", 7.0)
    assert await again.get("local:bob", "shop") is None
    assert await again.all() == (StoredSession("local:ann", "shop", 7.0, 1),)
    rights = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "state").iterdir()}
    assert rights == {"sessions.db": 0o600, "sessions.db-wal": 0o600, "sessions.db-shm": 0o600}
    assert await again.forget("local:ann", "shop")
    assert not await again.forget("local:ann", "shop")
    await again.close()


async def test_a_session_that_is_not_used_expires(tmp_path: Path) -> None:
    days, now = 24 * 60 * 60.0, time.time()
    store = Store(tmp_path / "sessions.db")
    await store.put("local:ann", "ancient", state("ancient"))
    await store.put("local:ann", "lately", state("lately", now - 29 * days))
    await store.put("local:bob", "long-ago", state("long-ago", now - 31 * days))
    assert [stored.name for stored in await store.all()] == ["lately", "long-ago", "ancient"]
    await store.close()
    again = Store(tmp_path / "sessions.db", 30 * days)
    assert await again.get("local:bob", "long-ago") is None
    assert [stored.name for stored in await again.all()] == ["lately"]
    await again.close()
    settings = Settings(sessions=SessionSettings(keep_days=28))
    async with running(settings, Home(tmp_path, tmp_path)) as runner:
        assert await runner.sessions.list_stored("local:ann") == ()


@pytest.mark.parametrize("damage", [b"this is not a database" * 200, None])
async def test_a_damaged_file_is_renamed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: bytes | None
) -> None:
    path = tmp_path / "sessions.db"
    store = Store(path)
    for number in range(30):
        await store.put("local:ann", f"old{number}", state("long" * 300))
    await store.close()
    path.write_bytes(damage or path.read_bytes()[:4096] + b"\xff" * 40_000)
    await store.put("local:ann", "shop", state("new"))
    assert await load(store, "shop") == state("new")
    assert [stored.name for stored in await store.all()] == ["shop"]
    await store.close()
    _, aside = files(tmp_path)
    assert aside.startswith(f"sessions.db.damaged-{time.strftime('%Y')}")
    [line] = [record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert line.endswith(f"it was renamed to {aside}, and a new one is created")


async def test_a_full_disk_is_logged_once_and_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(tmp_path / "sessions.db")
    await store.put("local:ann", "shop", state("before"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        for _ in range(3):
            await store.put("local:ann", "shop", state("after" * 5_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert await load(store, "shop") == state("before")
    await store.put("local:ann", "shop", state("after"))
    assert await load(store, "shop") == state("after")
    await store.close()


async def test_a_path_that_cannot_be_written_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "sessions.db").mkdir()
    store = Store(tmp_path / "sessions.db")
    await store.put("local:ann", "shop", state("shop"))
    assert await store.all() == ()
    assert len(caplog.records) == 1


WRITER = """
import anyio, sys
from pathlib import Path
from tabwright.sessions.store import Store
from tests.sessions.test_store import state

async def main():
    store = Store(Path(sys.argv[1]))
    for number in range(20):
        await store.put("local:bob", f"b{number}", state("b"))
    await store.close()

anyio.run(main)
"""


async def test_two_processes_write_to_one_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "sessions.db"
    store = Store(path)
    async with anyio.create_task_group() as group:
        command = [sys.executable, "-c", WRITER, str(path)]
        group.start_soon(lambda: anyio.run_process(command, cwd=Path(__file__).parents[2]))
        for number in range(20):
            await store.put("local:ann", f"a{number}", state("a"))
    stored = await store.all()
    await store.close()
    assert sorted(one.name for one in stored) == sorted(
        f"{who}{number}" for who in "ab" for number in range(20)
    )
    assert caplog.records == []
    assert files(tmp_path) == ["sessions.db"]
