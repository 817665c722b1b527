"""The commands of agent-browser that Tabwright does not have, and what to use instead."""

import re

# Commands to a text; "" where nothing replaces them.
REPLACEMENTS = {
    "read URL": "`open`, then `read`: the page as Markdown.",
    "get cdp-url": "Not available: the browser's debugging pipe is private to the hub.",
    "dialog status": "Every call reports an open dialog.",
    "click --new-tab": "`click --modifiers Control --expect-tab`, then `tab t2`.",
    "wait --download": "`download`, or `list-downloads` and `wait-for-download`.",
    "diff snapshot": "Actions report what changed.",
    "diff screenshot, diff url": "",
    "session id, session info": "`hub`, `list-sessions`.",
    "state list, show, rename, clear, clean": "A state is a file of yours; named sessions are saved anyway.",
    "profiler": "`trace` includes the script profile.",
    "record": "Here `record` records tools of a site, not a video.",
    "highlight, inspect": "`screenshot --annotate`.",
    "clipboard": "`press Control+c`, `press Control+v`, `read-clipboard`, `write-clipboard`.",
    "stream, dashboard": "`tabwright serve` prints the address of the dashboard.",
    "webmcp": "`list-page-tools`, `call-page-tool`.",
    "auth": "`secret set`, then type {{secret:NAME}}.",
    "confirm, deny": "Tokens and scopes decide what a caller may do.",
    "profiles, --profile": "`create-profile`, `list-profiles`; its id is the name of a session.",
    "skills": "`skill`.",
    "install, upgrade": "`install-browser`; pip.",
    "react, vitals, a11y, pushstate, removeinitscript, plugin, chat": "",
    "-p ios, --device (iOS), --engine": "Chrome, Chromium, Edge and Brave only.",
}


def replacement_for(word: str) -> str:
    """Return what to use instead of a command; "" where nothing replaces it."""
    return next((text for words, text in REPLACEMENTS.items() if word in re.split(r",? ", words)), "")
