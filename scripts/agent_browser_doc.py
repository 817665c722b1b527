"""The part of docs/AGENT_BROWSER.md about verbs: the same as agent-browser's, different, or missing."""

from tabwright.dialects.alias import Alias
from tabwright.doors.cli.help import brief
from tabwright.doors.cli.replacements import REPLACEMENTS
from tabwright.doors.cli.verbs import VERBS, command_of

_HEAD = """# The verbs of agent-browser

`tabwright` has the verbs and flags of agent-browser 0.41, so that its scripts and habits work here.
Answers are Tabwright's own: actions report what changed, `--json` prints the same answer as REST, and exit
codes distinguish errors: 2 wrong usage, 3 not found, 4 stale, 5 blocked, 6 denied, 7 timed out, 8 the page
failed, 9 no browser, 10 internal error. A verb takes every flag of its action in [TOOLS.md](TOOLS.md).
Written by `make gen`; do not edit.

| Verb | Action | Compared with agent-browser |
|---|---|---|
"""
_FLAGS = """
## Flags of all verbs

They may come before or after the verb.

| Flag | Compared with agent-browser |
|---|---|
| `--json` | Our answer: `ok`, `text`, `result`, `effects`, `session`, `tab`, `files`; or `ok` and `error`. |
| `--session NAME` | The same; by default `AGENT_BROWSER_SESSION`. |
| `--headers JSON` | With `open`: the same, for requests to the origin of the address. |
| `--cdp PORT` | The same, for browsers on this computer. The session stays in that browser. |
| `--headed` | Takes effect if the command starts the hub. A running hub keeps its browser, and says so. |
| `--executable-path PATH` | As `--headed`. |
| `--debug` | Prints a line for each call on standard error: action, session, outcome, time. |
| `--timeout` | Seconds, for actions that wait; milliseconds for `wait`, as in agent-browser. |

## Missing

| Verb | Instead |
|---|---|
"""


def document() -> str:
    """Return the document."""
    rows = [_row(verb) for verb in VERBS.values()]
    missing = [f"| `{words}` | {text or 'Nothing.'} |" for words, text in REPLACEMENTS.items()]
    return _HEAD + "\n".join(rows) + "\n" + _FLAGS + "\n".join(missing) + "\n"


def _row(verb: Alias) -> str:
    form = brief(command_of(verb)).removeprefix("tabwright ")
    action = f"`{verb.action}`" if verb.action else ""
    return f"| `{form}` | {action} | {verb.differs.replace('|', '/') or 'The same.'} |"
