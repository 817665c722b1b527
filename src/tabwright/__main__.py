"""`tabwright`: the command line, with what it needs of the layers above it, imported when it is needed."""

import sys
from typing import TYPE_CHECKING, Any

from tabwright.doors.cli.main import Program, run

if TYPE_CHECKING:
    from tabwright.doors.cli.main import App, WithoutHub
    from tabwright.doors.terminal import Terminal


def main() -> int:
    """Run the command line and return the exit code."""
    return run(Program(_app, _without_hub, _mcp_proxy, _demo))


def _app() -> "App":
    from tabwright import app

    return app


def _without_hub() -> "WithoutHub":
    from tabwright import without_hub

    return without_hub


def _mcp_proxy(options: dict[str, Any]) -> int:
    from tabwright.doors.mcp.stdio_proxy import main

    return main(options)


def _demo(given: dict[str, Any], terminal: "Terminal") -> int:
    from tabwright.doors.demo.command import run

    return run(given, terminal)


if __name__ == "__main__":
    sys.exit(main())
