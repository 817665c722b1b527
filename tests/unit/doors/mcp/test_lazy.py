"""The MCP SDK is imported with the first MCP client."""

import subprocess
import sys


def test_a_hub_without_mcp_clients_does_not_import_the_sdk() -> None:
    needed = "app, actions, runner, dialects.registry, doors.hub.call_door, doors.extension.server, doors.http.app, doors.hub.socket, doors.mcp.lazy"
    modules = ", ".join(f"tabwright.{name}" for name in needed.split(", "))
    code = f"import sys, {modules}; print([name for name in sys.modules if name.startswith('mcp')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
