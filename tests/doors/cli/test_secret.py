"""`tabwright secret`: stored from the shell, used by an agent through the hub."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from tabwright.home import Home
from tests.doors.cli.shell import PROGRAM, Ran, Shell
from tests.web import Web

VALUE = "correct horse 7"


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    shell = Shell(tmp_path, Home(tmp_path / "home", tmp_path / "home"))
    yield shell
    shell.stop_hub()


async def run_with_input(shell: Shell, words: str, *, value: str) -> Ran:
    """Run a command that reads a value from standard input."""
    command = [*PROGRAM, *words.split()]
    done = await anyio.run_process(
        command, input=f"{value}\n".encode(), check=False, cwd=shell.folder, env=shell.environment
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


async def test_a_secret_is_stored_used_and_removed_without_being_shown(shell: Shell, web: Web) -> None:
    stored = await run_with_input(shell, f"secret set site --origin {web.url}/any", value=VALUE)
    assert stored == Ran(0, "Stored site. Agents type it as {{secret:site}}, on that site only.\n", "")
    assert stat.S_IMODE(shell.home.secrets.stat().st_mode) == 0o600
    assert await shell.run("secret", "list") == Ran(0, f"site  {web.url}\n", "")

    await shell.run("navigate", web.page("<input aria-label=Word><p></p>"))
    filled = await shell.run("fill", "input", "{{secret:site}}", "--json")
    length = await shell.run("evaluate", "document.querySelector('input').value.length", "--json")
    assert json.loads(length.out)["result"] == {"value": len(VALUE)}
    assert json.loads(filled.out)["result"]["value"] == "[secret site]"
    seen = await shell.run("snapshot")
    assert "[secret site]" in seen.out
    for text in (filled.out, filled.err, seen.out, shell.home.audit.read_text(), shell.home.log.read_text()):
        assert VALUE not in text

    assert await shell.run("secret", "remove", "site") == Ran(0, "Removed site.\n", "")
    assert await shell.run("secret", "list", "--json") == Ran(0, "{}\n", "")
    gone = await shell.run("fill", "input", "{{secret:site}}")
    assert (gone.code, gone.err) == (
        3,
        "NotFound: There is no secret site.\nThe user can add it: tabwright secret set site --origin URL\n",
    )


async def test_a_secret_needs_an_origin_and_a_value(shell: Shell) -> None:
    assert (await run_with_input(shell, "secret set site", value=VALUE)).code == 2
    short = await run_with_input(shell, "secret set site --origin https://a.example", value="abc")
    assert (short.code, short.err.splitlines()[0]) == (
        2,
        "InvalidArgs: The value is too short to redact it from answers.",
    )
    wrong = await run_with_input(shell, "secret set site --origin file:///etc", value=VALUE)
    assert (wrong.code, wrong.err.splitlines()[0]) == (2, "InvalidArgs: 'file:///etc' is not an origin.")
