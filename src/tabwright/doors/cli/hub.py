"""The hub from the shell: its state, its end, and running it in this terminal."""

import fcntl
import json
import os
from pathlib import Path
from typing import Any

from tabwright import __version__
from tabwright.doors.client_config import program, setup_steps
from tabwright.doors.terminal import Terminal
from tabwright.doors.wire.handshake import Hello, Welcome
from tabwright.doors.wire.hub_client import HubRefused, ask
from tabwright.home import Home, settle
from tabwright.text import format_count

_NONE_RUNS = 3


def status(terminal: Terminal, *, as_json: bool) -> int:
    """Tell whether a hub runs, and where its things are."""
    home = Home.find()
    log = str(home.log) if home.log.exists() else None
    try:
        hub = ask(home, Hello("status", __version__))
    except HubRefused as error:
        terminal.fail("tabwright hub", str(error))
        return 1
    if as_json:
        told = {"version": hub.version, "pid": hub.pid, "clients": hub.clients} if hub else {}
        places = {"socket": str(home.socket), "log": log}
        terminal.say(json.dumps({"running": hub is not None, **told, **places}))
    elif hub is None:
        terminal.say("No hub runs. The next command starts one.")
    else:
        terminal.say(f"{described(hub)}\nSocket  {home.socket}" + (f"\nLog     {log}" if log else ""))
    return 0 if hub else _NONE_RUNS


def stop(terminal: Terminal, *, as_json: bool) -> int:
    """End the hub, its sessions and its browser; return when they are gone."""
    try:
        hub = ask(Home.find(), Hello("stop", __version__))
    except HubRefused as error:
        terminal.fail("tabwright hub", str(error))
        return 1
    if as_json:
        terminal.say(json.dumps({"stopped": hub is not None}))
    else:
        terminal.say(f"The hub (process {hub.pid}) has ended." if hub else "No hub runs.")
    return 0


def wish(wishes: dict[str, Any], terminal: Terminal) -> None:
    """Have the hub that a command starts run its browser so; say that one that runs keeps to its own."""
    chosen = {"headless": "false"} if wishes["headed"] else {}
    if path := wishes["executable_path"]:
        chosen["browser"] = str(Path(path).absolute())
    if not chosen:
        return
    if ask(Home.find(), Hello("status", __version__)) is None:
        settle(chosen)
    else:
        terminal.note("The hub runs already, and its browser as it is. To change that: tabwright hub stop")


def described(hub: Welcome) -> str:
    """Return a hub's state in a sentence."""
    clients = format_count(hub.clients, "client")
    return f"The hub runs: version {hub.version}, process {hub.pid}, {clients}."


def http_of(home: Home, hub: Welcome) -> str:
    """Return the address of a hub's HTTP door; "" where it has none."""
    try:
        told = json.loads(home.http.read_bytes())
    except (OSError, ValueError):
        return ""
    return str(told.get("url", "")) if isinstance(told, dict) and told.get("pid") == hub.pid else ""


def take_place(terminal: Terminal) -> int | None:
    """Take the place of the one hub for this process; None when one runs already.

    Returns:
        A descriptor that holds the starters' lock; closing it tells them that we listen.
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
        address = http_of(home, hub)
        dashboard = f"Its dashboard: {address}/\n" if address else ""
        stop = "To run one here, end it: tabwright hub stop"
        terminal.fail("tabwright serve", described(hub), dashboard + stop)
    os.close(lock)
    return None


def greeting() -> str:
    """Return what somebody who runs a hub here may do with it; the hub listens already."""
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
    told = [f"  {title:16}{line}" for title, line in lines.items()]
    return "\n".join([f"Tabwright {__version__}: the hub runs in this terminal until Ctrl-C.", "", *told, ""])
