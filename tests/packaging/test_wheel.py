"""The wheel: it contains everything needed and nothing else, and works by itself."""

import re
import sys
import zipfile
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import TextContent

from tabwright import __version__
from tests.doors.mcp.agents import HubHome, without_markers
from tests.packaging.conftest import ROOT, environment_of
from tests.web import Web

FORM = """<title>Guests</title><label>Name <input id=name></label>
<button onclick="out.textContent = `Welcome, ${document.getElementById('name').value}!`">Sign in</button>
<output id=out></output>"""
# One file of each kind that is read at run time.
READ = (
    "browser/js/snapshot/snapshot.js",
    "page_tools/js/page_tools.js",
    "doors/cli/commands.json",
    "doors/cli/skill.md",
    "doors/demo/site/index.html",
    "doors/demo/transcript.html",
    "doors/http/static/api.html",
    "doors/dashboard/static/index.html",
    "extension/manifest.json",
    "page_tools/reserved.txt",
    "py.typed",
)


def test_the_wheel_contains_only_the_package(wheel: Path) -> None:
    source = ROOT / "src"
    files = {
        str(path.relative_to(source))
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.endswith(".d.ts")
    }
    about = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}
    about.add("licenses/src/tabwright/browser/js/read/LICENSE-Readability")
    with zipfile.ZipFile(wheel) as archive:
        assert set(archive.namelist()) == files | {f"tabwright-{__version__}.dist-info/{n}" for n in about}
    assert {f"tabwright/{name}" for name in READ} <= files


@pytest.fixture(params=["installed", "uvx"])
def command(request: pytest.FixtureRequest, installed: Path, wheel: Path) -> list[str]:
    """The command that a client starts: the installed program, or uvx with the wheel.

    uvx works offline, because `installed` has put everything into its cache.
    """
    if request.param == "installed":
        return [str(installed / "tabwright"), "mcp"]
    lock = str(ROOT / "requirements/run.lock")
    uvx = [str(Path(sys.executable).parent / "uvx"), "--offline", "--python", sys.executable]
    return [*uvx, "--constraints", lock, "--from", str(wheel), "tabwright", "mcp"]


async def test_the_installed_wheel_does_a_task_over_stdio(
    command: list[str], hub: HubHome, tmp_path: Path, web: Web
) -> None:
    program, *args = command
    server = StdioServerParameters(command=program, args=args, env=environment_of(hub), cwd=tmp_path)
    async with Client(server) as client:

        async def call(tool: str, **arguments: str) -> str:
            result = await client.call_tool(tool, arguments)
            (answer,) = [part for part in result.content if isinstance(part, TextContent)]
            return without_markers(answer.text)

        url = web.page(FORM)
        assert await call("browser_navigate", url=url) == f"Navigated to {url} (200 OK)"
        page = await call("browser_snapshot")
        field, button = re.findall(r"(@e\d+): (?:textbox|button)", page)
        filled = await call("browser_fill", selector=field, value="Ada")
        assert filled.splitlines()[0] == 'textbox "Name" is now "Ada".'
        assert await call("browser_click", selector=button) == "\n".join(
            [
                'Clicked button "Sign in".',
                '+ status: "Welcome, Ada!"',
            ]
        )
