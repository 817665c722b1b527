"""`tabwright demo`: a tour of a small demo site, driven through MCP and printed call by call."""

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
from tabwright.doors.client_config.launch import program, start_command
from tabwright.doors.demo.player import Player, TourFailed
from tabwright.doors.demo.site import serve_site
from tabwright.doors.demo.tour import tour
from tabwright.doors.demo.transcript import build_transcript
from tabwright.doors.terminal import Terminal
from tabwright.doors.wire.handshake import Hello
from tabwright.doors.wire.hub_client import HubRefused, ask
from tabwright.home import Home, has_display, settle
from tabwright.private_files import free_path, save
from tabwright.text import format_count

_FOLDER = "tabwright-demo"
_PACE = 1.0


def run(given: dict[str, Any], terminal: Terminal) -> int:
    """Run the tour and return the exit code."""
    folder = Path(given.get("folder") or free_path(Path(), _FOLDER))
    terminal.progress("Starting")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _hub(Home.find()) as window, serve_site() as site:
            return anyio.run(_show, site, folder, given.get("pace"), window, terminal)
    except HubRefused as error:
        terminal.fail("tabwright demo", str(error))
        return 1
    except OSError as error:
        terminal.fail(
            "tabwright demo", f"{error.filename or folder}: {error.strerror}.", "Choose another --folder."
        )
        return 2


@contextmanager
def _hub(home: Home) -> Iterator[bool]:
    """Use the running hub, or a new one that stops afterwards, with a window if there is a display.

    Yields whether the browser has a window.
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
    started = start_command("browser")  # the tour needs these tools, whatever the settings choose
    environment = dict(os.environ)  # noqa: TID251 - the server inherits ours; nothing is read from it
    server = StdioServerParameters(command=started["command"], args=started["args"], env=environment)
    async with Client(server) as client:
        terminal.say(_greeting(site, window, terminal))
        player = Player(client, terminal, folder, _pace(pace))
        fault = await _run_tour(player, site)
        _save_transcript(player, folder)
        if fault:
            terminal.fail(
                "tabwright demo", f"The tour stopped early: {fault}", "To find the cause: tabwright doctor"
            )
            return 1
        terminal.say(_summary(player, folder, terminal))
        if window and sys.stdin.isatty():
            terminal.say("\nPress Enter to close the browser.")
            await anyio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
    return 0


async def _run_tour(player: Player, site: str) -> str:
    """Run the tour; return why it stopped early, or ""."""
    try:
        await tour(player, site)
    except (TourFailed, MCPError) as error:
        return str(error)
    return ""


def _pace(chosen: float | None) -> float:
    """Return the seconds before each call: enough to follow on a terminal, none otherwise."""
    if chosen is not None:
        return chosen
    return _PACE if sys.stdout.isatty() else 0.0


def _greeting(site: str, window: bool, terminal: Terminal) -> str:
    http = Home.find().http
    address = json.loads(http.read_bytes())["url"] if http.exists() else ""
    if window:
        watch = "Watch the browser in its window" + (f", or at {address}/." if address else ".")
    elif address:
        watch = f"The browser has no window here. Watch it at {address}/."
    else:
        watch = "The browser has no window here. Screenshots are saved."
    title = terminal.paint(f"Tabwright {__version__}: what an agent sees and does", "bold")
    legend = (
        "▸ marks a call from an MCP client to `tabwright mcp`, followed by its answer, shortened.",
        "│ marks text of the page, which agents receive between markers that no page can forge.",
    )
    return "\n".join([title, *legend, "", f"The demo site is at {site}/.", watch])


def _save_transcript(player: Player, folder: Path) -> None:
    about = "Every call of the tour with its whole answer, as the MCP client received it."
    page = build_transcript(f"Tabwright {__version__}: demo transcript", about, player.chapters)
    save(folder / "transcript.html", page.encode())


def _summary(player: Player, folder: Path, terminal: Terminal) -> str:
    calls = [call for chapter in player.chapters for call in chapter.calls]
    seconds = sum(call.milliseconds for call in calls) / 1000
    tokens = sum(len(call.text) for call in calls) // 4
    files = {"transcript.html": "every call with its whole answer", **player.pictures}
    saved = [f"  {folder / name!s:34}  {terminal.paint(about, 'dim')}" for name, about in files.items()]
    return "\n".join(
        [
            f"\n{format_count(len(calls), 'call')} took {seconds:.1f} s, about {tokens:,} tokens.",
            f"\n{terminal.paint('Saved', 'bold')}",
            *saved,
            f"\n{terminal.paint('Use it with your agent', 'bold')}",
            f"  {program()} config  (finds the MCP clients on this computer)",
        ]
    )
