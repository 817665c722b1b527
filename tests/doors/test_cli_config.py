"""Telling MCP clients of Tabwright."""

import json
import sys
from pathlib import Path

import pytest

from tabwright.doors.cli import table
from tabwright.doors.cli.clients import CLIENTS
from tabwright.home import Home
from tests.doors.shell import Ran, Shell

linux = pytest.mark.skipif(
    sys.platform != "linux", reason="the clients' files are elsewhere on other systems"
)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    home = Home(tmp_path / "home", tmp_path / "home")
    return Shell(tmp_path, home, {"HOME": str(tmp_path)})


STARTED = {"command": sys.executable, "args": ["-m", "tabwright", "mcp"]}


@linux
async def test_what_a_client_is_to_be_told_is_printed(shell: Shell, tmp_path: Path) -> None:
    printed = await shell.run("config", "claude-desktop")

    assert (printed.code, json.loads(printed.out)) == (0, {"mcpServers": {"tabwright": STARTED}})
    file = tmp_path / ".config/Claude/claude_desktop_config.json"
    assert printed.err == f"For Claude Desktop, in {file}; --write puts it there.\n"
    vscode = json.loads((await shell.run("config", "vscode", "--dialect", "tabs")).out)
    args = [*STARTED["args"], "--dialect", "tabs"]
    assert vscode == {"servers": {"tabwright": {"type": "stdio", **STARTED, "args": args}}}


@linux
async def test_a_client_s_file_is_added_to_and_a_copy_is_kept(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / ".cursor/mcp.json"
    file.parent.mkdir()
    before = '{"theme": "dark", "mcpServers": {"other": {"command": "x"}}}'
    file.write_text(before)

    written = await shell.run("config", "cursor", "--write")
    again = await shell.run("config", "cursor", "--write")

    backup = tmp_path / ".cursor/mcp.json.backup"
    told = f"{file} names Tabwright now"
    assert written == Ran(0, f"{told}; as it was: {backup}. Start Cursor anew.\n", "")
    assert again == Ran(0, f"{told}. Start Cursor anew.\n", "")
    assert json.loads(file.read_text()) == {
        "theme": "dark",
        "mcpServers": {"other": {"command": "x"}, "tabwright": STARTED},
    }
    assert backup.read_text() == before
    assert sorted(path.name for path in file.parent.iterdir()) == ["mcp.json", "mcp.json.backup"]


async def test_a_project_s_file_is_made_where_there_is_none(shell: Shell, tmp_path: Path) -> None:
    assert (await shell.run("config", "claude-code", "--write")).code == 0

    assert json.loads((tmp_path / ".mcp.json").read_text()) == {
        "mcpServers": {"tabwright": {"type": "stdio", **STARTED}}
    }


@linux
@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ('{"mcpServers": {} // mine\n}', "is not plain JSON (it may hold comments, which would be lost)."),
        ("[1]", "holds no JSON object."),
        ('{"mcpServers": []}', "mcpServers is no table of servers."),
    ],
)
async def test_a_file_that_cannot_be_added_to_safely_is_left_as_it_is(
    shell: Shell, tmp_path: Path, content: str, fault: str
) -> None:
    file = tmp_path / ".cursor/mcp.json"
    file.parent.mkdir()
    file.write_text(content)

    refused = await shell.run("config", "cursor", "--write")

    assert refused.code == 1
    assert fault in refused.err
    assert "Put in by hand what `tabwright config` prints." in refused.err
    assert [path.read_text() for path in file.parent.iterdir()] == [content]


def test_the_command_knows_every_client() -> None:
    command = table.own("config")
    assert command is not None
    assert command.fields[0].choices == tuple(CLIENTS)
