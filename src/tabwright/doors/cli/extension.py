"""`tabwright extension`: shows where the extension is and how to load it, and pairs Chromes."""

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


def run(
    folder: Path,
    chromes: PairedChromes,
    browser: Callable[[], Path],
    given: dict[str, Any],
    terminal: Terminal,
) -> int:
    """Run the command and return the exit code.

    Args:
        folder: where Chrome loads the extension from.
        chromes: the paired Chromes, for when no hub runs.
        browser: finds the program that links are opened in.
        given: the arguments of the command.
        terminal: where to print.

    Raises:
        TabwrightError: the name is unknown, or the hub reports an error.
    """
    name, as_json = given.get("name", ""), given.get("json", False)
    try:
        match given.get("order"):
            case "pair" if given.get("id"):
                _pair_extension(given["id"], name, terminal, as_json=as_json)
            case "pair":
                opener = None if given.get("link") or as_json else browser
                return _pair(name, opener, terminal, as_json=as_json)
            case "unpair":
                return _unpair(chromes, name, terminal, as_json=as_json)
            case "list":
                known = _paired(chromes)["chromes"]
                terminal.say(json.dumps(known) if as_json else _format_list(known))
            case _:
                _show(folder, _paired(chromes), terminal, as_json=as_json)
    except (HubRefused, OSError) as error:
        terminal.fail("tabwright extension", str(error))
        return 1
    return 0


def _show(folder: Path, known: Json, terminal: Terminal, *, as_json: bool) -> None:
    if as_json:
        terminal.say(json.dumps({"folder": str(folder), **known}))
        return
    here = _format_list(known["chromes"])
    terminal.say("\n".join([f"The extension is in {folder}", "", _LOADING, "", here]))


def _format_list(chromes: list[Json]) -> str:
    lines = [
        f"{one['name']}  {'connected' if one['connected'] else 'not connected'}  paired {one['paired']}"
        for one in chromes
    ]
    return "\n".join(lines) or "No Chrome is paired."


def _paired(chromes: PairedChromes) -> Json:
    """Return the paired Chromes: from the hub, if one runs, else from their file."""
    if ask(Home.find(), Hello("status", __version__)) is None:
        known = [{"name": one.name, "paired": one.paired, "connected": False} for one in chromes]
        return {"port": None, "chromes": known}
    [answer] = _ask_hub({"order": "list"})
    return {"port": answer["port"], "chromes": answer["chromes"]}


def _unpair(chromes: PairedChromes, name: str, terminal: Terminal, *, as_json: bool) -> int:
    if ask(Home.find(), Hello("status", __version__)) is None:
        gone = chromes.forget(name).name
    else:
        [answer] = _ask_hub({"order": "unpair", "name": name})
        gone = answer["name"]
    terminal.say(json.dumps({"unpaired": gone}) if as_json else f"{gone} is no longer paired.")
    return 0


def _pair(name: str, browser: Callable[[], Path] | None, terminal: Terminal, *, as_json: bool) -> int:
    answers = _ask_hub({"order": "pair", "name": name})
    link = next(answers)["link"]
    opened = browser is not None and _open(link, browser)
    if as_json:
        terminal.say(json.dumps({"link": link}))
    else:
        where = "It opens in your browser now. If it does not, open" if opened else "Open"
        terminal.say(
            f"{where} this link in the Chrome that has the extension, within two minutes:\n\n  {link}\n"
        )
    paired = next(answers)["name"]
    terminal.say(
        json.dumps({"paired": paired}) if as_json else f"Paired: {paired}. Share a tab with its button."
    )
    return 0


def _pair_extension(extension: str, name: str, terminal: Terminal, *, as_json: bool) -> None:
    [answer] = _ask_hub({"order": "pair", "name": name, "extension": extension})
    address = answer["address"]
    terminal.say(
        json.dumps({"paired": answer["name"], "address": address})
        if as_json
        else f"Paired: {answer['name']}. Let the extension connect to this address, which contains its token "
        f"and is shown only now:\n\n  {address}\n"
    )


def _open(link: str, browser: Callable[[], Path]) -> bool:
    """Open a link in the user's browser, if there is a display."""
    environment: Any = os.environ  # noqa: TID251 - the display is not a setting of ours
    if os.geteuid() == 0 or (
        sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY"} & set(environment)
    ):
        return False
    quiet = subprocess.DEVNULL
    try:
        subprocess.Popen(  # noqa: S603 - the user's own browser
            [browser(), link], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
    except (OSError, errors.NotFound):
        return False
    return True


def _ask_hub(options: Json) -> Iterator[Json]:
    """Yield the hub's answers to an order; raise its error."""
    with (
        join(Home.find(), Hello("extension", __version__, client="cli", options=options)) as link,
        link.makefile("rb") as lines,
    ):
        for line in lines:
            answer: Json = json.loads(line)
            if "error" in answer:
                raise _to_error(answer["error"])
            yield answer
            if "ok" in answer:
                return
    raise errors.BrowserGone("The hub exited before it answered.", hint="Run the command again.")


def _to_error(found: Json) -> errors.TabwrightError:
    kinds = {kind.__name__: kind for kind in EXIT_CODES}
    return kinds[found["class"]](found["message"], hint=found["hint"])
