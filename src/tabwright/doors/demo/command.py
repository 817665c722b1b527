"""`tabwright demo`: a tour on a site of our own, driven through MCP before a person's eyes."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, MCPError, StdioServerParameters

from tabwright import __version__
from tabwright.doors.client_config import program, start_command
from tabwright.doors.demo.player import Player, TourFailed
from tabwright.doors.demo.site import serving
from tabwright.doors.demo.tour import tour
from tabwright.doors.demo.transcript import transcript
from tabwright.doors.terminal import Terminal
from tabwright.doors.wire.handshake import Hello
from tabwright.doors.wire.hub_client import HubRefused, ask
from tabwright.home import Home, has_display, settle
from tabwright.private_files import free_path, save
from tabwright.text import format_count

_FOLDER = "tabwright-demo"
_PACE = 1.0


def run(given: dict[str, Any], terminal: Terminal) -> int:
    """Show everything and return the exit code."""
    folder = Path(given.get("folder") or free_path(Path(), _FOLDER))
    terminal.progress("Starting…")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _hub(Home.find()) as window, serving() as site:
            return anyio.run(_show, site, folder, given.get("pace"), window, terminal)
    except HubRefused as error:
        terminal.fail("tabwright demo", str(error))
        return 1
    except OSError as error:
        terminal.fail(
            "tabwright demo", f"{error.filename or folder}: {error.strerror}.", "Name another --folder."
        )
        return 2


@contextmanager
def _hub(home: Home) -> Iterator[bool]:
    """Have a hub: the one that runs, or one with a window, where there is a display, that ends with us.

    Yields whether we opened a window.
    """
    if ask(home, Hello("status", __version__)) is not None:
        yield False
        return
    window = has_display() and not home.mentions("headless")
    if window:
        settle({"headless": "false"})
    try:
        yield window
    finally:
        hub = ask(home, Hello("status", __version__))
        if hub is not None and hub.clients == 0:
            ask(home, Hello("stop", __version__))


async def _show(site: str, folder: Path, pace: float | None, window: bool, terminal: Terminal) -> int:
    started = start_command("browser")  # whatever tools the user's settings offer
    environment = dict(os.environ)  # noqa: TID251 - the server inherits ours; nothing is read from it
    server = StdioServerParameters(command=started["command"], args=started["args"], env=environment)
    async with Client(server) as client:
        terminal.say(_greeting(site, window, terminal))
        guide = Player(client, terminal, folder, _pace(pace))
        fault = await _toured(guide, site)
        _keep(guide, folder)
        if fault:
            terminal.fail(
                "tabwright demo", f"The tour ended early: {fault}", "What is wrong: tabwright doctor"
            )
            return 1
        terminal.say(_farewell(guide, folder, terminal))
        if window and sys.stdin.isatty():
            terminal.say("\nPress Enter to close the browser.")
            await anyio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
    return 0


async def _toured(guide: Player, site: str) -> str:
    """Go through the tour; return what ended it early, if anything did."""
    try:
        await tour(guide, site)
    except (TourFailed, MCPError) as error:
        return str(error)
    return ""


def _pace(chosen: float | None) -> float:
    """Seconds before each call: enough to follow for whoever watches, none for a program."""
    if chosen is not None:
        return chosen
    return _PACE if sys.stdout.isatty() else 0.0


def _greeting(site: str, window: bool, terminal: Terminal) -> str:
    http = Home.find().http
    address = json.loads(http.read_bytes())["url"] if http.exists() else ""
    if window:
        seen = "The browser has a window: watch it there" + (f", or at {address}/." if address else ".")
    elif address:
        seen = f"The browser has no window here: watch it at {address}/."
    else:
        seen = "The browser has no window here; the pictures are kept."
    title = terminal.painted(f"Tabwright {__version__}: what an agent sees and does", "bold")
    legend = (
        "▸ is a call of an MCP client to `tabwright mcp`; below it stands the answer, shortened.",
        "│ stands before words of the page, which agents get between marks that no page can forge.",
    )
    return "\n".join([title, *legend, "", f"The site is served at {site}/.", seen])


def _keep(guide: Player, folder: Path) -> None:
    about = "Every call of the demonstration with its whole answer, as the MCP client got it."
    page = transcript(f"Tabwright {__version__}: what was shown", about, guide.chapters)
    save(folder / "transcript.html", page.encode())


def _farewell(guide: Player, folder: Path, terminal: Terminal) -> str:
    calls = [told for chapter in guide.chapters for told in chapter.calls]
    seconds = sum(told.milliseconds for told in calls) / 1000
    tokens = sum(len(told.text) for told in calls) // 4
    files = {"transcript.html": "every call with its whole answer", **guide.pictures}
    shown = [f"  {folder / name!s:34}  {terminal.painted(about, 'dim')}" for name, about in files.items()]
    return "\n".join(
        [
            f"\n{format_count(len(calls), 'call')} took {seconds:.1f} s, about {tokens:,} tokens.",
            f"\n{terminal.painted('To look at', 'bold')}",
            *shown,
            f"\n{terminal.painted('Your own agent', 'bold')}",
            f"  {program()} config claude-code --write  (or claude-desktop, cursor, vscode, cline)",
        ]
    )
