"""`tabwright profile`: exports a profile to a file, or imports it. The passphrase is never an argument."""

import getpass
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio

from tabwright.doors.cli.parse import UsageError
from tabwright.doors.terminal import Terminal
from tabwright.errors import InvalidArgs
from tabwright.private_files import write_private
from tabwright.profiles.encrypted_export import MAX_FILE, Moved, seal, unseal
from tabwright.profiles.profile import Profile
from tabwright.sessions.profile_transfer import ProfileTransfer
from tabwright.text import format_count


def run(mover: Callable[[], ProfileTransfer], given: dict[str, Any], terminal: Terminal) -> int:
    """Run the command and return the exit code.

    Raises:
        TabwrightError: the export or import failed.
        UsageError: the profile to export is not named.
    """
    report = (_export if given["order"] == "export" else _import)(mover, given)
    terminal.say(json.dumps(report) if given.get("json") else _sentence(given["order"], report))
    return 0


def _export(mover: Callable[[], ProfileTransfer], given: dict[str, Any]) -> dict[str, Any]:
    if "profile" not in given:
        raise UsageError("missing --profile: the id of the profile to export")
    file, passphrase = Path(given["file"]), _passphrase(given, again=True)
    seal(Moved({}, {}), passphrase)  # fails now if the passphrase is too short

    async def gather() -> Moved:
        moving = mover()
        try:
            return await moving.export(given["profile"])
        finally:
            await moving.close()

    moved = anyio.run(gather)
    try:
        write_private(file, seal(moved, passphrase))
    except OSError as error:
        raise InvalidArgs(
            f"{file} cannot be written: {error.strerror}.", hint="Name another file."
        ) from error
    state = moved.secret["state"]
    return {
        "profile": given["profile"],
        "file": str(file),
        "cookies": len(state["cookies"]),
        "origins": len(state["local_storage"]),
    }


def _import(mover: Callable[[], ProfileTransfer], given: dict[str, Any]) -> dict[str, Any]:
    file = Path(given["file"])
    moved = unseal(_read(file), _passphrase(given, again=False))

    async def put() -> Profile:
        moving = mover()
        try:
            return await moving.import_(moved, given.get("profile"))
        finally:
            await moving.close()

    state = moved.secret.get("state", {})
    return {
        "profile": anyio.run(put).id,
        "file": str(file),
        "cookies": len(state.get("cookies", ())),
        "origins": len(state.get("local_storage", ())),
    }


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_FILE + 1)
    except OSError as error:
        raise InvalidArgs(f"{file} cannot be read: {error.strerror}.", hint="Name another file.") from error
    if len(content) > MAX_FILE:
        raise InvalidArgs(f"{file} is too large for a profile.", hint="Name another file.")
    return content


def _passphrase(given: dict[str, Any], *, again: bool) -> str:
    if "passphrase_file" in given:
        return _read(Path(given["passphrase_file"])).decode(errors="replace").partition("\n")[0]
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    passphrase = getpass.getpass("Passphrase: ")
    if again and getpass.getpass("Repeat it: ") != passphrase:
        raise InvalidArgs("The passphrases differ.", hint="Try again.")
    return passphrase


def _sentence(order: str, report: dict[str, Any]) -> str:
    cookies, sites = format_count(report["cookies"], "cookie"), format_count(report["origins"], "site")
    content = f"{cookies} and the storage of {sites}"
    if order == "export":
        return f"Exported {report['profile']} to {report['file']}: {content}."
    return f"Imported {report['file']} as {report['profile']}: {content}. Its session is {report['profile']}."
