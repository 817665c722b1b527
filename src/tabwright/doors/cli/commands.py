"""The commands and their arguments: one for each action, from `commands.json`, and the program's own."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from tabwright.dialects.names import DIALECTS
from tabwright.doors.client_config.clients import CLIENTS

_FILE = Path(__file__).with_name("commands.json")
# Fields of actions that name files or folders of the user.
_PATHS = frozenset(
    [
        ("read", "file"),
        ("upload", "paths"),
        ("save_downloads", "folder"),
        ("load_state", "path"),
        ("create_profile", "user_data_dir"),
        ("update_profile", "user_data_dir"),
        ("run_agent_browser", "save_output_path"),
    ]
)
_SCALARS = ("string", "integer", "number", "boolean")


class Field(NamedTuple):
    """One argument of a command. The kind "json" takes JSON, and any other text as a string."""

    name: str
    kind: str
    help: str
    positional: bool = False
    required: bool = False
    many: bool = False
    choices: tuple[str, ...] = ()
    default: Any = None
    short: str = ""
    is_path: bool = False

    @property
    def flag(self) -> str:
        """The option as typed."""
        return "--" + self.name.replace("_", "-")


class Command(NamedTuple):
    """One command; `group` is its heading in the help."""

    name: str
    summary: str
    group: str
    fields: tuple[Field, ...] = ()
    is_action: bool = False

    @property
    def word(self) -> str:
        """The command as typed."""
        return self.name.replace("_", "-")


SHARED_FLAGS = (
    Field("session", "string", "Session to work in; by default the shell's own."),
    Field("tab", "string", "Tab to work in; by default the current one."),
    Field("max_tokens", "integer", "Token limit for the answer."),
    Field("json", "boolean", "Print the whole answer as JSON.", default=False),
    Field("output", "string", "Write the whole answer, or the file it produced, to this file.", is_path=True),
    Field("cdp", "string", "Work in the browser at this debugging port or address."),
    Field("headed", "boolean", "Show the browser window, if this command starts the hub.", default=False),
    Field("executable_path", "string", "Browser to run, if this command starts the hub.", is_path=True),
    Field("debug", "boolean", "Print each call and its time on standard error.", default=False),
)
_JSON = Field("json", "boolean", "Print it as JSON.", default=False)
_DIALECT = Field(
    "dialect", "string", f"Tools to offer: {', '.join(DIALECTS)}; or several, such as browser,plain."
)
# Headings of the program's own commands, in the order of the help.
_AGENTS, _RUN, _KEEP, _HELP = "Connect an agent", "Run and check", "Tokens, secrets, profiles", "Help"
# Help and completion leave out fields without help: they are internal.
OWN = (
    Command(
        "mcp",
        "Serve an MCP client on standard input and output.",
        _AGENTS,
        (
            Field(
                "embedded",
                "boolean",
                "Run everything in this process instead of using the hub.",
                default=False,
            ),
            _DIALECT,
            Field(
                "tool_names",
                "string",
                "How names are listed: browser_click or browser.click.",
                choices=("plain", "dotted"),
            ),
            Field(
                "manage",
                "boolean",
                "Let the client change profiles and install browsers without asking a person.",
                default=False,
            ),
        ),
    ),
    Command(
        "config",
        "Add Tabwright to an MCP client, or print what to add; without a client, find those installed here.",
        _AGENTS,
        (
            Field("client", "string", "Which client.", positional=True, choices=tuple(CLIENTS)),
            Field("write", "boolean", "Write it to the client's file, after a backup.", default=False),
            Field(
                "scope",
                "string",
                "For all your projects (the default, if the client has both), or for this folder.",
                choices=("user", "project"),
            ),
            _DIALECT,
            Field("http", "boolean", "Connect over HTTP, with a new token, to a running hub.", default=False),
            Field(
                "token_file",
                "string",
                "With --http: file with the token to use; - for standard input.",
                is_path=True,
            ),
        ),
    ),
    Command("serve", "Run the hub in this terminal, and print its addresses.", _RUN),
    Command(
        "hub",
        "Show the state of the hub, or stop it.",
        _RUN,
        (
            Field(
                "order",
                "string",
                "What to do; by default status.",
                positional=True,
                choices=("status", "stop"),
            ),
            _JSON,
            Field("ready_fd", "integer", ""),
        ),
    ),
    Command(
        "doctor",
        "Check the browser, hub, file permissions, port and disk, and say how to fix problems.",
        _RUN,
        (_JSON,),
    ),
    Command(
        "token",
        "Create, list, revoke and rotate the tokens that programs use over HTTP.",
        _KEEP,
        (
            Field(
                "order",
                "string",
                "What to do.",
                positional=True,
                required=True,
                choices=("create", "list", "revoke", "rotate"),
            ),
            Field(
                "which",
                "string",
                "Name of a new token; id or name of the one to revoke or rotate.",
                positional=True,
            ),
            Field(
                "scope",
                "string",
                "What it allows; by default read and act.",
                many=True,
                choices=("read", "act", "evaluate", "admin", "manage"),
            ),
            Field("expires", "number", "Days until it expires; by default never."),
            Field("folder", "string", "Folder that its user may read and write files in.", is_path=True),
            _JSON,
        ),
    ),
    Command(
        "secret",
        "Store, list and remove the secrets that agents type by name, as {{secret:NAME}}.",
        _KEEP,
        (
            Field(
                "order",
                "string",
                "What to do; a value is read from standard input.",
                positional=True,
                required=True,
                choices=("set", "list", "remove"),
            ),
            Field("name", "string", "Its name, such as github or github.password.", positional=True),
            Field("origin", "string", "The only site where it may be typed, such as https://github.com."),
            Field("keyring", "boolean", "Store the value in the system keyring.", default=False),
            _JSON,
        ),
    ),
    Command(
        "extension",
        "Let agents work in your own Chrome: show the extension's folder, pair and unpair Chromes.",
        _AGENTS,
        (
            Field(
                "order",
                "string",
                "What to do; by default show the state and the next step.",
                positional=True,
                choices=("pair", "list", "unpair"),
            ),
            Field("name", "string", "Name of the Chrome.", positional=True),
            Field("link", "boolean", "Only print the pairing link, without opening it.", default=False),
            Field("id", "string", "With pair: the id of an extension that other people wrote."),
            _JSON,
        ),
    ),
    Command(
        "record",
        "Record actions of a session as a tool of a site, until `tabwright record stop`.",
        _KEEP,
        (
            Field("name", "string", "Name of the new tool, or stop.", positional=True, required=True),
            Field("site", "string", "Its host, such as shop.example.com or *.example.com."),
            Field("describe", "string", "Description for those who use it."),
            Field("replace", "boolean", "Replace a recipe of the same name.", default=False),
            Field("discard", "boolean", "With stop: discard the recording.", default=False),
            Field("session", "string", "Session to record; by default the shell's own."),
            _JSON,
        ),
    ),
    Command(
        "profile",
        "Export a profile (settings, cookies, storage) to an encrypted file, or import it.",
        _KEEP,
        (
            Field(
                "order",
                "string",
                "What to do.",
                positional=True,
                required=True,
                choices=("export", "import"),
            ),
            Field("file", "string", "File to write or read.", positional=True, required=True, is_path=True),
            Field("profile", "string", "Id of the profile to export, or of the imported one."),
            Field(
                "passphrase_file",
                "string",
                "File whose first line is the passphrase; by default it is asked for.",
                is_path=True,
            ),
            _JSON,
        ),
    ),
    Command(
        "demo",
        "Show what an agent sees and does on a small demo site, and save pictures and a transcript.",
        _RUN,
        (
            Field(
                "folder",
                "string",
                "Folder for the saved files; by default tabwright-demo here.",
                is_path=True,
            ),
            Field("pace", "number", "Seconds before each call; by default 1 on a terminal, else 0."),
        ),
    ),
    Command(
        "completion",
        "Print the completion script for a shell.",
        _HELP,
        (
            Field(
                "shell",
                "string",
                "Your shell.",
                positional=True,
                required=True,
                choices=("bash", "zsh", "fish"),
            ),
        ),
    ),
    Command(
        "skill",
        "Print a short guide for coding agents, or install it where they read it.",
        _AGENTS,
        (
            Field("install", "boolean", "Install it.", default=False),
            Field(
                "where",
                "string",
                "claude, cursor, agents (AGENTS.md) or a file; by default the agents used in this folder.",
                positional=True,
                is_path=True,
            ),
        ),
    ),
    Command("version", "Print the version.", _HELP),
    Command(
        "help",
        "List the commands, or describe one.",
        _HELP,
        (Field("command", "string", "Command to describe.", positional=True, many=True),),
    ),
)


def find_own(word: str) -> Command | None:
    """Return the program's own command with that name."""
    return next((command for command in OWN if command.name == word), None)


def find_action(word: str) -> Command | None:
    """Return the command of the action with that name, without building the others."""
    name = word.replace("-", "_")
    return next((command_of(known) for known in _read_actions() if known["name"] == name), None)


def list_actions() -> list[Command]:
    """Return the commands of all actions."""
    return [command_of(known) for known in _read_actions()]


def _read_actions() -> list[dict[str, Any]]:
    known: list[dict[str, Any]] = json.loads(_FILE.read_bytes())
    return known


def command_of(known: dict[str, Any]) -> Command:
    """Build the command of an action from its entry in `commands.json`."""
    schema = known["schema"]
    fields = [
        field_of(name, shape, required=name in schema.get("required", ()))._replace(
            is_path=(known["name"], name) in _PATHS
        )
        for name, shape in schema["properties"].items()
    ]
    shared = (
        SHARED_FLAGS
        if known["scope"] == "tab"
        else tuple(field for field in SHARED_FLAGS if field.name != "tab")
    )
    # Required fields are positional, in their order; lists come last, because they take all that is left.
    ordered = sorted(fields, key=lambda field: field.many if field.required else 2)
    return Command(known["name"], known["summary"], known["category"], (*ordered, *shared), is_action=True)


def field_of(name: str, shape: dict[str, Any], *, required: bool) -> Field:
    """Build a field from its JSON Schema."""
    many = shape.get("type") == "array"
    item = shape.get("items", {}) if many else shape
    kind = item.get("type")
    return Field(
        name=name,
        kind=kind if kind in _SCALARS else "json",
        help=shape.get("description", ""),
        positional=required,
        required=required,
        many=many,
        choices=tuple(str(choice) for choice in item.get("enum", ())),
        default=shape.get("default"),
    )
