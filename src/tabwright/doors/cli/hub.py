"""`tabwright hub` and `tabwright serve`: show the hub's state, stop it, or run it in this terminal."""

import fcntl
import json
import os
from pathlib import Path
from typing import Any

from tabwright import __version__
from tabwright.doors.client_config.launch import program
from tabwright.doors.client_config.steps import setup_steps
from tabwright.doors.terminal import Terminal
from tabwright.doors.wire.handshake import Hello, Welcome
from tabwright.doors.wire.hub_client import HubRefused, ask
from tabwright.home import Home, settle
from tabwright.text import format_count

_NOT_RUNNING = 3


def status(terminal: Terminal, *, as_json: bool) -> int:
    """Print whether a hub runs, and where its socket and log are."""
    home = Home.find()
    log = str(home.log) if home.log.exists() else None
    try:
        hub = ask(home, Hello("status", __version__))
    except HubRefused as error:
        terminal.fail("tabwright hub", str(error))
        return 1
    if as_json:
        state = {"version": hub.version, "pid": hub.pid, "clients": hub.clients} if hub else {}
        places = {"socket": str(home.socket), "log": log}
        terminal.say(json.dumps({"running": hub is not None, **state, **places}))
    elif hub is None:
        terminal.say("No hub is running. The next command starts one.")
    else:
        terminal.say(f"{describe(hub)}\nSocket  {home.socket}" + (f"\nLog     {log}" if log else ""))
    return 0 if hub else _NOT_RUNNING


def stop(terminal: Terminal, *, as_json: bool) -> int:
    """Stop the hub, its sessions and its browser, and wait until they have exited."""
    try:
        hub = ask(Home.find(), Hello("stop", __version__))
    except HubRefused as error:
        terminal.fail("tabwright hub", str(error))
        return 1
    if as_json:
        terminal.say(json.dumps({"stopped": hub is not None}))
    else:
        terminal.say(f"The hub (process {hub.pid}) has stopped." if hub else "No hub is running.")
    return 0


def set_browser_options(flags: dict[str, Any], terminal: Terminal) -> None:
    """Set how the hub that this command starts runs its browser; a running hub keeps its own."""
    chosen = {"headless": "false"} if flags["headed"] else {}
    if path := flags["executable_path"]:
        chosen["browser"] = str(Path(path).absolute())
    if not chosen:
        return
    if ask(Home.find(), Hello("status", __version__)) is None:
        settle(chosen)
    else:
        terminal.note("The hub is already running and keeps its browser. To change that: tabwright hub stop")


def describe(hub: Welcome) -> str:
    """Describe the state of a hub in a sentence."""
    clients = format_count(hub.clients, "client")
    return f"The hub is running: version {hub.version}, process {hub.pid}, {clients}."


def http_address(home: Home, hub: Welcome) -> str:
    """Return the HTTP address of a hub; "" if it has none."""
    try:
        found = json.loads(home.http.read_bytes())
    except (OSError, ValueError):
        return ""
    return str(found.get("url", "")) if isinstance(found, dict) and found.get("pid") == hub.pid else ""


def lock_hub(terminal: Terminal) -> int | None:
    """Take the lock that lets this process become the hub; None when a hub runs already.

    Returns:
        The descriptor of the lock; closing it tells waiting clients that the hub listens.
    """
    home = Home.find()
    home.prepare()
    lock = os.open(home.lock, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        hub = ask(home, Hello("status", __version__))
    except HubRefused as error:
        terminal.fail("tabwright serve", str(error))
    else:
        if hub is None:
            return lock
        address = http_address(home, hub)
        dashboard = f"Its dashboard: {address}/\n" if address else ""
        stop = "To run one here, stop it first: tabwright hub stop"
        terminal.fail("tabwright serve", describe(hub), dashboard + stop)
    os.close(lock)
    return None


def greeting() -> str:
    """Return what to print once the hub listens: its addresses, and how to use it."""
    home, us = Home.find(), program()
    lines = {
        "See it work": f"{us} demo",
        **setup_steps(),
        "Shell": f"{us} navigate https://example.com/",
        "Socket": str(home.socket),
    }
    if home.http.exists():
        address = json.loads(home.http.read_bytes())["url"]
        lines = {"Dashboard": f"{address}/", **lines, "HTTP": f"{address}/api/ and {address}/mcp"}
    rows = [f"  {title:16}{line}" for title, line in lines.items()]
    return "\n".join([f"Tabwright {__version__}: the hub runs in this terminal until Ctrl-C.", "", *rows, ""])
