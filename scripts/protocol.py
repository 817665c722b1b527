"""Writes the names of the installed browser's DevTools protocol, for the conformance tests.

Descriptions and types are left out: a call can get names and required parameters wrong.
"""

import argparse
import json
import subprocess
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

FLAGS = ("--headless=new", "--no-sandbox", "--no-first-run", "--remote-debugging-port=0", "about:blank")


def main() -> None:
    """Ask the browser for its protocol and write the trimmed file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("browser", help="path of Chrome or Chromium")
    parser.add_argument("target", type=Path, help="file to write")
    args = parser.parse_args()
    args.target.write_text(render(fetch(args.browser)))
    print(f"Wrote {args.target}.")


def fetch(browser: str) -> dict[str, Any]:
    """Start the browser, read its version and protocol, and stop it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [browser, *FLAGS, f"--user-data-dir={profile}"], stderr=subprocess.PIPE, text=True
        )
        try:
            address = _address(process)
            return {"version": _get(f"{address}/json/version"), "protocol": _get(f"{address}/json/protocol")}
        finally:
            process.terminate()
            process.communicate()


def render(fetched: dict[str, Any]) -> str:
    """Return the names only, one per line, so that a newer browser makes a small diff."""
    domains = {domain["domain"]: _trim(domain) for domain in fetched["protocol"]["domains"]}
    lines = [f'"browser": {json.dumps(fetched["version"]["Browser"])}']
    lines += [f'"{name}": {_members(domains[name])}' for name in sorted(domains)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _trim(domain: dict[str, Any]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for command in domain.get("commands", ()):
        parameters = command.get("parameters", ())
        members[command["name"]] = {
            parameter["name"]: "optional" if parameter.get("optional") else "required"
            for parameter in parameters
        }
    for event in domain.get("events", ()):
        members[event["name"]] = "event"
    return members


def _members(members: dict[str, Any]) -> str:
    return "{\n" + ",\n".join(f'  "{name}": {json.dumps(members[name])}' for name in sorted(members)) + "\n}"


def _address(process: "subprocess.Popen[str]") -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("DevTools listening on ws://"):
            return "http://" + line.split("ws://")[1].split("/")[0]
    raise SystemExit("The browser exited before it listened.")


def _get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=10) as response:
        return json.load(response)


if __name__ == "__main__":
    main()
