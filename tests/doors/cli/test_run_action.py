"""The command line as a process, with a real hub and a real browser."""

import base64
import json
import shlex
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from tabwright import __version__
from tabwright.doors.wire.handshake import Hello, Welcome
from tabwright.doors.wire.hub_client import HubRefused, ask, join
from tabwright.home import Home
from tests.doors.cli.shell import MEASURED, PROGRAM, Ran, Shell, scripted_hub
from tests.web import Web, never

COUNTER = (
    "<title>Counter</title><button onclick='this.textContent = ++n'>0</button><script>let n = 0</script>"
)


@pytest.fixture(scope="module")
def hub_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("home")
    home = Home(folder, folder)
    yield home
    ask(home, Hello("stop", __version__))


@pytest.fixture
def shell(hub_home: Home, tmp_path: Path) -> Shell:
    """A shell that uses the hub shared by the tests of this file."""
    return Shell(tmp_path, hub_home, program=MEASURED)


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Shell]:
    """A shell with its own home and no hub."""
    (tmp_path / "work").mkdir()
    shell = Shell(tmp_path / "work", Home(tmp_path / "home", tmp_path / "home"), program=MEASURED)
    yield shell
    shell.stop_hub()


def answer(**more: object) -> bytes:
    whole = {"ok": True, "text": "Done.", "result": {}, "effects": None, "cursor": "", "files": []}
    return json.dumps({**whole, **more}).encode()


def accept() -> Welcome:
    return Welcome(taken=True, version=__version__)


async def test_an_action_prints_its_result_and_what_changed(shell: Shell, web: Web) -> None:
    page = web.page(COUNTER)
    assert await shell.run("navigate", page) == Ran(0, f'Navigated to {page} "Counter" (200 OK)\n', "")
    assert await shell.run("tab") == Ran(0, f't1 (current): {page} "Counter"\n', "")
    seen = await shell.run("snapshot")
    ref = seen.out.split("- ")[1].split(":")[0]
    assert seen == Ran(0, f'[Snapshot of {web.url[7:]}]\n- {ref}: button "0"\n', "")
    assert await shell.run("click", ref) == Ran(
        0,
        f'Clicked button "0".\n~ {ref}: button "1" (focused)\n',
        "",
    )


async def test_json_is_the_whole_answer(shell: Shell, web: Web) -> None:
    page = web.page(COUNTER)
    await shell.run("navigate", page, "--session", "whole")
    ran = await shell.run("get-page", "--json", "--session", "whole")
    content = json.loads(ran.out)
    assert (ran.code, ran.err) == (0, "")
    assert content == {
        "ok": True,
        "text": f'{page} "Counter" (200 OK)',
        "result": {
            "url": page,
            "title": "Counter",
            "status": 200,
            "status_text": "OK",
            "download": "",
            "note": "",
            "still_loading": "",
        },
        "effects": None,
        "cursor": "",
        "session": "whole",
        "tab": content["tab"],
        "files": [],
    }


async def test_sessions_last_from_one_command_to_the_next_and_do_not_mix(shell: Shell, web: Web) -> None:
    first, second = web.page("<title>First</title>"), web.page("<title>Second</title>")
    await shell.run("navigate", first, "--session", "a")
    await shell.run("navigate", second, "--session", "b")
    assert (await shell.run("evaluate", "document.title", "--session", "a")).out.startswith("First\n")
    assert (await shell.run("evaluate", "document.title", "--session", "b")).out.startswith("Second\n")


async def test_dashes_and_underscores_name_the_same_command(shell: Shell) -> None:
    dashes, underscores = await shell.run("list-tabs"), await shell.run("list_tabs")
    assert dashes.code == 0
    assert dashes == underscores


async def test_the_exit_code_depends_on_the_class_of_error(shell: Shell, web: Web) -> None:
    await shell.run("navigate", web.page("<p id=gone>Text</p><button disabled>Off</button>"))
    missing = await shell.run("click", "@e99999")
    assert (missing.code, missing.out) == (3, "")
    assert missing.err.startswith("NotFound: Unknown ref @e99999;")
    assert (await shell.run("click", "text=Off", "--timeout", "0.2")).code == 5
    assert (await shell.run("click", "text=Off", "--count", "9")).code == 2
    assert (await shell.run("evaluate", "throw new Error('no')")).code == 8
    web.route("/never", lambda _: never())
    assert (await shell.run("navigate", f"{web.url}/never", "--timeout", "0.2")).code == 7


async def test_an_error_in_json_is_on_standard_output_as_well(shell: Shell) -> None:
    ran = await shell.run("switch-tab", "t999", "--json")
    assert ran.code == 3
    assert json.loads(ran.out)["error"]["class"] == "NotFound"
    assert ran.err.startswith("NotFound: ")


async def test_output_saves_the_whole_text(shell: Shell, web: Web) -> None:
    rows = "".join(f"<li><a href='#{n}'>Row {n}</a></li>" for n in range(3000))
    await shell.run("navigate", web.page(f"<ul>{rows}</ul>"))
    short = await shell.run("snapshot", "--max-tokens", "200")
    assert "Shortened" in short.out or "more lines" in short.out
    ran = await shell.run("snapshot", "--output", "deep/page.txt")
    assert ran == Ran(0, "deep/page.txt\n", "")
    whole = (shell.folder / "deep" / "page.txt").read_text()
    assert whole.startswith("[Snapshot of ")
    assert '"Row 2999"' in whole


async def test_output_saves_the_answer_and_stderr_gets_what_changed(shell: Shell, web: Web) -> None:
    await shell.run("navigate", web.page(COUNTER))
    ran = await shell.run("evaluate", "[1, 2]", "--output", "value.json")
    assert ran == Ran(0, "value.json\n", "Nothing changed.\n")
    assert (shell.folder / "value.json").read_text() == "[1,2]\n"


async def test_recording_says_which_commands_to_run(shell: Shell, web: Web) -> None:
    missing = "NotFound: This session is not being recorded.\nStart with: tabwright record NAME --site HOST\n"
    assert await shell.run("record", "stop") == Ran(3, "", missing)
    await shell.run("navigate", web.page(COUNTER))
    started = await shell.run("record", "count", "--site", "127.0.0.1")
    assert started == Ran(0, "Recording count. Use the site, then run: tabwright record stop\n", "")
    assert (await shell.run("record", "stop", "--discard")).code == 0


async def test_a_file_that_cannot_be_written_is_reported(shell: Shell) -> None:
    (shell.folder / "taken").mkdir()
    ran = await shell.run("list-tabs", "--output", "taken")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("InvalidArgs: ")
    assert [path.name for path in shell.folder.iterdir()] == ["taken"]


async def test_lists_and_json_values_reach_the_action(shell: Shell, web: Web) -> None:
    await shell.run("navigate", web.page(COUNTER))
    ran = await shell.run("evaluate", "return args", "--args", "1", "--args", '{"a": [2]}', "--args", "plain")
    assert ran.out == '[1,{"a":[2]},"plain"]\n'


async def test_interrupting_a_command_frees_its_session(shell: Shell, web: Web) -> None:
    web.route("/slow", lambda _: never())
    async with shell.on_terminal("navigate", f"{web.url}/slow", "--timeout", "60") as watched:
        await web.wait_for_request("/slow")
        watched.process.send_signal(signal.SIGINT)
        assert (await watched.wait_for_exit()).code == 130
    with anyio.fail_after(60):
        assert (await shell.run("list-tabs")).code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["clik", "@e1"], "tabwright: Unknown command clik.\nDid you mean: click, dblclick, click-at?\n"),
        (["xyzzy"], "tabwright: Unknown command xyzzy.\nAll commands: tabwright help\n"),
        (
            ["help", "clik"],
            "tabwright: Unknown command clik.\nDid you mean: click, dblclick, click-at?\n",
        ),
        (
            ["close-tab"],
            "tabwright close-tab: the following arguments are required: ID.\nUsage: tabwright close-tab ID\n",
        ),
        (
            ["close-tab", "t1", "--sesion", "a"],
            "tabwright close-tab: unrecognized arguments: --sesion.\nDid you mean --session?\nUsage: tabwright close-tab ID\n",
        ),
        (
            ["close-tab", "-x"],
            "tabwright close-tab: unrecognized arguments: -x.\nPut values that begin with a dash after --.\nUsage: tabwright close-tab ID\n",
        ),
        (
            ["close-tab", "--id", "t1"],
            "tabwright close-tab: unrecognized arguments: --id.\nID is given without a flag: tabwright close-tab ID\nUsage: tabwright close-tab ID\n",
        ),
        (
            ["serve", "--port", "5000"],
            "tabwright serve: unrecognized arguments: --port.\nUsage: tabwright serve\n",
        ),
        (
            ["cookies", "foo"],
            "tabwright cookies: unrecognized arguments: foo.\nUsage: tabwright cookies [--url TEXT]\n",
        ),
        (
            ["hub", "stat"],
            "tabwright hub: argument ORDER: invalid choice: 'stat' (choose from 'status', 'stop').\nDid you mean status?\nUsage: tabwright hub [ORDER] [--json]\n",
        ),
    ],
)
async def test_bad_usage_is_explained_without_a_hub(alone: Shell, words: list[str], message: str) -> None:
    assert await alone.run(*words) == Ran(2, "", message)
    assert alone.hub() is None


async def test_the_program_without_arguments_prints_the_overview(alone: Shell) -> None:
    bare, command, flag = await alone.run(), await alone.run("help"), await alone.run("--help")
    assert command == flag
    assert (bare.code, bare.err, command.code, command.err) == (0, "", 0, "")
    for screen in (bare.out, command.out):
        assert screen.startswith(f"Tabwright {__version__}: a real browser for agents and the shell.\n")
    assert len(bare.out.splitlines()) <= 50
    assert bare.out.endswith("\nWhat to do with pages, a line for each command: tabwright help\n")
    assert await alone.run("help", "new_tab") == await alone.run("new-tab", "-h")
    assert await alone.run("version") == Ran(0, f"tabwright {__version__}\n", "")


async def test_the_first_command_starts_the_hub_and_stop_stops_it(alone: Shell) -> None:
    assert await alone.run("hub") == Ran(3, "No hub is running. The next command starts one.\n", "")
    assert await alone.run("list-sessions") == await alone.run("list-sessions")
    hub = alone.hub()
    assert hub is not None
    assert json.loads((await alone.run("hub", "status", "--json")).out) == {
        "running": True,
        "version": __version__,
        "pid": hub.pid,
        "clients": 0,
        "socket": str(alone.home.socket),
        "log": str(alone.home.log),
    }
    assert stat.S_IMODE(alone.home.socket.stat().st_mode) == 0o600
    assert await alone.run("hub", "stop") == Ran(0, f"The hub (process {hub.pid}) has stopped.\n", "")
    assert await alone.run("hub", "stop") == Ran(0, "No hub is running.\n", "")
    assert not alone.home.socket.exists()


async def test_two_commands_at_once_start_one_hub(alone: Shell) -> None:
    ran: list[Ran] = []

    async def run() -> None:
        ran.append(await alone.run("list-sessions"))

    async with anyio.create_task_group() as group:
        group.start_soon(run)
        group.start_soon(run)
    assert [one.code for one in ran] == [0, 0]
    assert alone.home.log.read_text().count("listens at") == 1


async def test_a_hub_of_another_version_is_replaced_if_idle(alone: Shell) -> None:
    await alone.run("list-sessions")
    first = alone.hub()
    assert first is not None
    with join(alone.home, Hello("call", __version__)), pytest.raises(HubRefused) as refused:
        join(alone.home, Hello("call", "99.0"))
    assert f"version {__version__} (process {first.pid})" in str(refused.value)
    assert "tabwright hub stop" in str(refused.value)
    while (hub := alone.hub()) and hub.clients:
        await anyio.lowlevel.checkpoint()
    gone = ask(alone.home, Hello("call", "99.0"))
    assert gone is not None
    assert gone.leaving
    assert alone.hub() is None
    assert (await alone.run("list-sessions")).code == 0
    second = alone.hub()
    assert second is not None
    assert second.pid != first.pid


async def test_a_silent_hub_is_reported_quickly(alone: Shell) -> None:
    alone.home.prepare()
    message = "The hub does not answer. Wait, or kill its process."
    ran: dict[str, Ran] = {}

    async def run(command: str) -> None:
        ran[command] = await alone.run(*command.split())

    with socket.socket(socket.AF_UNIX) as hub:
        hub.bind(str(alone.home.socket))
        hub.listen(0)  # queues the first connection and no other
        async with anyio.create_task_group() as group:  # each waits for its own timeout
            for command in ("hub status", "hub stop", "serve", "doctor --json"):
                group.start_soon(run, command)
    checks = json.loads(ran.pop("doctor --json").out)
    assert [check["fact"] for check in checks if check["state"] == "fail"] == [message]
    assert ran == {
        "hub status": Ran(1, "", f"tabwright hub: {message}\n"),
        "hub stop": Ran(1, "", f"tabwright hub: {message}\n"),
        "serve": Ran(5, "", f"tabwright serve: {message}\n"),
    }
    alone.home.socket.unlink()


async def test_a_hub_that_refuses_us_is_exit_code_1(alone: Shell) -> None:
    refusal = Welcome(taken=False, version="0.0.1", reason="A hub of version 0.0.1 serves 2 clients.")
    async with scripted_hub(alone.home, refusal):
        assert await alone.run("snapshot") == Ran(
            1, "", "tabwright: A hub of version 0.0.1 serves 2 clients.\n"
        )
        alone.home.socket.unlink()


async def test_a_hub_that_exits_during_a_call_is_reported(alone: Shell) -> None:
    async with scripted_hub(alone.home, accept()) as hub:
        hub.go_on.set()
        assert await alone.run("snapshot") == Ran(
            9,
            "",
            "BrowserGone: The hub exited before it answered.\nRun the command again.\n",
        )
        alone.home.socket.unlink()


async def test_the_hub_gets_the_client_its_folder_and_the_call(alone: Shell) -> None:
    async with scripted_hub(alone.home, accept(), answer()) as hub:
        hub.go_on.set()
        assert await alone.run("click", "@e1", "--tab", "t2", "--max-tokens", "500", "--count", "2") == Ran(
            0, "Done.\n", ""
        )
        hello, call = map(json.loads, hub.received)
        alone.home.socket.unlink()
    assert (hello["door"], hello["client"], hello["folder"]) == ("call", "user", str(alone.folder))
    assert call == {
        "action": "click",
        "args": {"target": "@e1", "count": 2},
        "session": None,
        "tab": "t2",
        "max_tokens": 500,
    }


async def test_files_are_saved_in_the_current_folder_and_replace_nothing(alone: Shell) -> None:
    (alone.folder / "shot-1.png").write_bytes(b"older")
    picture = {
        "name": "shot-1.png",
        "mime": "image/png",
        "size": 3,
        "content": base64.b64encode(b"new").decode(),
    }
    escaping = {**picture, "name": "../../.evil"}
    async with scripted_hub(alone.home, accept(), answer(files=[picture, escaping])) as hub:
        hub.go_on.set()
        assert await alone.run("snapshot") == Ran(0, "Done.\nshot-1-2.png\nevil\n", "")
        ran = await alone.run("snapshot", "--json", "--output", "out/named.png")
        alone.home.socket.unlink()
    saved = {"name": "shot-1.png", "mime": "image/png", "size": 3, "path": "out/named.png"}
    assert json.loads(ran.out)["files"][0] == saved
    assert (alone.folder / "shot-1.png").read_bytes() == b"older"
    assert (alone.folder / "shot-1-2.png").read_bytes() == b"new"
    assert (alone.folder / "out" / "named.png").read_bytes() == b"new"


async def test_progress_is_a_line_on_a_terminal_that_is_cleared(alone: Shell) -> None:
    progress = json.dumps({"progress": 1, "message": "navigate: 3 requests under way"}).encode()
    async with scripted_hub(alone.home, accept(), progress, answer()) as hub:
        async with alone.on_terminal("reload") as watched:
            await watched.until("navigate: 3 requests under way")
            hub.go_on.set()
            ran = await watched.wait_for_exit()
        assert ran.code == 0
        assert ran.out.endswith("\r\x1b[KDone.\r\n")
        assert await alone.run("reload") == Ran(0, "Done.\n", "")
        alone.home.socket.unlink()


async def test_colour_is_for_terminals_without_no_color(alone: Shell) -> None:
    async with alone.on_terminal("clik") as watched:
        assert (await watched.wait_for_exit()).out.startswith("\x1b[31mtabwright\x1b[0m: Unknown command")
    async with replace(alone, more={"NO_COLOR": "1"}).on_terminal("clik") as watched:
        assert "\x1b" not in (await watched.wait_for_exit()).out
    assert "\x1b" not in (await alone.run("clik")).err


async def test_a_page_cannot_send_control_characters_to_the_terminal(alone: Shell) -> None:
    text = "Title \x1b]0;owned\x07\x9b2J end"
    async with scripted_hub(alone.home, accept(), answer(text=text)) as hub:
        hub.go_on.set()
        async with alone.on_terminal("read") as watched:
            assert (await watched.wait_for_exit()).out == "Title ]0;owned2J end\r\n"
        assert (await alone.run("read")).out == f"{text}\n"
        alone.home.socket.unlink()


async def test_a_closed_pipe_ends_the_command_quietly(alone: Shell) -> None:
    async with scripted_hub(alone.home, accept(), answer(text="line\n" * 100_000)) as hub:
        hub.go_on.set()
        ours = shlex.join((*PROGRAM, "snapshot"))
        with anyio.fail_after(60):
            done = await anyio.run_process(
                ["sh", "-c", f"{ours} | head -1"], cwd=alone.folder, env=alone.environment
            )
        alone.home.socket.unlink()
    assert (done.stdout, done.stderr) == (b"line\n", b"")


async def test_serve_prints_its_addresses_and_how_to_configure_clients(alone: Shell) -> None:
    async with replace(alone, more={"TABWRIGHT_API_PORT": "any"}).on_terminal("serve") as watched:
        await watched.until("listens at")
        url = json.loads(alone.home.http.read_text())["url"]
        watched.process.send_signal(signal.SIGINT)
        await watched.wait_for_exit()
    us = Path(sys.executable).parent / "tabwright"
    entry = f'"command": "{us}", "args": ["mcp"]'
    screen = f"""\
Tabwright {__version__}: the hub runs in this terminal until Ctrl-C.

  Dashboard       {url}/
  See it work     {us} demo
  Your client     {us} config
  Claude Code     {us} config claude-code --write
  Codex           {us} config codex --write
  Cursor          {us} config cursor --write
  VS Code         {us} config vscode --write
  By hand         {{"mcpServers": {{"tabwright": {{{entry}}}}}}}
  VS Code format  {{"servers": {{"tabwright": {{"type": "stdio", {entry}}}}}}}
  Shell           {us} navigate https://example.com/
  Socket          {alone.home.socket}
  HTTP            {url}/api/ and {url}/mcp

"""
    assert screen in watched.seen.replace("\r\n", "\n")


def test_on_windows_it_reports_that_it_does_not_run() -> None:
    pretend = "import sys; sys.platform = 'win32'; from tabwright.__main__ import main; sys.exit(main())"
    run = subprocess.run([sys.executable, "-c", pretend], check=False, capture_output=True, text=True)
    message = "tabwright: Tabwright runs on Linux and macOS, not on Windows.\nWSL counts as Linux.\n"
    assert (run.returncode, run.stdout, run.stderr) == (1, "", message)


async def test_serve_runs_the_hub_here_and_refuses_a_second(alone: Shell) -> None:
    soon = replace(alone, more={"TABWRIGHT_HUB_IDLE_SECONDS": "0.01", "TABWRIGHT_API_PORT": "any"})
    async with soon.on_terminal("serve") as watched:
        await watched.until("listens at")
        hub = alone.hub()
        assert hub is not None
        assert hub.pid == watched.process.pid
        runs = f"The hub is running: version {__version__}, process {hub.pid}, 0 clients."
        url = json.loads(alone.home.http.read_text())["url"]
        assert await alone.run("serve") == Ran(
            5,
            "",
            f"tabwright serve: {runs}\nIts dashboard: {url}/\nTo run one here, stop it first: tabwright hub stop\n",
        )
        assert not alone.home.log.exists()
        assert await alone.run("hub") == Ran(0, f"{runs}\nSocket  {alone.home.socket}\n", "")
        assert json.loads((await alone.run("hub", "--json")).out)["log"] is None
        watched.process.send_signal(signal.SIGINT)
        await watched.wait_for_exit()
    assert alone.hub() is None
