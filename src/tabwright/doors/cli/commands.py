"""The commands and their fields: those of the catalogue, as `make gen` wrote them, and the program's own."""

import json
from pathlib import Path
from typing import Any, NamedTuple

_FILE = Path(__file__).with_name("commands.json")
_SCALARS = ("string", "integer", "number", "boolean")


class Field(NamedTuple):
    """One argument of a command. A kind of "json" is JSON where it parses, and a text otherwise."""

    name: str
    kind: str
    help: str
    positional: bool = False
    required: bool = False
    many: bool = False
    choices: tuple[str, ...] = ()
    default: Any = None
    short: str = ""
    into: str = ""

    @property
    def means(self) -> str:
        """The argument that it becomes: of its own name, unless another is told."""
        return self.into or self.name

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


BESIDE = (
    Field("session", "string", "Session to work in; the shell's own when not given."),
    Field("tab", "string", "Tab to work in; the current one when not given."),
    Field("max_tokens", "integer", "Most tokens of the answer."),
    Field("json", "boolean", "Print the whole answer as JSON.", default=False),
    Field("output", "string", "Write the whole text, or the file that was made, to this file."),
    Field("cdp", "string", "Work in the browser at this debugging port or address."),
    Field("headed", "boolean", "Have a window, where this starts the hub.", default=False),
    Field("executable_path", "string", "Browser to run, where this starts the hub."),
    Field("debug", "boolean", "Tell on standard error what is asked and how long it took.", default=False),
)
_JSON = Field("json", "boolean", "Print it as JSON.", default=False)
_OWN = "this program"
# A field without help is for the program itself: help and completion leave it out.
OWN = (
    Command(
        "mcp",
        "Serve an MCP client on standard input and output.",
        _OWN,
        (
            Field(
                "embedded", "boolean", "Run all in this process instead of joining the hub.", default=False
            ),
            Field("dialect", "string", "Tools to offer: browser, plain, or several such as browser,plain."),
            Field(
                "tool_names",
                "string",
                "How names are listed: browser_click or browser.click.",
                choices=("plain", "dotted"),
            ),
        ),
    ),
    Command(
        "config",
        "Print what an MCP client is to be told of Tabwright, or write it into the client's file.",
        _OWN,
        (
            Field(
                "client",
                "string",
                "Which client.",
                positional=True,
                required=True,
                choices=("claude-desktop", "claude-code", "cursor", "vscode", "cline"),
            ),
            Field(
                "dialect", "string", "Tools to offer it, such as browsion; the default ones when not given."
            ),
            Field("write", "boolean", "Add it to the client's file; a copy is kept.", default=False),
        ),
    ),
    Command("serve", "Run the hub in this terminal, and say what runs where.", _OWN),
    Command(
        "hub",
        "Tell the state of the hub, or end it.",
        _OWN,
        (
            Field(
                "order",
                "string",
                "What to do; status by itself.",
                positional=True,
                choices=("status", "stop"),
            ),
            _JSON,
            Field("ready_fd", "integer", ""),
        ),
    ),
    Command("doctor", "Check browser, hub, rights, ports and disk, each with the fix.", _OWN, (_JSON,)),
    Command(
        "token",
        "Make, list, revoke and rotate the tokens that let programs in over HTTP.",
        _OWN,
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
                "What it allows; read and act when not given.",
                many=True,
                choices=("read", "act", "evaluate", "admin"),
            ),
            Field("expires", "number", "Days after which it ends; never when not given."),
            Field("folder", "string", "Folder that files of its holder stay in."),
            _JSON,
        ),
    ),
    Command(
        "secret",
        "Keep, list and forget the secrets that agents type by name, as {{secret:NAME}}.",
        _OWN,
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
            Field(
                "origin", "string", "Site that it is for, such as https://github.com: it is typed there only."
            ),
            Field("keyring", "boolean", "Keep the value in the keyring of the system.", default=False),
            _JSON,
        ),
    ),
    Command(
        "extension",
        "Let agents work in your own Chrome: where its extension is, and which Chromes are paired.",
        _OWN,
        (
            Field(
                "order",
                "string",
                "What to do; without one, how it stands and what to do next.",
                positional=True,
                choices=("pair", "list", "unpair"),
            ),
            Field("name", "string", "What the Chrome is to be called, or is.", positional=True),
            Field("link", "boolean", "Only print the link that pairs; open nothing.", default=False),
            _JSON,
        ),
    ),
    Command(
        "record",
        "Record what is done in a session as a tool of a site, until `tabwright record stop`.",
        _OWN,
        (
            Field("name", "string", "Name of the tool to be, or stop.", positional=True, required=True),
            Field("site", "string", "Host that it is for, such as shop.example.com or *.example.com."),
            Field("describe", "string", "What it does, for whoever is to use it."),
            Field("replace", "boolean", "Take the place of a recipe of that name.", default=False),
            Field("discard", "boolean", "With stop: keep nothing of it.", default=False),
            Field("session", "string", "Session to record; the shell's own when not given."),
            _JSON,
        ),
    ),
    Command(
        "profile",
        "Move a profile: its settings, cookies and storage to a file, or from one; secrets are encrypted.",
        _OWN,
        (
            Field(
                "order",
                "string",
                "What to do.",
                positional=True,
                required=True,
                choices=("export", "import"),
            ),
            Field("file", "string", "File to write, or to read.", positional=True, required=True),
            Field("profile", "string", "Id of the profile to export; id that an imported one gets."),
            Field(
                "passphrase_file", "string", "File whose first line is the passphrase; else it is asked for."
            ),
            _JSON,
        ),
    ),
    Command(
        "demo",
        "Show what an agent sees and does, on a small site of our own, and keep pictures and a transcript.",
        _OWN,
        (
            Field("folder", "string", "Folder for what is kept; tabwright-demo here when not given."),
            Field("pace", "number", "Seconds before each call; 1 on a terminal, else none."),
        ),
    ),
    Command(
        "completion",
        "Print the completion script of a shell.",
        _OWN,
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
        "Print a short guide for coding agents, or put it where they look for it.",
        _OWN,
        (
            Field("install", "boolean", "Put it there.", default=False),
            Field(
                "where",
                "string",
                "claude, cursor, agents (AGENTS.md) or a file; by itself, whom this folder shows signs of.",
                positional=True,
            ),
        ),
    ),
    Command("version", "Print the version.", _OWN),
    Command(
        "help",
        "Tell what there is, or about one command.",
        _OWN,
        (Field("command", "string", "Command to tell about.", positional=True, many=True),),
    ),
)


def own(word: str) -> Command | None:
    """Return the program's own command of that name."""
    return next((command for command in OWN if command.name == word), None)


def action(word: str) -> Command | None:
    """Return the command of the catalogue of that name; the others are not made, which takes time."""
    name = word.replace("-", "_")
    return next((command_of(known) for known in _known() if known["name"] == name), None)


def actions() -> list[Command]:
    """Return all commands of the catalogue."""
    return [command_of(known) for known in _known()]


def _known() -> list[dict[str, Any]]:
    known: list[dict[str, Any]] = json.loads(_FILE.read_bytes())
    return known


def command_of(known: dict[str, Any]) -> Command:
    """Make the command of an action out of what `make gen` knows of it."""
    schema = known["schema"]
    fields = [
        field_of(name, shape, required=name in schema.get("required", ()))
        for name, shape in schema["properties"].items()
    ]
    beside = BESIDE if known["scope"] == "tab" else tuple(field for field in BESIDE if field.name != "tab")
    # Required fields are positional in their order, lists last: they take all that is left.
    ordered = sorted(fields, key=lambda field: field.many if field.required else 2)
    return Command(known["name"], known["summary"], known["category"], (*ordered, *beside), is_action=True)


def field_of(name: str, shape: dict[str, Any], *, required: bool) -> Field:
    """Read a field off its JSON Schema."""
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
