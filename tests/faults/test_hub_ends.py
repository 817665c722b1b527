"""Hubs and clients that exit during work, and disks that are full or damaged."""

import json
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from tabwright import __version__
from tabwright.doors.wire.handshake import Hello
from tests.doors.http.wired import raw
from tests.doors.mcp.agents import MODERN, Agent, HubHome, Json, hub_of
from tests.processes import children, kill_and_wait, wait_for_group_exit
from tests.web import Web, never

ENVELOPE: Json = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "modern", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Client:
    """A client of a hub that uses the plain dialect."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    async def ask(self, action: str, session: str = "shop", **args: object) -> None:
        """Start an action."""
        await self._agent.say({"action": action, "args": args, "session": session})

    async def do(self, action: str, session: str = "shop", **args: object) -> str:
        """Run an action; return its text, or the class and message of its error."""
        await self.ask(action, session, **args)
        while "progress" in (answer := await self._agent.hear()):
            continue
        error = answer.get("error", {})
        return str(answer["text"] if answer["ok"] else f"{error['class']}: {error['message']}")


@asynccontextmanager
async def client_of(hub: HubHome) -> AsyncIterator[Client]:
    """A client of the hub, which is started if needed."""
    async with hub.start_proxy() as proxy:
        await proxy.agent.initialize()
        async with hub.connected(Hello("call", __version__, client="ann")) as agent:
            yield Client(agent)


@pytest.fixture
def folders() -> Iterator[tuple[Path, Path]]:
    """A home and a temporary folder, with paths short enough for sockets."""
    with tempfile.TemporaryDirectory() as folder:
        home, temporary = Path(folder) / "home", Path(folder) / "tmp"
        temporary.mkdir()
        yield home, temporary


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
async def test_a_hub_killed_during_a_call_leaves_and_loses_nothing(
    folders: tuple[Path, Path], web: Web, end: signal.Signals
) -> None:
    home, temporary = folders
    page, stuck = web.page("<title>Basket</title>", "/basket"), web.route("/stuck", lambda _: never())
    hang = web.page("<title>Hang</title><script>setTimeout(() => { for (;;); }, 50)</script>")
    async with hub_of(home) as hub:
        hub.more["TMPDIR"] = str(temporary)
        async with client_of(hub) as client, client_of(hub) as other, client_of(hub) as third:
            assert await client.do("navigate", url=page) == f"Navigated to {page} (200 OK)"
            while await client.do("list_sessions", "none") and not is_saved(home, "/basket"):
                continue
            await other.ask("navigate", "stuck", url=stuck)
            await third.do("navigate", "hang", url=hang)
            await third.ask("snapshot", "hang")
            await web.wait_for_request("/stuck")
            pid = hub.pid
            [browser] = children(pid)
            await kill_and_wait(pid, end)
            with anyio.fail_after(60):
                await wait_for_group_exit(browser)
        assert hub.status() is None
        if end == signal.SIGTERM:
            assert names(temporary) == []
            assert not hub.home.socket.exists()
        async with client_of(hub) as client:
            note, _, tabs = (await client.do("list_tabs")).partition("\n")
            assert note.startswith("Session shop is back: 1 tab, from ")
            assert tabs == f"t1 (current): {page}"
            assert len(list(temporary.glob("tabwright-*"))) == 1


def is_saved(home: Path, words: str) -> bool:
    files = (home / "sessions.db", home / "sessions.db-wal")
    return any(words.encode() in file.read_bytes() for file in files if file.exists())


async def test_a_damaged_store_is_set_aside_and_a_new_one_is_used(
    folders: tuple[Path, Path], web: Web
) -> None:
    home, _ = folders
    page = web.page("<title>Basket</title>", "/basket")
    home.mkdir()
    (home / "sessions.db").write_bytes(b"no database at all, whatever its name says" * 200)
    async with hub_of(home) as hub:
        async with client_of(hub) as client:
            assert await client.do("navigate", url=page) == f"Navigated to {page} (200 OK)"
            while await client.do("list_sessions", "none") and not is_saved(home, "/basket"):
                continue
            (home / "sessions.db").write_bytes(b"damaged while in use" * 500)
            assert await client.do("navigate", url=page) == f"Navigated to {page} (200 OK)"
            await kill_and_wait(hub.pid, signal.SIGTERM)
        async with client_of(hub) as client:
            assert (await client.do("list_tabs")).startswith("Session shop is back: 1 tab, from ")
    assert len(list(home.glob("sessions.db.damaged-*"))) >= 1


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A disk of two megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=2m", "none", folder], check=False, capture_output=True
        )
        if mounted.returncode:
            pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.decode().strip()}")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def fill(disk: Path) -> Path:
    stuffing = disk / "stuffing"
    with stuffing.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            return stuffing
    return stuffing


async def test_a_full_disk_stops_no_work_and_sessions_are_saved_later(small_disk: Path, web: Web) -> None:
    page, later = web.page("<title>Basket</title>", "/basket"), web.page("<title>Later</title>", "/later")
    async with hub_of(small_disk) as hub:
        async with client_of(hub) as client:
            assert await client.do("navigate", url=page) == f"Navigated to {page} (200 OK)"
            stuffing = fill(small_disk)
            for session in ("shop", "new"):
                assert await client.do("navigate", session, url=page) == f"Navigated to {page} (200 OK)"
            assert (await client.do("screenshot")).startswith("Screenshot of ")
            stuffing.unlink()
            assert await client.do("navigate", url=later) == f"Navigated to {later} (200 OK)"
            await kill_and_wait(hub.pid, signal.SIGTERM)
        async with client_of(hub) as client:
            assert f"t1 (current): {later}" in await client.do("list_tabs")


async def test_a_full_temporary_folder_is_not_used(
    small_disk: Path, folders: tuple[Path, Path], web: Web
) -> None:
    home, _ = folders
    page = web.page("<title>Basket</title>", "/basket")
    fill(small_disk)
    async with hub_of(home) as hub:
        hub.more["TMPDIR"] = str(small_disk)
        async with client_of(hub) as client:
            assert await client.do("navigate", url=page) == f"Navigated to {page} (200 OK)"
    assert names(small_disk) == ["stuffing"]


async def test_a_hub_without_file_descriptors_keeps_its_sessions(
    folders: tuple[Path, Path], web: Web
) -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux changes the limits of another process")
    home, _ = folders
    page = web.page("<title>Basket</title>", "/basket")
    async with hub_of(home) as hub, client_of(hub) as client:
        await client.do("navigate", url=page)
        pid = hub.pid
        usual = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, usual[1]))
        assert await client.do("get_page", "new") == (
            "Blocked: No further session can be opened now: Too many open files."
        )
        assert await client.do("navigate", url=page, timeout=1) == (
            "TimedOut: The page did not reach load in 1 s: the server has not answered."
        )
        assert await client.do("get_page") == f'{page} "Basket" (200 OK)'
        resource.prlimit(pid, resource.RLIMIT_NOFILE, usual)
        for session in ("shop", "new"):
            assert await client.do("navigate", session, url=page) == f"Navigated to {page} (200 OK)"


def rest(url: str) -> tuple[str, Json]:
    return "/api/actions/navigate?session=web", {"url": url}


def mcp(url: str) -> tuple[str, Json]:
    call = {"name": "navigate", "arguments": {"url": url, "session": "web"}, "_meta": ENVELOPE}
    return "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}


@pytest.mark.parametrize("request_to", [rest, mcp])
async def test_a_client_that_drops_its_http_connection_frees_its_session(
    folders: tuple[Path, Path], web: Web, request_to: Callable[[str], tuple[str, Json]]
) -> None:
    home, _ = folders
    stuck, page = web.route("/stuck", lambda _: never()), web.page("<title>Next</title>")
    async with hub_of(home, api_port="any") as hub, client_of(hub):
        port = json.loads((home / "http.json").read_text())["port"]
        stream = await anyio.connect_tcp("127.0.0.1", port)
        await stream.send(post(port, *request_to(stuck)))
        await web.wait_for_request("/stuck")
        await anyio.aclose_forcefully(stream)
        with anyio.fail_after(60):
            answer = await raw(port, post(port, *request_to(page)))
        assert answer.status == 200
        assert f"Navigated to {page} (200 OK)" in answer.body.decode()


def post(port: int, path: str, body: Json) -> bytes:
    content = json.dumps(body)
    lines = [
        f"POST {path} HTTP/1.1",
        f"host: 127.0.0.1:{port}",
        "content-type: application/json",
        "accept: application/json, text/event-stream",
        f"mcp-protocol-version: {MODERN}",
        "mcp-method: tools/call",
        "mcp-name: navigate",
        "connection: close",
        f"content-length: {len(content)}",
    ]
    return "\r\n".join([*lines, "", content]).encode()
