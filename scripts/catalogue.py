"""Writes the files generated from the catalogue and the settings: shell commands, docs, schema snapshots."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from bench.results import files as results
from scripts import agent_browser_doc, clients_doc, python_api, release
from tabwright.action import Action
from tabwright.actions import CATALOG
from tabwright.browser.tab import Tab
from tabwright.browser.user_chrome.limits import LIMITS
from tabwright.dialects.agent_browser.dialect import AgentBrowser
from tabwright.dialects.agent_browser.tools import SHARED
from tabwright.dialects.browser import Browser
from tabwright.dialects.browsion.dialect import Browsion
from tabwright.dialects.dialect import Dialect
from tabwright.dialects.tabs.client_view import ClientView
from tabwright.dialects.tabs.dialect import Tabs
from tabwright.doors.cli import commands as table
from tabwright.doors.cli.help import usage
from tabwright.doors.mcp.results import describe_tool
from tabwright.schema import schema_of
from tabwright.settings import Settings

ROOT = Path(__file__).parents[1]
COMMANDS = ROOT / "src" / "tabwright" / "doors" / "cli" / "commands.json"
SNAPSHOTS = ROOT / "tests" / "conformance" / "tools"
_MCP = """# Tools for MCP clients

The tools that `tabwright mcp` lists. With `--dialect plain` it lists every action of [TOOLS.md](TOOLS.md);
the dialects `browsion`, `tabs` and `agent_browser` are in [BROWSION.md](BROWSION.md), [TABS.md](TABS.md) and
[AGENT_BROWSER.md](AGENT_BROWSER.md#tools-over-mcp). Names may also be written `browser.click`.
Written by `make gen`; do not edit.

Arguments are taken as models write them:

- `null` and `""` count as not given where an argument is optional, unless its text may be empty.
- An element may be called `selector`, `target` or `ref`, and names may be written `fullPage` or `full_page`.
- A selector is a ref (`@e7`), CSS, `text=…`, `role=button[name="…"]`, `label=…`, `xpath=…`; also CSS with
  `:has-text("…")`, `:text-is("…")` or `:visible`, and locators such as `getByLabel("Name")`.
- Lists and objects may be JSON text. A bare host name is an address: `example.com`, `localhost:3000`.
- Durations are milliseconds, also in `browser_more`, whose `find` lists them as `ms`.

Wrong arguments are a result with `isError` and the code -32602, so that a model can correct its call; an
unknown tool is a protocol error (-32001). Arguments that contradict each other are refused. Hints that equal
the defaults of MCP are left out of the list.
"""
_BROWSION = """# Tools of the dialect browsion

The tools that `tabwright mcp --dialect browsion` lists. Each works in the browser of a profile (`profile_id`)
or in the client's own session, and calls an action of [TOOLS.md](TOOLS.md). The same calls are HTTP routes
under `/api/profiles` and `/api/browser/{id}/`: see `/api/openapi.json`. An id that names no profile is an
error; `default` is the caller's own session.

To move from Browsion, copy its `config.toml` to `tabwright.toml`: profiles and `api_port` are read,
`[settings]` is ignored. `BROWSION_API_PORT` and `BROWSION_API_KEY` work. With `Accept:
application/vnd.browsion+json`, or the setting `browsion_answers`, the routes answer as Browsion does: lists,
`{"url", "title"}` and pictures in base64 alone, and errors as text. `cdp_port` is null, because no port is
open. `GET cookies/export` and `POST cookies/import` (JSON, or the text of a cookies.txt) move cookies; import
takes 50 at a time. Routes that Tabwright does not have (snapshots of profiles, the action log, `/api/ws`,
settings) answer 404 and name what to use instead. Written by `make gen`; do not edit.
"""
_TABS = """# Tools of the dialect tabs

The tools that `tabwright mcp --dialect tabs` lists change with the browser, and clients are notified:

| State | Tools |
|---|---|
| no browser | `connect_browser` |
| a browser without tabs | `list_tabs`, `open_tab` |
| tabs, none focused | `list_tabs`, `open_tab`, `focus_tab` |
| a focused tab | `list_tabs`, `open_tab`, `focus_tab`, `close_tab`, and the tools of its page |

`connect_browser` connects to the user's own Chrome, through the [extension](EXTENSION.md) or a debugging port
(setting `attach`); with `launch` it starts a browser if it finds none. The tabs are those that the user
shared and those that were opened here. What the user does in them has the same effect as what the agent does.

In MCP 2026-07-28 a list may not change, so all tools are listed, with `list_page_tools` and
`call_page_tool` for the tools of the page. Written by `make gen`; do not edit.
"""
_AGENT_BROWSER = """
## Tools over MCP

`tabwright mcp --dialect agent_browser` offers the commands as tools. Each runs a program in the folder that
the client was started in: the one that `AGENT_BROWSER_BIN` names, else `agent-browser` where it is
installed, else (or with `AGENT_BROWSER_BIN=tabwright`) Tabwright's own command line. No shell is involved. A
program that takes too long is killed with its child processes. Calls in one session run one after the other.
Choosing this dialect in the client's configuration is your permission to run that program for its tools, and
for nothing else: changing profiles and installing browsers still need `--manage` or approval.

An answer has `ok`, `exitCode`, `signal`, `invoked`, `stdout`, `stderr`, `parsedJson`, `truncated`,
`savedOutputPath`, as structured content and as text; errors have the same form. JSON is returned whole (up to
1 MB) or left out, other text is cut at 25,000 characters; `truncated` reports both. `save_output_path` saves
all of it to a file in the client's folder.

Tabwright's settings (`security`, `files`) do not limit what agent-browser itself can reach, read and write:
it runs with the rights of the user. So only clients on this computer that chose these tools (`tabwright mcp`)
get them, never over HTTP or with a token. With Tabwright's own command line the settings apply, and files are
written in the client's folder.

"""
_EXTENSION = ROOT / "docs" / "EXTENSION.md"
_LIMITS_BEGIN, _LIMITS_END = "<!-- limits: written by make gen -->\n", "<!-- end of limits -->\n"
_LIMITS = """
Actions work there as in a browser that Tabwright launches, except for these. A refused action fails with
`Denied` and the message in the first column, and does nothing.

| Limit | Refused actions | Why, and what works instead |
|---|---|---|
"""
DIALECTS = ROOT / "tests" / "conformance" / "dialects"


def main() -> None:
    """Write every file that has changed, and delete the snapshots of removed actions."""
    _write({COMMANDS: commands()})  # the documents of commands are made from them
    wanted = files()
    _write(wanted)
    for path in obsolete_snapshots(wanted):
        path.unlink()
        print(f"Removed {path.relative_to(ROOT)}.")


def _write(wanted: dict[Path, str]) -> None:
    for path, text in wanted.items():
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"Wrote {path.relative_to(ROOT)}.")


def commands() -> str:
    """Return the command table of the shell."""
    lines = ",\n".join(json.dumps(shape(action), ensure_ascii=False) for action in CATALOG)
    return f"[\n{lines}\n]\n"


def files() -> dict[Path, str]:
    """Return the text of each generated file."""
    shapes = {action.name: shape(action) for action in CATALOG}
    snapshots = {
        SNAPSHOTS / f"{name}.json": json.dumps(known, indent=2, ensure_ascii=False) + "\n"
        for name, known in shapes.items()
    }
    return {
        COMMANDS: commands(),
        ROOT / "docs" / "TOOLS.md": tools(),
        ROOT / "docs" / "MCP.md": described_tools(Browser(CATALOG), _MCP),
        ROOT / "docs" / "BROWSION.md": described_tools(Browsion(CATALOG), _BROWSION),
        ROOT / "docs" / "TABS.md": described_tools(_dialects()[-1], _TABS),
        **{DIALECTS / f"{dialect.name}.json": _dump_tools(dialect) for dialect in _dialects()},
        ROOT / "docs" / "SETTINGS.md": settings(),
        ROOT / "docs" / "PYTHON.md": python_api.document(),
        _EXTENSION: extension(),
        ROOT / "docs" / "AGENT_BROWSER.md": agent_browser_doc.document() + agent_browser_tools(),
        ROOT / "docs" / "CLIENTS.md": clients_doc.document(),
        ROOT / "server.json": release.server_json(),
        ROOT / "src" / "tabwright" / "page_tools" / "reserved.txt": reserved(),
        **snapshots,
        **results.files(),
    }


def extension() -> str:
    """Return the guide to the extension, with the current table of its limits."""
    head, begin, rest = _EXTENSION.read_text().partition(_LIMITS_BEGIN)
    _, end, tail = rest.partition(_LIMITS_END)
    rows = (
        f"| {limit.fact} | {', '.join(f'`{name}`' for name in limit.actions)} | {limit.why} |\n"
        for limit in LIMITS
    )
    return head + begin + _LIMITS + "".join(rows) + end + tail


def reserved() -> str:
    """Return the names that page tools must not use: those of all actions and all dialects' tools."""
    names = {action.name for action in CATALOG}
    names |= {tool.name for dialect in _dialects() for tool in dialect.tools()}
    return "\n".join(sorted(names)) + "\n"


def _dialects() -> tuple[Dialect, ...]:
    """Return all dialects with their own tools; `tabs`, whose list changes, with every tool it can have."""
    return AgentBrowser(CATALOG), Browser(CATALOG), Browsion(CATALOG), Tabs(CATALOG, ClientView(fixed=True))


def obsolete_snapshots(wanted: dict[Path, str]) -> list[Path]:
    """Return the snapshots of actions that do not exist any more."""
    return [path for path in SNAPSHOTS.glob("*.json") if path not in wanted]


def shape(action: Action) -> dict[str, Any]:
    """Return the public description of an action."""
    return {
        "name": action.name,
        "summary": action.summary,
        "category": action.group,
        "effect": str(action.effect),
        "scope": "tab" if action.works_on is Tab else "session",
        "needs": action.scope,
        "idempotent": action.idempotent,
        "schema": schema_of(action.args),
    }


def tools() -> str:
    """Return docs/TOOLS.md."""
    lines = [
        "# Tools",
        "",
        "Every action, the same over MCP, REST and the shell. Written by `make gen`; do not edit.",
        "",
    ]
    for group in dict.fromkeys(action.group for action in CATALOG):
        lines += [f"## {group}", ""]
        for action in CATALOG:
            if action.group == group:
                lines += _tool(action)
    lines += ["## With every action", "", *_arguments(table.SHARED_FLAGS, "Shell flag", flags=True)]
    return "\n".join(lines).rstrip() + "\n"


def _tool(action: Action) -> list[str]:
    command = table.command_of(shape(action))
    known = tuple(field for field in command.fields if field not in table.SHARED_FLAGS)
    facts = [f"effect: {action.effect}", f"works on: {'a tab' if action.works_on is Tab else 'the session'}"]
    if action.scope in ("evaluate", "admin"):
        facts.append(f"token scope: {action.scope}")
    if action.idempotent:
        facts.append("safe to repeat")
    lines = [f"### {action.name}", "", action.summary, "", f"`{usage(command)}`", "", " · ".join(facts), ""]
    return [*lines, *(_arguments(known, "Argument", flags=False) if known else [])]


def _arguments(fields: tuple[table.Field, ...], title: str, *, flags: bool) -> list[str]:
    rows = [f"| {title} | Type | Default | Meaning |", "|---|---|---|---|"]
    for field in fields:
        default = "required" if field.required else _default(field.default)
        name = f"`{field.flag if flags else field.name}`"
        rows.append(f"| {name} | {_type(field)} | {default} | {_cell(field.help)} |")
    return [*rows, ""]


def _type(field: table.Field) -> str:
    kind = _cell(", ".join(f"`{choice}`" for choice in field.choices)) or field.kind
    return f"list of {kind}" if field.many else kind


def described_tools(dialect: Dialect, about: str) -> str:
    """Return the document of a dialect's tools."""
    lines = [about]
    for tool in dialect.tools():
        fields = [
            table.field_of(name, shape, required=name in tool.schema.get("required", ()))
            for name, shape in tool.schema["properties"].items()
        ]
        lines += [
            f"## {tool.name}",
            "",
            tool.description,
            "",
            *_arguments(tuple(fields), "Argument", flags=False),
        ]
    return "\n".join(lines).rstrip() + "\n"


def agent_browser_tools() -> str:
    """Return the part of docs/AGENT_BROWSER.md about its tools over MCP."""
    rows = [_AGENT_BROWSER + "| Tool | Does | Arguments |", "|---|---|---|"]
    shared = {param.name for param in SHARED}
    tools = AgentBrowser(CATALOG).tools()
    for tool in tools:
        needed = tool.schema.get("required", ())
        own = [name for name in tool.schema["properties"] if name not in shared or name in needed]
        listed = ", ".join(f"`{name}`" if name in needed else f"`{name}`?" for name in own)
        rows.append(f"| `{tool.name}` | {_cell(tool.description)} | {listed} |")
    fields = next(tool.schema["properties"] for tool in tools if tool.schema["properties"].keys() == shared)
    every = tuple(table.field_of(name, shape, required=False) for name, shape in fields.items())
    rows += ["", "With every tool:", "", *_arguments(every, "Argument", flags=False)]
    return "\n".join(rows).rstrip() + "\n"


def _dump_tools(dialect: Dialect) -> str:
    """Return the tools of a dialect as a client sees them."""
    tools = [
        describe_tool(tool).model_dump(mode="json", by_alias=True, exclude_none=True)
        for tool in dialect.tools()
    ]
    return json.dumps(tools, indent=2, ensure_ascii=False) + "\n"


def settings() -> str:
    """Return docs/SETTINGS.md."""
    lines = [
        "# Settings",
        "",
        "A flag wins over the environment, the environment over `tabwright.toml`, the file over the default.",
        "`TABWRIGHT_HOME` moves configuration, state, socket and log into one folder.",
        "The hub reads the settings when it starts; after a change, run `tabwright hub stop`.",
        "Unknown keys in the file are refused, and `tabwright doctor` reports them. The file also holds the",
        "`[[profiles]]` of [PROFILES.md](PROFILES.md).",
        "Written by `make gen`; do not edit.",
        "",
        "| In the file | In the environment | Default | Meaning |",
        "|---|---|---|---|",
    ]
    for path, field in _settings(Settings):
        default = _default(field.get_default(call_default_factory=True))
        variable = "TABWRIGHT_" + "__".join(path).upper()
        lines.append(f"| `{'.'.join(path)}` | `{variable}` | {default} | {_cell(field.description or '')} |")
    return "\n".join(lines) + "\n"


def _settings(model: type[BaseModel]) -> Iterator[tuple[tuple[str, ...], FieldInfo]]:
    """Yield every setting with the path of its key."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from (((name, *path), inner) for path, inner in _settings(kind))
        else:
            yield (name,), field


def _default(value: Any) -> str:
    if value in (None, (), [], ""):
        return ""
    return f"`{json.dumps(value, default=str)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    main()
