"""The five steps of CONTRIBUTING.md work: with one new file, every door has the action."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import anyio
import pytest

from tabwright.home import Home
from tests.doors.cli.shell import Shell
from tests.web import Web

ROOT = Path(__file__).parents[2]
# What `make gen` reads and writes.
READ = ("src", "scripts", "bench", "docs", "tests/conformance/tools", "tests/conformance/dialects")
FILES = ("README.md", "pyproject.toml", "server.json", "requirements/run.lock")
DOORS = """
from tabwright.actions import CATALOG
from tabwright.dialects.plain import Plain
from tabwright.doors.http.openapi import document

print([tool.description for tool in Plain(CATALOG).tools() if tool.name == "select_text"])
print([path for path in document(CATALOG)["paths"] if path.endswith("/select_text")])
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the source after the steps up to `make gen`."""
    copy = tmp_path / "source"
    for name in READ:
        shutil.copytree(ROOT / name, copy / name)
    for name in FILES:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    example = re.search(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    assert example is not None
    actions = copy / "src/tabwright/actions"
    (actions / "selecting.py").write_text(textwrap.dedent(example[1]))
    catalogue = (actions / "__init__.py").read_text()
    assert catalogue.count("    script,\n") == 2
    (actions / "__init__.py").write_text(catalogue.replace("    script,\n", "    script,\n    selecting,\n"))
    return copy


def run(copy: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": path_of(copy)},  # noqa: TID251 - inherits the tests' own
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def path_of(copy: Path) -> str:
    return os.pathsep.join((str(copy / "src"), str(copy)))


async def test_one_file_gives_a_tool_a_route_a_command_and_docs(copy: Path, web: Web) -> None:
    generated = await anyio.to_thread.run_sync(run, copy, "-m", "scripts.catalogue")
    assert set(generated.splitlines()) == {
        "Wrote src/tabwright/doors/cli/commands.json.",
        "Wrote src/tabwright/page_tools/reserved.txt.",
        "Wrote docs/TOOLS.md.",
        "Wrote tests/conformance/tools/select_text.json.",
    }
    assert "### select_text\n\nSelect all text of an element." in (copy / "docs/TOOLS.md").read_text()
    shape = json.loads((copy / "tests/conformance/tools/select_text.json").read_text())
    assert list(shape["schema"]["properties"]) == ["target", "focus", "timeout"]
    assert await anyio.to_thread.run_sync(run, copy, "-c", DOORS) == (
        "['Select all text of an element.']\n['/api/actions/select_text']\n"
    )

    home = Home(copy / "home", copy / "home")
    shell = Shell(copy, home, {"PYTHONPATH": path_of(copy)})
    try:
        await shell.run("navigate", web.page("<input aria-label=Name value=Ada>"))
        done = await shell.run("select-text", "input", "--focus", "--json")
    finally:
        await anyio.to_thread.run_sync(shell.stop_hub)
    assert (done.code, json.loads(done.out)["result"]) == (
        0,
        {"deed": "Selected the text of", "target": 'textbox "Name"'},
    )
