"""The extension from the shell: where it is, how it is loaded, and which Chromes are paired."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tabwright import __version__, errors
from tabwright.doors.cli.run_action import EXIT_CODES
from tabwright.doors.terminal import Terminal
from tabwright.doors.wire.handshake import Hello
from tabwright.doors.wire.hub_client import HubRefused, ask, join
from tabwright.home import Home
from tabwright.policy.callers.chrome_pairing import PairedChromes

_LOADING = """To load it into Chrome, Edge, Brave or Chromium, once:
  1. Open chrome://extensions and switch on "Developer mode".
  2. Press "Load unpacked" and choose the folder above (paste its path: Ctrl+L, on a Mac Cmd+Shift+G).
  3. tabwright extension pair"""
Json = dict[str, Any]


def order(
    folder: Path,
    chromes: PairedChromes,
    browser: Callable[[], Path],
    given: dict[str, Any],
    terminal: Terminal,
) -> int:
    """Do what was asked.

    Args:
        folder: where Chrome loads the extension from.
        chromes: those that are paired, for when no hub runs.
        browser: finds the program that links are opened in.
        given: the words of the command.
        terminal: where to speak.

    Raises:
        TabwrightError: it cannot be done.
    """
    name, as_json = given.get("name", ""), given.get("json", False)
    try:
        match given.get("order"):
            case "pair":
                opener = None if given.get("link") or as_json else browser
                return _pair(name, opener, terminal, as_json=as_json)
            case "unpair":
                return _unpair(chromes, name, terminal, as_json=as_json)
            case "list":
                known = _known(chromes)["chromes"]
                terminal.say(json.dumps(known) if as_json else _listed(known))
            case _:
                _tell(folder, _known(chromes), terminal, as_json=as_json)
    except (HubRefused, OSError) as error:
        terminal.fail("tabwright extension", str(error))
        return 1
    return 0


def _tell(folder: Path, known: Json, terminal: Terminal, *, as_json: bool) -> None:
    if as_json:
        terminal.say(json.dumps({"folder": str(folder), **known}))
        return
    here = _listed(known["chromes"])
    terminal.say("\n".join([f"The extension is in {folder}", "", _LOADING, "", here]))


def _listed(chromes: list[Json]) -> str:
    lines = [
        f"{one['name']}  {'connected' if one['connected'] else 'not connected'}  paired {one['paired']}"
        for one in chromes
    ]
    return "\n".join(lines) or "No Chrome is paired."


def _known(chromes: PairedChromes) -> Json:
    """Ask the hub, if one runs; what is paired is known without."""
    if ask(Home.find(), Hello("status", __version__)) is None:
        known = [{"name": one.name, "paired": one.paired, "connected": False} for one in chromes]
        return {"port": None, "chromes": known}
    [answer] = _said({"order": "list"})
    return {"port": answer["port"], "chromes": answer["chromes"]}


def _unpair(chromes: PairedChromes, name: str, terminal: Terminal, *, as_json: bool) -> int:
    if ask(Home.find(), Hello("status", __version__)) is None:
        gone = chromes.forget(name).name
    else:
        [answer] = _said({"order": "unpair", "name": name})
        gone = answer["name"]
    terminal.say(json.dumps({"unpaired": gone}) if as_json else f"{gone} is no longer paired.")
    return 0


def _pair(name: str, browser: Callable[[], Path] | None, terminal: Terminal, *, as_json: bool) -> int:
    answers = _said({"order": "pair", "name": name})
    link = next(answers)["link"]
    opened = browser is not None and _opened(link, browser)
    if as_json:
        terminal.say(json.dumps({"link": link}))
    else:
        where = "It opens in your browser now; if it does not, open" if opened else "Open"
        terminal.say(
            f"{where} this link in the Chrome that has the extension, within two minutes:\n\n  {link}\n"
        )
    paired = next(answers)["name"]
    terminal.say(
        json.dumps({"paired": paired}) if as_json else f"Paired: {paired}. Share a tab with its button."
    )
    return 0


def _opened(link: str, browser: Callable[[], Path]) -> bool:
    """Open a link in the user's browser, where there is a screen to show it on."""
    screens: Any = os.environ  # noqa: TID251 - where windows can be is not ours to configure
    if os.geteuid() == 0 or (sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY"} & set(screens)):
        return False
    quiet = subprocess.DEVNULL
    try:
        subprocess.Popen(  # noqa: S603 - the user's own browser
            [browser(), link], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
    except (OSError, errors.NotFound):
        return False
    return True


def _said(options: Json) -> Iterator[Json]:
    """Yield what the hub says to an order; its failure is raised."""
    with (
        join(Home.find(), Hello("extension", __version__, client="cli", options=options)) as link,
        link.makefile("rb") as lines,
    ):
        for line in lines:
            said: Json = json.loads(line)
            if "error" in said:
                raise _failure(said["error"])
            yield said
            if "ok" in said:
                return
    raise errors.BrowserGone("The hub went away before it answered.", hint="Run the command again.")


def _failure(told: Json) -> errors.TabwrightError:
    kinds = {kind.__name__: kind for kind in EXIT_CODES}
    return kinds[told["class"]](told["message"], hint=told["hint"])
