"""How the verbs compare with agent-browser's: the same, different, or not there and what to use instead."""

import re

from tabwright.doors.cli.help import brief
from tabwright.doors.cli.verb import Verb
from tabwright.doors.cli.verbs import VERBS, command_of

_HEAD = """# The verbs of agent-browser

`tabwright` answers the verbs and flags of agent-browser 0.41, so that its scripts and habits work here.
Answers are Tabwright's own: acts tell what changed, `--json` is the answer of every door, and exit codes tell
what went wrong: 2 wrong words, 3 not found, 4 stale, 5 blocked, 6 denied, 7 timed out, 8 the page failed, 9
no browser, 10 a fault of ours. A verb takes every flag of its action in [TOOLS.md](TOOLS.md).
Written by `make gen`; do not edit.

| Verb | Action | Compared with agent-browser |
|---|---|---|
"""
_FLAGS = """
## Flags of all verbs

They may stand before the verb or behind it.

| Flag | Compared with agent-browser |
|---|---|
| `--json` | Our answer: `ok`, `text`, `result`, `effects`, `session`, `tab`, `files`; or `ok` and `error`. |
| `--session NAME` | The same; `AGENT_BROWSER_SESSION` is used where it is not given. |
| `--headers JSON` | With `open`: the same, for requests to the origin of the address. |
| `--cdp PORT` | The same, for browsers of this computer. The session stays in that browser. |
| `--headed` | Counts where the command starts the hub; one that runs keeps its browser, and that is said. |
| `--executable-path PATH` | As `--headed`. |
| `--debug` | A line on standard error for each call: action, session, outcome, time. |
| `--timeout` | Seconds, where an action waits; milliseconds in `wait`, as there. |

## Not there

| Verb | Instead |
|---|---|
"""
INSTEAD = {
    "read URL": "`open`, then `read`: the page as Markdown.",
    "get cdp-url": "The browser speaks through a pipe that only we hold.",
    "dialog status": "Any call to the page says that a dialog is open.",
    "click --new-tab": "`click --modifiers Control --expect-tab`, then `tab t2`.",
    "wait --download": "`download`, or `list-downloads` and `wait-for-download`.",
    "diff snapshot": "Acts tell what changed.",
    "diff screenshot, diff url": "",
    "session id, session info": "`hub`, `list-sessions`.",
    "state list, show, rename, clear, clean": "A state is a file of yours; named sessions are kept anyway.",
    "profiler": "`trace` has the profile of scripts.",
    "record": "Here it records tools of a site, no video.",
    "highlight, inspect": "`screenshot --annotate`.",
    "clipboard": "`press Control+c`, `press Control+v`.",
    "stream, dashboard": "`tabwright serve` tells where people can watch.",
    "webmcp": "`list-page-tools`, `call-page-tool`.",
    "auth": "`secret set`, then type {{secret:NAME}}.",
    "confirm, deny": "Tokens and scopes decide what a caller may do.",
    "profiles, --profile": "`create-profile`, `list-profiles`; its id is the name of a session.",
    "skills": "`skill`.",
    "install, upgrade": "`install-browser`; pip.",
    "react, vitals, a11y, pushstate, removeinitscript, plugin, chat": "",
    "-p ios, --device (iOS), --engine": "Chrome, Chromium, Edge and Brave only.",
}


def instead_of(word: str) -> str:
    """Return what to use instead of a verb that is not there; "" where nothing stands for it."""
    return next((instead for words, instead in INSTEAD.items() if word in re.split(r",? ", words)), "")


def document() -> str:
    """Return the whole page."""
    rows = [_row(verb) for verb in VERBS.values()]
    missing = [f"| `{words}` | {instead or 'Nothing.'} |" for words, instead in INSTEAD.items()]
    return _HEAD + "\n".join(rows) + "\n" + _FLAGS + "\n".join(missing) + "\n"


def _row(verb: Verb) -> str:
    form = brief(command_of(verb)).removeprefix("tabwright ")
    action = f"`{verb.action}`" if verb.action else ""
    return f"| `{form}` | {action} | {verb.differs.replace('|', '/') or 'The same.'} |"
