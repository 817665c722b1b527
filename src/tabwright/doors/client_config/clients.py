"""The clients: where each stores MCP servers, what an entry looks like, and when it asks its user."""

from pathlib import Path
from typing import Any, NamedTuple

from tabwright.home import program_path

SERVER = "tabwright"


class Shape(NamedTuple):
    """What an entry looks like.

    Attributes:
        stdio: further fields of a server that the client starts.
        http: further fields of a server over HTTP; None if the client's file cannot have one.
        command: the field of the program, which also has the arguments if `args` is "".
        args: the field of its arguments.
        url: the field of the URL.
        headers: the field of the HTTP headers.
    """

    stdio: dict[str, Any] = {}  # noqa: RUF012 - a field of a tuple; nobody changes it
    http: dict[str, Any] | None = {}  # noqa: RUF012 - as above
    command: str = "command"
    args: str = "args"
    url: str = "url"
    headers: str = "headers"


class Client(NamedTuple):
    """Where a client stores its MCP servers.

    Attributes:
        title: its name.
        user: the files for all projects of its user: the first one is created, if none exists.
        project: the files in the folder of a project.
        keys: the path of the servers in a file.
        shape: what an entry looks like.
        format: json, toml or yaml.
        asks: when the client asks its user for approval.
        asks_in_project: the same for a project's file, if it differs.
        commands: programs that show that the client is installed.
        folders: folders that show it, besides those of its files.
        note: what else its user should know.
    """

    title: str
    user: tuple[str, ...] = ()
    project: tuple[str, ...] = ()
    keys: tuple[str, ...] = ("mcpServers",)
    shape: Shape = Shape()
    format: str = "json"
    asks: str = "It asks before it uses a tool."
    asks_in_project: str = ""
    commands: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    note: str = ""

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes that it has; the first one is the default."""
        return (*(["user"] if self.user else []), *(["project"] if self.project else []))

    def file(self, scope: str) -> Path:
        """Return the file of a scope on this system."""
        files = [program_path(path) for path in (self.user if scope == "user" else self.project)]
        # A newer version with its own folder does not read the file of an older one.
        folder = next((file.parent for file in files if file.parent.exists()), files[0].parent)
        here = [file for file in files if file.parent == folder]
        return next((file for file in here if file.exists()), here[0])

    def approval(self, scope: str) -> str:
        """Return when it asks its user about a server of that scope."""
        return self.asks_in_project or self.asks if scope == "project" else self.asks

    def is_installed(self) -> bool:
        """Whether its files, folders or programs are on this computer."""
        import shutil

        files = [program_path(path) for path in self.user]
        signs = [program_path(path) for path in self.folders]
        return any(path.exists() for path in (*files, *signs)) or any(map(shutil.which, self.commands))


_HTTP = {"type": "http"}
_TYPED = Shape({"type": "stdio"}, _HTTP)
_EXTENSIONS = "$APPLICATION_SETTINGS/Code/User/globalStorage"
_CLINE = f"{_EXTENSIONS}/saoudrizwan.claude-dev"
_ROO = f"{_EXTENSIONS}/rooveterinaryinc.roo-cline"
_GOOSE = {"enabled": True, "name": SERVER, "description": "A real browser.", "timeout": 300}

CLIENTS = {
    "claude-code": Client(
        "Claude Code",
        ("$CLAUDE_CONFIG_DIR/.claude.json",),
        (".mcp.json",),
        shape=_TYPED,
        asks_in_project="It asks for approval of the server when it starts in this folder.",
        commands=("claude",),
        folders=("~/.claude",),
    ),
    "claude-desktop": Client(
        "Claude Desktop",
        ("$APPLICATION_SETTINGS/Claude/claude_desktop_config.json",),
        shape=Shape(http=None),
        folders=("$APPLICATION_SETTINGS/Claude",),
    ),
    "codex": Client(
        "Codex",
        ("$CODEX_HOME/config.toml",),
        (".codex/config.toml",),
        keys=("mcp_servers",),
        shape=Shape(headers="http_headers"),
        format="toml",
        asks="It asks before it uses a tool, as its approval policy says.",
        asks_in_project="It reads this file only in a project that you trust.",
        commands=("codex",),
        folders=("$CODEX_HOME",),
    ),
    "cursor": Client(
        "Cursor",
        ("~/.cursor/mcp.json",),
        (".cursor/mcp.json",),
        asks_in_project="It asks you to enable the server.",
        commands=("cursor",),
        folders=("~/.cursor",),
    ),
    "vscode": Client(
        "VS Code",
        ("$APPLICATION_SETTINGS/Code/User/mcp.json",),
        (".vscode/mcp.json",),
        keys=("servers",),
        shape=_TYPED,
        asks="It asks whether you trust the server, and before it uses a tool.",
        commands=("code",),
        folders=("$APPLICATION_SETTINGS/Code/User",),
    ),
    "copilot": Client(
        "Copilot CLI",
        ("$COPILOT_HOME/mcp-config.json",),
        (".mcp.json",),
        # It also accepts the type local; other clients that read .mcp.json do not.
        shape=Shape({"type": "stdio", "tools": ["*"]}, {**_HTTP, "tools": ["*"]}),
        asks_in_project="It asks whether you trust the folder, and before it uses a tool.",
        commands=("copilot",),
        folders=("$COPILOT_HOME",),
    ),
    "gemini": Client(
        "Gemini CLI",
        ("~/.gemini/settings.json",),
        (".gemini/settings.json",),
        shape=Shape(url="httpUrl"),
        asks="It starts servers in folders that you trust, and asks before it uses a tool.",
        commands=("gemini",),
    ),
    "cline": Client(
        "Cline",
        # Since 4.0, which imports the file of older versions once.
        (
            "~/.cline/data/settings/cline_mcp_settings.json",
            f"{_CLINE}/settings/cline_mcp_settings.json",
        ),
        shape=Shape(http={"type": "streamableHttp"}),
        commands=("cline",),
        folders=("~/.cline", _CLINE),
    ),
    "roo": Client(
        "Roo Code",
        (f"{_ROO}/settings/mcp_settings.json",),
        (".roo/mcp.json",),
        shape=Shape(http={"type": "streamable-http"}),
        folders=(_ROO,),
    ),
    "windsurf": Client(
        "Windsurf",
        ("~/.codeium/windsurf/mcp_config.json",),
        shape=Shape(url="serverUrl"),
        commands=("windsurf",),
        folders=("~/.codeium/windsurf",),
    ),
    "zed": Client(
        "Zed",
        ("$XDG_CONFIG_HOME/zed/settings.json",),
        (".zed/settings.json",),
        keys=("context_servers",),
        asks_in_project="It asks whether you trust the project, and before it uses a tool.",
        commands=("zed", "zeditor"),
        folders=("$XDG_CONFIG_HOME/zed",),
    ),
    "jetbrains": Client(
        "JetBrains Junie",
        ("~/.junie/mcp/mcp.json",),
        (".junie/mcp/mcp.json",),
        folders=("~/.junie",),
        note="AI Assistant has no file: paste the text that `tabwright config jetbrains` prints into "
        "Settings | Tools | AI Assistant | Model Context Protocol (MCP).",
    ),
    "opencode": Client(
        "OpenCode",
        ("$XDG_CONFIG_HOME/opencode/opencode.json", "$XDG_CONFIG_HOME/opencode/opencode.jsonc"),
        ("opencode.json", "opencode.jsonc"),
        keys=("mcp",),
        shape=Shape({"type": "local", "enabled": True}, {"type": "remote", "enabled": True}, args=""),
        asks="It uses the tools without asking, unless you set `permission`.",
        commands=("opencode",),
        folders=("$XDG_CONFIG_HOME/opencode",),
    ),
    "lmstudio": Client("LM Studio", ("~/.lmstudio/mcp.json",), commands=("lms",), folders=("~/.lmstudio",)),
    "goose": Client(
        "Goose",
        ("$XDG_CONFIG_HOME/goose/config.yaml",),
        keys=("extensions",),
        shape=Shape(
            {"type": "stdio", **_GOOSE}, {"type": "streamable_http", **_GOOSE}, command="cmd", url="uri"
        ),
        format="yaml",
        asks="It uses the tools without asking, unless you set GOOSE_MODE.",
        commands=("goose",),
        folders=("$XDG_CONFIG_HOME/goose",),
    ),
    "kiro": Client(
        "Kiro",
        ("~/.kiro/settings/mcp.json",),
        (".kiro/settings/mcp.json",),
        commands=("kiro", "kiro-cli"),
        folders=("~/.kiro",),
    ),
    "amp": Client(
        "Amp",
        ("$XDG_CONFIG_HOME/amp/settings.json", "$XDG_CONFIG_HOME/amp/settings.jsonc"),
        (".amp/settings.json", ".amp/settings.jsonc"),
        keys=("amp.mcpServers",),
        asks="It uses the tools without asking.",
        asks_in_project=f"It starts the server after you approve it: amp mcp approve {SERVER}",
        commands=("amp",),
        folders=("$XDG_CONFIG_HOME/amp",),
    ),
    "mcp-json": Client(
        "any client that reads .mcp.json",
        project=(".mcp.json",),
        shape=_TYPED,
        asks="Most clients ask for approval of the server when they start in this folder.",
    ),
}
