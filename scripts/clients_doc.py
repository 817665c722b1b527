"""docs/CLIENTS.md: the MCP clients that `tabwright config` knows, with the file of each."""

from tabwright.doors.client_config.clients import CLIENTS, Client

_HEAD = """# MCP clients

`tabwright config` finds the clients on this computer and offers to configure them. `tabwright config NAME`
prints what to add to one client's file, and with `--write` adds it:

- The rest of the file stays as it is, with its comments. What you changed in the entry stays too: variables,
  arguments, switches. The file as it was is copied to `FILE.backup`. A file that cannot be changed safely is
  left alone, and the text to add by hand is printed.
- `--scope user`, the default, is for all your projects; `--scope project` is for the current folder.
- `--dialect NAMES` chooses other tools ([MCP.md](MCP.md)).
- `--http` connects the client to a running hub (`tabwright serve`) instead of starting `tabwright mcp`. With
  `--write` it creates a token named after the client, with the scopes `read`, `act` and `evaluate`, and
  writes it to the file, which only you can read then. It is never printed. If the client has a valid token,
  that one stays; `--token-file FILE` takes the first line of a file (`-`: standard input) instead.

$APPLICATION_SETTINGS is `~/.config` on Linux and `~/Library/Application Support` on macOS. The others are the
clients' own variables: if it is not set, $XDG_CONFIG_HOME is `~/.config`, $CLAUDE_CONFIG_DIR `~`, $CODEX_HOME
`~/.codex`, and $COPILOT_HOME `~/.copilot`. Written by `make gen`; do not edit.

| Name | Client | File (user) | File (project) | Servers are in | Over HTTP | Approval |
|---|---|---|---|---|---|---|
"""
_TAIL = """
Other clients: most read an object `mcpServers`, as `tabwright config cursor` prints it. JetBrains AI
Assistant has no file; paste that text in Settings, Tools, AI Assistant, Model Context Protocol (MCP).

For coding agents that use the shell instead of MCP, `tabwright skill --install` adds a short guide where they
read it: `.claude/skills/tabwright/SKILL.md`, `.cursor/rules/tabwright.mdc` or `AGENTS.md`.
"""


def document() -> str:
    """Return the document."""
    return _HEAD + "".join(_row(name, client) for name, client in CLIENTS.items()) + _TAIL


def _row(name: str, client: Client) -> str:
    shape = client.shape
    http = "no" if shape.http is None else f"`{shape.url}`, `{shape.headers}`"
    asks = client.asks
    if client.asks_in_project:
        asks = f"User: {client.asks} Project: {client.asks_in_project}"
    cells = [
        f"`{name}`",
        client.title,
        _files(client.user),
        _files(client.project),
        f"`{client.keys[0]}` ({client.format.upper()})",
        http,
        asks,
    ]
    return f"| {' | '.join(cells)} |\n"


def _files(paths: tuple[str, ...]) -> str:
    return " or ".join(f"`{path}`" for path in paths) or "none"
