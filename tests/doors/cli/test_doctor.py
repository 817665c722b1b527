"""`tabwright doctor`: its checks, what counts as a failure, and the fixes it names."""

import json
import shlex
import socket
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from tabwright import __version__
from tabwright.browser.startup_check import StartupResult
from tabwright.doors.cli.doctor import Check, Chosen, examine
from tabwright.doors.wire.handshake import Hello, Welcome
from tabwright.doors.wire.hub_client import ask
from tabwright.errors import NotFound
from tabwright.home import Home
from tests.doors.cli.shell import MEASURED, Shell, scripted_hub


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home", tmp_path / "home")


@pytest.fixture
def shell(tmp_path: Path, home: Home) -> Iterator[Shell]:
    yield Shell(tmp_path, home, program=MEASURED)
    ask(home, Hello("stop", __version__))


def starts() -> StartupResult:
    return StartupResult(Path("/usr/bin/chromium"), "Chrome/156.0", 0.25, sandboxed=True)


def found(home: Home, name: str, chosen: Chosen = Chosen()) -> Check:  # noqa: B008 - a constant tuple
    return next(check for check in examine(home, chosen, starts) if check.name == name)


async def test_the_whole_report_of_this_computer(shell: Shell, tmp_path: Path) -> None:
    await shell.run("list-sessions")
    hub = shell.hub()
    assert hub is not None
    ran = await shell.run("doctor", "--json")
    checks = {check["name"]: check for check in json.loads(ran.out)}
    assert list(checks) == [
        "versions",
        "settings",
        "browser",
        "sandbox",
        "hub",
        "socket",
        "port",
        "state folder",
        "disk",
        "shared memory",
    ]
    assert (ran.code, ran.err) == (0, "")
    assert f"tabwright {__version__}, Python 3." in checks["versions"]["fact"]
    assert checks["browser"]["state"] == "ok"
    assert "Chrome/" in checks["browser"]["fact"]
    assert checks["hub"]["fact"] == (
        f"The hub is running: version {__version__}, process {hub.pid}, 0 clients. Log: {shell.home.log}"
    )
    assert checks["socket"]["fact"] == f"{shell.home.socket}, accessible only to you"
    read = await shell.run("doctor")
    assert read.code == 0
    assert read.out.splitlines()[0].startswith("ok    versions       tabwright ")
    assert [line for line in read.out.splitlines() if len(line) > 80 and " /" not in line] == []


async def test_a_missing_browser_is_a_failure_with_a_fix(tmp_path: Path, home: Home) -> None:
    ran = await Shell(tmp_path, home, {"TABWRIGHT_BROWSER": "/no/such/chrome"}).run("doctor")
    assert ran.code == 1
    assert "fail  browser        /no/such/chrome is not an executable program.\n" in ran.out
    assert " " * 21 + "Correct the setting `browser`, or remove it.\n" in ran.out


async def test_settings_that_cannot_be_read_are_a_failure(tmp_path: Path, home: Home) -> None:
    home.prepare()
    home.config_file.write_text("headless = 'perhaps'\n")
    ran = await Shell(tmp_path, home).run("doctor", "--json")
    assert ran.code == 1
    check = next(one for one in json.loads(ran.out) if one["name"] == "settings")
    assert check["state"] == "fail"
    assert check["fact"].startswith("headless: Input should be a valid boolean")


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        ("languge = 'de'", "languge: unknown setting; did you mean language?"),
        ("[security]\nconfirm = ['clik']", "security.confirm: unknown action clik; did you mean click?"),
        ("dialect = 'browsr'", "Unknown dialect 'browsr'."),
        ("bind = '0.0.0.0'", "0.0.0.0 can be reached from other computers, and there is no token."),
    ],
)
async def test_settings_that_prevent_a_start_are_a_failure(
    tmp_path: Path, home: Home, content: str, fact: str
) -> None:
    home.prepare()
    home.config_file.write_text(content)
    ran = await Shell(tmp_path, home).run("doctor", "--json")
    check = next(one for one in json.loads(ran.out) if one["name"] == "settings")
    assert (ran.code, check["state"], check["fact"]) == (1, "fail", fact)
    assert check["fix"]


async def test_a_token_file_with_a_plain_token_is_a_failure(tmp_path: Path, home: Home) -> None:
    home.prepare()
    (file := home.config / "mcp-token").write_text("sesame\n")
    file.chmod(0o600)
    home.config_file.write_text("[auth]\ntokenFile = 'mcp-token'\n")
    ran = await Shell(tmp_path, home).run("doctor", "--json")
    check = next(one for one in json.loads(ran.out) if one["name"] == "settings")
    fact = f"{file} is not a token file; plain tokens do not work."
    assert (ran.code, check["state"], check["fact"]) == (1, "fail", fact)
    assert "sesame" not in ran.out + ran.err


async def test_a_short_key_and_one_that_others_can_read_are_a_warning(tmp_path: Path, home: Home) -> None:
    home.prepare()
    home.config_file.write_text("[auth]\napiKey = 'sesame'\n")
    home.config_file.chmod(0o644)
    ran = await Shell(tmp_path, home).run("doctor", "--json")
    check = next(one for one in json.loads(ran.out) if one["name"] == "settings")
    fact = (
        "auth.api_key is short: use 16 characters or more. "
        f"Other users can read the key in {home.config_file}: chmod 600 {home.config_file}"
    )
    assert (ran.code, check["state"], check["fact"]) == (0, "warn", fact)
    assert "sesame" not in ran.out + ran.err


async def test_a_profile_that_cannot_be_used_is_a_warning(tmp_path: Path, home: Home) -> None:
    home.prepare()
    home.config_file.write_text("[[profiles]]\nid = 'shop'\ntimezone = 'Nowhere/City'\n")
    ran = await Shell(tmp_path, home).run("doctor", "--json")
    check = next(one for one in json.loads(ran.out) if one["name"] == "settings")
    why = "timezone: unknown time zone 'Nowhere/City'; use one such as Europe/Paris."
    fact = f"The profile 'shop' in {home.config_file} is invalid: {why}"
    assert (ran.code, check["state"], check["fact"]) == (0, "warn", fact)


def test_a_missing_browser_has_the_message_of_the_engine(home: Home) -> None:
    def missing() -> StartupResult:
        raise NotFound("None was found.", hint="Install one.")

    checks = examine(home, Chosen(), missing)
    assert Check("browser", "fail", "None was found.", "Install one.") in checks
    assert "sandbox" not in {check.name for check in checks}


def test_the_doctor_creates_nothing(home: Home) -> None:
    checks = examine(home, Chosen(38472), starts)
    assert not home.state.exists()
    assert {check.name: check.state for check in checks}["hub"] == "ok"
    assert found(home, "hub").fact == "not running; the next command starts it."
    assert found(home, "socket").fact == f"{home.socket} will be created when the hub starts"


def test_a_folder_accessible_to_others_is_a_failure(home: Home) -> None:
    home.prepare()
    home.state.chmod(0o755)
    assert found(home, "state folder") == Check(
        "state folder", "fail", f"{home.state} is accessible to other users (0755)", f"chmod 700 {home.state}"
    )


async def test_a_socket_accessible_to_others_is_a_failure(home: Home) -> None:
    async with scripted_hub(home, Welcome(taken=False, version=__version__)):
        pass
    home.socket.touch(mode=0o644)
    home.socket.chmod(0o644)
    assert found(home, "socket") == Check(
        "socket", "fail", f"{home.socket} is accessible to other users (0644)", f"chmod 600 {home.socket}"
    )


def test_a_socket_without_a_hub_is_a_warning(home: Home) -> None:
    home.prepare()
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(home.socket))
    home.socket.chmod(0o600)
    assert found(home, "socket") == Check(
        "socket", "warn", f"{home.socket} is left from a hub that has exited", "The next start replaces it."
    )


def test_a_port_in_use_is_a_warning(home: Home) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert found(home, "port", Chosen(port)) == Check(
            "port",
            "warn",
            f"{port} is not available: Address already in use",
            "Stop the program that uses it, or set api_port to another port.",
        )
    assert found(home, "port", Chosen(port)) == Check("port", "ok", f"{port} is free")
    assert found(home, "port", Chosen("any")) == Check("port", "ok", "any free port")


def test_a_home_that_cannot_be_written_is_found(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    place = tmp_path / "file" / "tabwright"
    check = found(Home(place, place), "state folder")
    assert (check.state, check.fact) == ("fail", f"{tmp_path / 'file'} is not a folder")


async def test_a_home_that_cannot_be_created_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    place = tmp_path / "file" / "tabwright"
    shell = Shell(tmp_path, Home(place, place))
    for words in (["list-tabs"], ["mcp"], ["mcp", "--embedded"]):
        ran = await shell.run(*words)
        problem = f"{place} cannot be created (Not a directory). Set TABWRIGHT_HOME to a folder that you can write to."
        assert (ran.code, ran.out) == (1, "")
        assert problem in ran.err
        assert "Traceback" not in ran.err


async def test_output_that_nobody_reads_ends_the_demo_quietly(tmp_path: Path, home: Home) -> None:
    shell = Shell(tmp_path, home)
    command = f"{shlex.join(shell.program)} demo --folder {shlex.quote(str(tmp_path / 'demo'))} | head -1"
    with anyio.fail_after(60):
        ran = await anyio.run_process(["/bin/bash", "-c", command], env=shell.environment, cwd=tmp_path)
    assert (ran.stdout.decode(), ran.stderr.decode()) == (
        f"Tabwright {__version__}: what an agent sees and does\n",
        "",
    )
