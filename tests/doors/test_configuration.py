"""Every key of the settings file takes effect, and a hub refuses to start with invalid ones."""

import json
import os
import signal
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import httpx2
import pytest

from tabwright.home import Home
from tabwright.policy.callers.tokens import Tokens
from tests.doors.cli.shell import PROGRAM, Ran, Shell
from tests.web import Web, serve_web

REFUSED = """\
Denied: 0.0.0.0 can be reached from other computers, and there is no token.
Create one: tabwright token create NAME. Or bind to 127.0.0.1.
"""


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture
async def elsewhere() -> AsyncIterator[Web]:
    async with serve_web() as web:
        yield web


async def wait_for_answer(url: str) -> None:
    """Wait until a server answers."""
    with anyio.fail_after(60):
        while True:
            try:
                async with httpx2.AsyncClient() as anonymous:
                    await anonymous.get(f"{url}/api/health")
            except httpx2.TransportError:
                await anyio.sleep(0.05)
            else:
                return


async def test_every_key_of_the_settings_file_takes_effect(tmp_path: Path, web: Web, elsewhere: Web) -> None:
    home, port = Home(tmp_path, tmp_path), free_port()
    tokens = Tokens(tmp_path / "keys" / "who.json")
    home.config_file.write_text(
        f"""transport = "http"
httpPort = {port}
[auth]
type = "token"
tokenFile = {json.dumps(str(tokens.file))}
[sessions]
maxConcurrent = 1
timeoutMinutes = 0.1
allowShared = ["team"]
[security]
allowedUrlPatterns = [{json.dumps(web.url + "/*")}]
blockEval = false
"""
    )
    shell = Shell(tmp_path, home)
    keys = [tokens.create(name, ["read", "act", "evaluate", "admin"])[1] for name in ("ada", "bob")]
    url = f"http://127.0.0.1:{port}"
    async with await anyio.open_process([*PROGRAM, "mcp"], env=shell.environment, cwd=tmp_path) as hub:
        try:
            await wait_for_answer(url)
            await check_every_key(url, keys, web, elsewhere)
        finally:
            os.kill(hub.pid, signal.SIGINT)


async def check_every_key(url: str, keys: list[str], web: Web, elsewhere: Web) -> None:
    ada, bob = (
        httpx2.AsyncClient(base_url=url, headers={"authorization": f"Bearer {key}"}, timeout=60)
        for key in keys
    )

    async def navigate(client: httpx2.AsyncClient, session: str, page: str) -> int:
        answer = await client.post(f"/api/actions/navigate?session={session}", json={"url": page})
        return answer.status_code

    async with ada, bob, httpx2.AsyncClient(base_url=url) as anonymous:
        assert (await anonymous.get("/api/actions")).status_code == 401
        assert await navigate(ada, "team", web.page("<p>Ours</p>")) == 200
        assert "Ours" in (await bob.post("/api/actions/snapshot?session=team", json={})).text
        assert await navigate(ada, "team", elsewhere.page("<p>Not ours</p>")) == 403
        cookie = await ada.post(
            "/api/actions/evaluate?session=team", json={"script": "document.cookie = 'a=1'"}
        )
        assert cookie.status_code == 200
        third = await ada.post("/api/actions/navigate?session=third", json={"url": web.page("")})
        assert (third.status_code, third.json()["error"]["message"]) == (
            403,
            "No more than 1 session may be open.",
        )
        with anyio.fail_after(60):
            while (await anonymous.get("/api/health", headers=ada.headers)).json()["sessions"]:  # noqa: ASYNC110 - another process
                await anyio.sleep(0.05)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('languge = "de"', "languge: unknown setting; did you mean language?"),
        ('headless = "perhaps"', "headless: Input should be a valid boolean, unable to interpret input."),
        ("[security]\nconfirm = ['clik']", "security.confirm: unknown action clik; did you mean click?"),
        (
            "[auth]\ntype = 'none'\napiKey = 'a key of my own choice'",
            "auth.api_key is set, but auth.type is none, so that no request needs the key.",
        ),
    ],
)
async def test_a_hub_does_not_start_with_invalid_settings(tmp_path: Path, written: str, message: str) -> None:
    shell = Shell(tmp_path, Home(tmp_path, tmp_path))
    shell.home.config_file.write_text(written)
    correct = f"Correct {shell.home.config_file} or the environment."
    refused = Ran(2, "", f"InvalidArgs: {message}\n{correct}\n")
    assert await shell.run("serve") == refused
    assert await shell.run("mcp", "--embedded") == refused
    assert (await shell.run("list-tabs")).code == 1
    assert shell.home.log.read_text() == refused.err


async def test_an_invalid_setting_next_to_a_transport_gives_no_traceback(tmp_path: Path) -> None:
    shell = Shell(tmp_path, Home(tmp_path, tmp_path))
    shell.home.config_file.write_text('transport = "htp"')
    ran = await shell.run("mcp")
    assert (ran.code, ran.err.splitlines()[0]) == (
        2,
        "InvalidArgs: transport: Input should be 'stdio' or 'http'.",
    )


async def test_it_does_not_listen_beyond_loopback_without_tokens(tmp_path: Path) -> None:
    shell = Shell(tmp_path, Home(tmp_path, tmp_path), {"TABWRIGHT_BIND": "0.0.0.0"})
    served = await shell.run("serve")
    assert served == Ran(6, "", REFUSED)
    doctor = f"Run `tabwright doctor`; its log is {shell.home.log}."
    assert await shell.run("list-tabs") == Ran(1, "", f"tabwright: The hub could not be started. {doctor}\n")
    assert served.err in shell.home.log.read_text()


BROWSION = """api_port = 1

[settings]
minimize_to_tray = true

[[profiles]]
id = "uuid-1234"
name = "US Profile"
timezone = "America/Los_Angeles"
tags = ["work"]
"""


async def test_a_hub_starts_with_browsions_file_port_and_key(tmp_path: Path) -> None:
    home, port = Home(tmp_path, tmp_path), free_port()
    home.config_file.write_text(BROWSION)
    variables = {"BROWSION_API_PORT": str(port), "BROWSION_API_KEY": "your-key"}
    shell, url = Shell(tmp_path, home, variables), f"http://127.0.0.1:{port}"
    environment = {name: value for name, value in shell.environment.items() if name != "TABWRIGHT_API_PORT"}
    async with await anyio.open_process([*PROGRAM, "serve"], env=environment, cwd=tmp_path) as hub:
        try:
            await wait_for_answer(url)
            async with httpx2.AsyncClient(base_url=url) as client:
                assert (await client.get("/api/profiles")).status_code == 401
                listed = await client.get("/api/profiles", headers={"x-api-key": "your-key"})
                assert [one["name"] for one in listed.json()["result"]["profiles"]] == ["US Profile"]
        finally:
            os.kill(hub.pid, signal.SIGINT)
        assert hub.stderr is not None
        log = b"".join([part async for part in hub.stderr]).decode()
    assert "auth.api_key is short: use 16 characters or more." in log
    assert "your-key" not in log
    assert [path for path in files_below(tmp_path) if b"your-key" in path.read_bytes()] == []
