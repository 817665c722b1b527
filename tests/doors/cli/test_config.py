"""`tabwright config`: the configuration of MCP clients, in real files of a temporary home."""

import json
import stat
import sys
import tomllib
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tabwright.doors.cli.config import run
from tabwright.doors.cli.parse import UsageError
from tabwright.doors.client_config.clients import CLIENTS
from tabwright.doors.terminal import Terminal
from tabwright.home import Home
from tabwright.policy.callers.tokens import Tokens
from tests.doors.cli.shell import Ran, Shell
from tests.programs import program

# Next to the Python that runs the tests.
PROGRAM = str(Path(sys.executable).parent / "tabwright")
STARTED: dict[str, Any] = {"command": PROGRAM, "args": ["mcp"]}
TYPED = {"type": "stdio", **STARTED}
SERVERS = {"mcpServers": {"tabwright": STARTED}}
URL = "http://127.0.0.1:4000/mcp"
HEADERS = {"Authorization": "Bearer TOKEN"}
GOOSE: dict[str, Any] = {
    "enabled": True,
    "name": "tabwright",
    "description": "A real browser.",
    "timeout": 300,
}
SETTINGS = {"linux": ".config", "darwin": "Library/Application Support"}
CLINE = "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
ROO = "Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"


class Expected(NamedTuple):
    """A client as in its documentation: its files, the path of our entry, and the entry in both forms."""

    user: str
    project: str
    keys: tuple[str, ...]
    stdio: dict[str, Any]
    http: dict[str, Any] | None


def usual(url: str = "url", headers: str = "headers", **more: Any) -> dict[str, Any]:
    return {**more, url: URL, headers: HEADERS}


SERVER = ("mcpServers",)
EXPECTED = {
    "claude-code": Expected(".claude.json", ".mcp.json", SERVER, TYPED, usual(type="http")),
    "claude-desktop": Expected("{settings}/Claude/claude_desktop_config.json", "", SERVER, STARTED, None),
    "codex": Expected(".codex/config.toml", ".codex/config.toml", ("mcp_servers",), STARTED, usual(headers="http_headers")),
    "cursor": Expected(".cursor/mcp.json", ".cursor/mcp.json", SERVER, STARTED, usual()),
    "vscode": Expected("{settings}/Code/User/mcp.json", ".vscode/mcp.json", ("servers",), TYPED, usual(type="http")),
    "copilot": Expected(".copilot/mcp-config.json", ".mcp.json", SERVER, {"type": "stdio", "tools": ["*"], **STARTED}, usual(type="http", tools=["*"])),
    "gemini": Expected(".gemini/settings.json", ".gemini/settings.json", SERVER, STARTED, usual("httpUrl")),
    "cline": Expected(".cline/data/settings/cline_mcp_settings.json", "", SERVER, STARTED, usual(type="streamableHttp")),
    "roo": Expected("{settings}/" + ROO, ".roo/mcp.json", SERVER, STARTED, usual(type="streamable-http")),
    "windsurf": Expected(".codeium/windsurf/mcp_config.json", "", SERVER, STARTED, usual("serverUrl")),
    "zed": Expected(".config/zed/settings.json", ".zed/settings.json", ("context_servers",), STARTED, usual()),
    "jetbrains": Expected(".junie/mcp/mcp.json", ".junie/mcp/mcp.json", SERVER, STARTED, usual()),
    "opencode": Expected(".config/opencode/opencode.json", "opencode.json", ("mcp",), {"type": "local", "enabled": True, "command": [PROGRAM, "mcp"]}, usual(type="remote", enabled=True)),
    "lmstudio": Expected(".lmstudio/mcp.json", "", SERVER, STARTED, usual()),
    "goose": Expected(".config/goose/config.yaml", "", ("extensions",), {"type": "stdio", **GOOSE, "cmd": PROGRAM, "args": ["mcp"]}, usual("uri", type="streamable_http", **GOOSE)),
    "kiro": Expected(".kiro/settings/mcp.json", ".kiro/settings/mcp.json", SERVER, STARTED, usual()),
    "amp": Expected(".config/amp/settings.json", ".amp/settings.json", ("amp.mcpServers",), STARTED, usual()),
    "mcp-json": Expected("", ".mcp.json", SERVER, TYPED, usual(type="http")),
}  # fmt: skip
PLACES = [
    (client, scope) for client, expected in EXPECTED.items() for scope in ("user", "project") if getattr(expected, scope)
]  # fmt: skip


class Hub(NamedTuple):
    """The HTTP address and the tokens of a hub that does not run."""

    file: Path

    def mcp_url(self) -> str:
        return URL

    def tokens(self) -> Tokens:
        return Tokens(self.file)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a project, which is the current folder, and no programs."""
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for variable in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "COPILOT_HOME"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


@pytest.fixture
def hub(tmp_path: Path) -> Hub:
    return Hub(tmp_path / "tokens.json")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path, Home(tmp_path / "home", tmp_path / "home"), {"HOME": str(tmp_path)})


def config(client: str = "", hub: Hub | None = None, **given: Any) -> Ran:
    """Run the command in this process, which may pretend to be another system."""
    out, err = StringIO(), StringIO()
    options = {"client": client, **given} if client else given
    code = run(options, Terminal(out, err), lambda: hub or Hub(Path("tokens.json")))
    return Ran(code, out.getvalue(), err.getvalue())


def place(home: Path, client: str, scope: str = "user") -> Path:
    expected = EXPECTED[client]
    if scope == "project":
        return home / "project" / expected.project
    return home / expected.user.format(settings=SETTINGS[sys.platform])


def parse(file: Path, text: str | None = None) -> Any:
    """Parse a file with a real parser of its format."""
    text = file.read_text() if text is None else text
    parsers: dict[str, Any] = {".toml": tomllib.loads, ".yaml": yaml.safe_load}
    return parsers.get(file.suffix, json.loads)(text)


def nested(keys: tuple[str, ...], entry: Any) -> dict[str, Any]:
    [key] = keys
    return {key: {"tabwright": entry}}


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@pytest.mark.parametrize("system", ["linux", "darwin"])
@pytest.mark.parametrize(("client", "scope"), PLACES)
def test_each_client_gets_its_configuration_in_its_file(
    home: Path, monkeypatch: pytest.MonkeyPatch, client: str, scope: str, system: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    expected, file = EXPECTED[client], place(home, client, scope)
    content = nested(expected.keys, expected.stdio)

    printed = config(client, scope=scope)
    assert (printed.code, parse(file, printed.out)) == (0, content)
    assert printed.err.startswith(f"For {CLIENTS[client].title}, in {file}. --write adds it there.\n")
    assert not file.exists()

    written = config(client, scope=scope, write=True)
    assert written.code == 0
    assert written.out.startswith(f"Added Tabwright to {file}. ")
    assert written.out.endswith(f" {CLIENTS[client].approval(scope)}\n")
    assert parse(file) == content

    before = file.read_bytes()
    assert config(client, scope=scope, write=True) == Ran(0, f"{file} already has Tabwright.\n", "")
    assert file.read_bytes() == before
    assert list(file.parent.glob("*backup*")) == []


def test_every_client_is_in_that_table() -> None:
    assert EXPECTED.keys() == CLIENTS.keys()
    for name, client in CLIENTS.items():
        assert client.scopes == tuple(
            scope for scope in ("user", "project") if getattr(EXPECTED[name], scope)
        )


@pytest.mark.parametrize("client", [name for name, expected in EXPECTED.items() if expected.http])
def test_over_http_each_client_gets_a_url_and_a_private_token(home: Path, hub: Hub, client: str) -> None:
    expected, scope = EXPECTED[client], CLIENTS[client].scopes[0]
    file = place(home, client, scope)
    assert expected.http is not None

    printed = config(client, hub, http=True)
    assert parse(file, printed.out) == nested(expected.keys, expected.http)
    assert not hub.file.exists()

    written = config(client, hub, http=True, write=True)
    [token] = hub.tokens()
    assert (written.code, token.name, token.scopes) == (0, client, ("read", "act", "evaluate"))
    [entry] = parse(file)[expected.keys[0]].values()
    secret = find_secret(entry)
    assert hub.tokens().find(secret) == token
    assert secret not in written.out + written.err
    assert parse(file) == parse(file, content_with(file, expected, secret))
    assert mode(file) == 0o600

    assert config(client, hub, http=True, write=True) == Ran(0, f"{file} already has Tabwright.\n", "")
    assert [token] == list(hub.tokens())


def content_with(file: Path, expected: Expected, secret: str) -> str:
    """The expected content of a file with a token, in its format."""
    content = json.dumps(nested(expected.keys, expected.http)).replace("TOKEN", secret)
    if file.suffix != ".toml":
        return content
    return f'[mcp_servers.tabwright]\nurl = "{URL}"\nhttp_headers = {{Authorization = "Bearer {secret}"}}\n'


def find_secret(entry: dict[str, Any]) -> str:
    headers = entry.get("headers") or entry["http_headers"]
    return str(headers["Authorization"]).removeprefix("Bearer ")


def test_a_client_without_http_says_so_and_no_token_is_created(home: Path, hub: Hub) -> None:
    refused = Ran(
        1,
        "",
        "tabwright config: The file of Claude Desktop cannot have servers over HTTP.\nLeave out --http.\n",
    )
    assert config("claude-desktop", hub, http=True) == refused
    assert config("claude-desktop", hub, http=True, write=True) == refused
    assert not hub.file.exists()


def test_a_failed_write_leaves_no_token_and_prints_none(home: Path, hub: Hub) -> None:
    file = place(home, "cursor")
    file.parent.mkdir()
    file.write_text("{]")
    failed = config("cursor", hub, http=True, write=True)
    assert failed.code == 1
    assert failed.err.startswith(
        f"tabwright config: {file}: it is not valid JSON at line 1.\nAdd this by hand:\n"
    )
    assert '"Bearer TOKEN"' in failed.err
    assert list(hub.tokens()) == []
    assert [path.name for path in file.parent.iterdir()] == ["mcp.json"]


def test_a_token_of_a_file_is_used(home: Path, hub: Hub) -> None:
    token, secret = hub.tokens().create("mine", ["read"])
    (home / "token").write_text(f"{secret}\n")
    assert config("cursor", hub, http=True, write=True, token_file=str(home / "token")).code == 0
    assert find_secret(parse(place(home, "cursor"))["mcpServers"]["tabwright"]) == secret
    assert list(hub.tokens()) == [token]

    (home / "token").write_text("tw_unknown\n")
    refused = config("cursor", hub, http=True, write=True, token_file=str(home / "token"))
    assert refused.err.startswith("tabwright config: The token is unknown, revoked or expired.\n")


def test_a_revoked_token_is_replaced_and_other_headers_stay(home: Path, hub: Hub) -> None:
    config("cursor", hub, http=True, write=True)
    file = place(home, "cursor")
    file.write_text(file.read_text().replace('"headers": {', '"headers": {"X-Mine": "1",'))
    hub.tokens().revoke("cursor")
    written = config("cursor", hub, http=True, write=True)
    entry = parse(file)["mcpServers"]["tabwright"]
    [token] = hub.tokens()
    assert hub.tokens().find(find_secret(entry)) == token
    assert entry["headers"]["X-Mine"] == "1"
    assert f"(backup: {file}.backup)" in written.out
    assert mode(Path(f"{file}.backup")) == 0o600


def test_what_http_means_is_said_once(home: Path, hub: Hub) -> None:
    first, second = (config(name, hub, http=True, write=True, scope="project") for name in ("cursor", "kiro"))
    needs = "From now on, every HTTP request needs a token, the dashboard's too.\n"
    assert (needs in first.err, needs in second.err) == (True, False)
    assert "The file contains a new token, cursor (read, act, evaluate).\n" in first.err
    assert "Do not commit the file.\n" in first.err
    assert f"The hub must be running when Cursor connects: {PROGRAM} serve\n" in first.err


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        (
            {"http": True, "dialect": "tabs"},
            "--dialect has no effect over HTTP, where the setting dialect decides",
        ),
        ({"token_file": "x"}, "--token-file needs --http"),
        ({"scope": "project"}, "LM Studio has no project scope, only user"),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    home: Path, given: dict[str, Any], fault: str
) -> None:
    with pytest.raises(UsageError, match=f"^{fault}$"):
        config("lmstudio", **given)


def test_the_clients_of_this_computer_are_found(home: Path) -> None:
    assert config() == Ran(
        0, "No known MCP client was found on this computer.\n", f"Name yours: {', '.join(CLIENTS)}.\n"
    )
    (home / ".cursor").mkdir()
    (home / "bin").mkdir()
    program(home / "bin", "codex", "exit 0")
    config("gemini", write=True)
    found = config()
    assert (found.code, found.out) == (
        0,
        """\
MCP clients on this computer
  codex   Codex       ~/.codex/config.toml
  cursor  Cursor      ~/.cursor/mcp.json
  gemini  Gemini CLI  ~/.gemini/settings.json  has Tabwright
""",
    )
    assert found.err.startswith(
        f"\nAdd Tabwright to one:  {PROGRAM} config codex --write\nTo all of these:       {PROGRAM} config --write\n"
    )
    written = config(write=True)
    assert [line.partition(". ")[0] for line in written.out.splitlines()] == [
        f"Added Tabwright to {home}/.codex/config.toml",
        f"Added Tabwright to {home}/.cursor/mcp.json",
        f"{home}/.gemini/settings.json already has Tabwright.",
    ]
    assert not (home / ".kiro").exists()


async def test_a_person_is_asked_which_clients_to_configure(shell: Shell, tmp_path: Path) -> None:
    for folder in (".cursor", ".kiro", ".lmstudio"):
        (tmp_path / folder).mkdir()
    async with shell.on_terminal("config") as asked:
        await asked.until("Enter for none: ")
        asked.type("cursor kiro\n")
        done = await asked.wait_for_exit()
    assert done.code == 0
    assert parse(tmp_path / ".cursor/mcp.json") == parse(tmp_path / ".kiro/settings/mcp.json") == SERVERS
    assert not (tmp_path / ".lmstudio/mcp.json").exists()


@pytest.mark.parametrize("migrated", [False, True])
def test_cline_gets_its_old_file_only_while_it_reads_it(
    home: Path, monkeypatch: pytest.MonkeyPatch, migrated: bool
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    old, new = home / ".config" / CLINE, place(home, "cline")
    old.parent.mkdir(parents=True)
    old.write_text("{}")
    if migrated:
        new.parent.mkdir(parents=True)
    assert config("cline", write=True).code == 0
    assert json.loads((new if migrated else old).read_text()) == SERVERS
    assert (old.read_text() == "{}") is migrated


@pytest.mark.parametrize("client", ["opencode", "amp"])
def test_a_file_with_comments_is_used_if_the_client_has_that_one(home: Path, client: str) -> None:
    file = place(home, client).with_suffix(".jsonc")
    file.parent.mkdir(parents=True)
    file.write_text('{\n  // Mine.\n  "theme": "dark", // late\n}\n')
    assert config(client, write=True).code == 0
    assert file.read_text().startswith('{\n  // Mine.\n  "theme": "dark", // late\n  "')
    assert not place(home, client).exists()


def test_opencode_2_has_its_servers_one_level_down(home: Path) -> None:
    file = place(home, "opencode")
    file.parent.mkdir(parents=True)
    file.write_text('{"mcp": {"servers": {"a": {"type": "local", "command": ["a"]}}}}')
    assert config("opencode", write=True).code == 0
    assert list(parse(file)["mcp"]) == ["servers"]
    assert parse(file)["mcp"]["servers"]["tabwright"] == EXPECTED["opencode"].stdio


def test_variables_that_move_a_clients_folder_count(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "COPILOT_HOME"):
        monkeypatch.setenv(variable, str(home / variable))
    for client in ("zed", "codex", "claude-code", "copilot"):
        assert config(client, write=True).code == 0
    assert sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()) == [
        "CLAUDE_CONFIG_DIR/.claude.json",
        "CODEX_HOME/config.toml",
        "COPILOT_HOME/mcp-config.json",
        "XDG_CONFIG_HOME/zed/settings.json",
    ]


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


async def test_the_command_works_from_any_folder(shell: Shell, tmp_path: Path) -> None:
    printed = await shell.run("config", "claude-desktop")
    assert (printed.code, json.loads(printed.out)) == (0, SERVERS)
    assert (await shell.run("config", "claude-code", "--write")).code == 0
    assert json.loads((tmp_path / ".claude.json").read_text()) == {"mcpServers": {"tabwright": TYPED}}
    assert not (tmp_path / ".mcp.json").exists()


async def test_http_needs_a_port_that_stays(shell: Shell) -> None:
    off = await shell.run("config", "cursor", "--http")
    assert off == Ran(2, "", "InvalidArgs: HTTP is off: api_port is 0.\nSet api_port to a port.\n")


async def test_a_clients_file_is_extended_after_a_backup(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / ".cursor/mcp.json"
    file.parent.mkdir()
    before = '{"theme": "dark", "mcpServers": {"other": {"command": "x"}}}'
    file.write_text(before)
    file.chmod(0o640)

    written = await shell.run("config", "cursor", "--write")
    again = await shell.run("config", "cursor", "--write")

    backup = tmp_path / ".cursor/mcp.json.backup"
    added = f"Added Tabwright to {file} (backup: {backup}). Restart Cursor. It asks before it uses a tool.\n"
    assert written == Ran(0, added, "")
    assert again == Ran(0, f"{file} already has Tabwright.\n", "")
    assert json.loads(file.read_text()) == {
        "theme": "dark",
        "mcpServers": {"other": {"command": "x"}, "tabwright": STARTED},
    }
    assert backup.read_text() == before
    assert (mode(file), mode(backup)) == (0o640, 0o640)
    assert sorted(path.name for path in file.parent.iterdir()) == ["mcp.json", "mcp.json.backup"]


def test_a_link_to_a_file_stays_a_link(home: Path) -> None:
    (home / "dotfiles").mkdir()
    (home / "dotfiles/mcp.json").write_text("{}")
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").symlink_to(home / "dotfiles/mcp.json")
    assert config("cursor", write=True).code == 0
    assert (home / ".cursor/mcp.json").is_symlink()
    assert parse(home / "dotfiles/mcp.json") == SERVERS


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


@pytest.mark.parametrize("client", ["codex", "opencode", "goose"])
def test_arguments_and_switches_of_the_user_stay_in_every_format(home: Path, client: str) -> None:
    file, expected = place(home, client), EXPECTED[client]
    config(client, write=True)
    text = file.read_text()
    for old, new in (('["mcp"]', '["mcp", "--embedded"]'), ('"mcp"\n', '"mcp", "--embedded"\n')):
        text = text.replace(old, new)
    file.write_text(
        text.replace("enabled: true", "enabled: false").replace('"enabled": true', '"enabled": false')
    )
    before = parse(file)
    assert config(client, write=True).out == f"{file} already has Tabwright.\n"
    config(client, write=True, dialect="plain")
    entry = parse(file)[expected.keys[0]]["tabwright"]
    assert entry.get("enabled") == before[expected.keys[0]]["tabwright"].get("enabled")
    assert [*entry.get("command" if client == "opencode" else "args")][-3:] == ["mcp", "--dialect", "plain"]


@pytest.mark.parametrize("client", [name for name, expected in EXPECTED.items() if expected.http])
def test_the_transport_can_change_back_and_forth(home: Path, hub: Hub, client: str) -> None:
    expected, file = EXPECTED[client], place(home, client, CLIENTS[client].scopes[0])
    for _ in range(2):
        assert config(client, hub, write=True, http=True).code == 0
        assert config(client, hub, write=True).code == 0
        assert parse(file) == nested(expected.keys, expected.stdio)


@pytest.mark.parametrize(
    ("client", "content", "fault"),
    [
        ("cursor", "{'mcpServers': {}}", "it is not valid JSON at line 1."),
        ("cursor", "[1]", "it is not an object."),
        ("cursor", '{"mcpServers": []}', "mcpServers is not an object."),
        ("codex", "mcp_servers = []\n", "mcp_servers is not a table."),
        ("goose", "{extensions: {}}\n", "line 1 is not an entry of a block mapping."),
    ],
)
def test_a_file_that_cannot_be_changed_safely_is_left_unchanged(
    home: Path, client: str, content: str, fault: str
) -> None:
    file = place(home, client)
    file.parent.mkdir(parents=True)
    file.write_text(content)

    refused = config(client, write=True)

    begin, by_hand = f"tabwright config: {file}: {fault}", config(client).out
    assert refused == Ran(1, "", f"{begin}\nAdd this by hand:\n{by_hand}")
    assert [path.read_text() for path in file.parent.iterdir()] == [content]
