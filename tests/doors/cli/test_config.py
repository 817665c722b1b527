"""`tabwright config`: the configuration of MCP clients."""

import json
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tabwright.doors.cli import commands
from tabwright.doors.cli.config import run
from tabwright.doors.client_config import CLIENTS
from tabwright.doors.terminal import Terminal
from tabwright.home import Home
from tests.doors.cli.shell import Ran, Shell
from tests.programs import program


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    home = Home(tmp_path / "home", tmp_path / "home")
    return Shell(tmp_path, home, {"HOME": str(tmp_path)})


# Next to the Python that runs the tests.
PROGRAM = str(Path(sys.executable).parent / "tabwright")
STARTED: dict[str, Any] = {"command": PROGRAM, "args": ["mcp"]}


MAC = "Library/Application Support"
CLINE = "saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
SERVERS = {"mcpServers": {"tabwright": STARTED}}
# The file of each client and its content, as in the client's documentation.
CONFIGURATIONS = {
    ("claude-desktop", "linux"): (".config/Claude/claude_desktop_config.json", SERVERS),
    ("claude-desktop", "darwin"): (f"{MAC}/Claude/claude_desktop_config.json", SERVERS),
    ("claude-code", "linux"): ("project/.mcp.json", {"mcpServers": {"tabwright": {"type": "stdio", **STARTED}}}),
    ("claude-code", "darwin"): ("project/.mcp.json", {"mcpServers": {"tabwright": {"type": "stdio", **STARTED}}}),
    ("cursor", "linux"): (".cursor/mcp.json", SERVERS),
    ("cursor", "darwin"): (".cursor/mcp.json", SERVERS),
    ("vscode", "linux"): (".config/Code/User/mcp.json", {"servers": {"tabwright": {"type": "stdio", **STARTED}}}),
    ("vscode", "darwin"): (f"{MAC}/Code/User/mcp.json", {"servers": {"tabwright": {"type": "stdio", **STARTED}}}),
    ("cline", "linux"): (".cline/data/settings/cline_mcp_settings.json", SERVERS),
    ("cline", "darwin"): (".cline/data/settings/cline_mcp_settings.json", SERVERS),
}  # fmt: skip
TITLES = {
    "claude-desktop": "Claude Desktop",
    "claude-code": "Claude Code (this project)",
    "cursor": "Cursor",
    "vscode": "VS Code",
    "cline": "Cline",
}
ALL_PROJECTS = f"For all your projects: claude mcp add --scope user tabwright -- {PROGRAM} mcp\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a project, which is the current folder."""
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def config(client: str, **given: Any) -> Ran:
    """Run the command in this process, which may pretend to be another system."""
    out, err = StringIO(), StringIO()
    code = run({"client": client, **given}, Terminal(out, err))
    return Ran(code, out.getvalue(), err.getvalue())


@pytest.mark.parametrize(("client", "system"), CONFIGURATIONS)
def test_each_client_gets_its_configuration_in_its_file(
    home: Path, monkeypatch: pytest.MonkeyPatch, client: str, system: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    place, content = CONFIGURATIONS[client, system]
    file, more = home / place, ALL_PROJECTS if client == "claude-code" else ""

    printed = config(client)
    assert (printed.code, json.loads(printed.out)) == (0, content)
    assert printed.err == f"For {TITLES[client]}, in {file}. --write adds it there.\n{more}"
    assert not file.exists()

    written = config(client, write=True)
    assert written == Ran(0, f"{file} now has Tabwright. Restart {TITLES[client]}.\n", more)
    assert json.loads(file.read_text()) == content


def test_every_client_is_in_that_table() -> None:
    assert set(CONFIGURATIONS) == {(client, system) for client in CLIENTS for system in ("linux", "darwin")}
    assert {name: client.title for name, client in CLIENTS.items()} == TITLES


@pytest.mark.parametrize("migrated", [False, True])
def test_cline_gets_its_old_file_only_while_it_reads_it(
    home: Path, monkeypatch: pytest.MonkeyPatch, migrated: bool
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    old = home / ".config/Code/User/globalStorage" / CLINE
    new = home / ".cline/data/settings/cline_mcp_settings.json"
    old.parent.mkdir(parents=True)
    old.write_text("{}")
    if migrated:
        new.parent.mkdir(parents=True)
    assert config("cline", write=True).code == 0
    assert json.loads((new if migrated else old).read_text()) == SERVERS
    assert (old.read_text() == "{}") is migrated


def test_the_configuration_has_the_chosen_dialect(home: Path) -> None:
    args = [*STARTED["args"], "--dialect", "tabs"]
    printed = json.loads(config("cursor", dialect="tabs").out)
    assert printed == {"mcpServers": {"tabwright": {**STARTED, "args": args}}}


@pytest.mark.parametrize("source", ["", "file:///home/ada/my%20dist/tabwright-0.1.0-py3-none-any.whl"])
def test_under_uvx_the_configuration_uses_uvx_and_not_its_cache(
    home: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    cache = home / ".cache/uv/archive-v0/k3J"
    about = cache / "lib/tabwright-0.1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.4\nName: tabwright\nVersion: 0.1.0\n")
    if source:
        (about / "direct_url.json").write_text(json.dumps({"url": source, "archive_info": {}}))
    (cache / "bin").mkdir()
    started = program(cache / "bin", "tabwright", "exit 0")
    uvx = program(cache / "bin", "uvx", "exit 0")
    monkeypatch.setattr(sys, "argv", [str(started), "config", "cursor"])
    monkeypatch.setattr(sys, "path", [str(cache / "lib"), *sys.path])
    monkeypatch.setenv("PATH", str(cache / "bin"))

    source_args = ["--from", "/home/ada/my dist/tabwright-0.1.0-py3-none-any.whl"] if source else []
    entry = {"command": str(uvx), "args": [*source_args, "tabwright", "mcp"]}
    assert json.loads(config("cursor").out) == {"mcpServers": {"tabwright": entry}}


def test_commands_to_type_are_quoted(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = home / "my tools"
    folder.mkdir()
    monkeypatch.setattr(sys, "argv", [str(program(folder, "tabwright", "exit 0"))])
    note = f"For all your projects: claude mcp add --scope user tabwright -- '{folder}/tabwright' mcp"
    assert config("claude-code").err.splitlines()[-1] == note


async def test_the_command_prints_the_configuration(shell: Shell) -> None:
    printed = await shell.run("config", "claude-desktop")
    assert (printed.code, json.loads(printed.out)) == (0, SERVERS)


async def test_a_clients_file_is_extended_after_a_backup(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / ".cursor/mcp.json"
    file.parent.mkdir()
    before = '{"theme": "dark", "mcpServers": {"other": {"command": "x"}}}'
    file.write_text(before)

    written = await shell.run("config", "cursor", "--write")
    again = await shell.run("config", "cursor", "--write")

    backup = tmp_path / ".cursor/mcp.json.backup"
    assert written == Ran(0, f"{file} now has Tabwright (backup: {backup}). Restart Cursor.\n", "")
    assert again == Ran(0, f"{file} now has Tabwright. Restart Cursor.\n", "")
    assert json.loads(file.read_text()) == {
        "theme": "dark",
        "mcpServers": {"other": {"command": "x"}, "tabwright": STARTED},
    }
    assert backup.read_text() == before
    assert sorted(path.name for path in file.parent.iterdir()) == ["mcp.json", "mcp.json.backup"]


@pytest.mark.parametrize(
    ("theirs", "dialect", "written"),
    [
        ({"command": "old", "args": ["mcp", "--dialect", "tabs"]}, None, STARTED),
        ({"command": PROGRAM, "args": ["mcp", "--dialect", "tabs"]}, None, {"args": ["mcp", "--dialect", "tabs"]}),
        ({"command": PROGRAM, "args": ["mcp", "--embedded"]}, "plain", {"args": ["mcp", "--dialect", "plain"]}),
        ({"command": PROGRAM, "args": ["serve"]}, None, STARTED),
        ({"command": PROGRAM, "args": "mcp"}, None, STARTED),
        ({"type": "http", "url": "http://127.0.0.1:38472/mcp", "headers": {}}, None, STARTED),
        ("nothing", None, STARTED),
    ],
)  # fmt: skip
def test_changes_of_the_user_to_our_entry_stay(
    home: Path, theirs: Any, dialect: str | None, written: dict[str, Any]
) -> None:
    file = home / ".cursor/mcp.json"
    file.parent.mkdir()
    added = {"env": {"TABWRIGHT_HEADLESS": "false"}, "disabled": False} if isinstance(theirs, dict) else {}
    entry = {**added, **theirs} if added else theirs
    file.write_text(json.dumps({"mcpServers": {"tabwright": entry}}))
    assert config("cursor", write=True, dialect=dialect).code == 0
    assert json.loads(file.read_text())["mcpServers"]["tabwright"] == {**added, **STARTED, **written}


async def test_a_missing_project_file_is_created(shell: Shell, tmp_path: Path) -> None:
    assert (await shell.run("config", "claude-code", "--write")).code == 0

    assert json.loads((tmp_path / ".mcp.json").read_text()) == {
        "mcpServers": {"tabwright": {"type": "stdio", **STARTED}}
    }


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ('{"mcpServers": {} // mine\n}', "is not plain JSON (comments in it would be lost)."),
        ("[1]", "is not a JSON object."),
        ('{"mcpServers": []}', "mcpServers is not an object."),
    ],
)
async def test_a_file_that_cannot_be_changed_safely_is_left_unchanged(
    shell: Shell, tmp_path: Path, content: str, fault: str
) -> None:
    file = tmp_path / ".cursor/mcp.json"
    file.parent.mkdir()
    file.write_text(content)

    refused = await shell.run("config", "cursor", "--write")

    assert refused.code == 1
    assert fault in refused.err
    assert refused.err.endswith(f"\nAdd this by hand:\n{json.dumps(SERVERS, indent=2)}\n")
    assert [path.read_text() for path in file.parent.iterdir()] == [content]


def test_the_command_knows_every_client() -> None:
    command = commands.find_own("config")
    assert command is not None
    assert command.fields[0].choices == tuple(CLIENTS)
