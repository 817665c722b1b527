"""The documents are correct: examples and commands run, links and names exist."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from tabwright.doors.cli import commands as table
from tabwright.doors.cli.parse import parse
from tabwright.home import Home
from tests.doors.cli.shell import PROGRAM, Shell
from tests.web import Web

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCUMENTS = [
    README,
    *(ROOT / name for name in ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/RESULTS.md")),
    *(ROOT / "docs").glob("*.md"),
]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
# The tour is tested in tests/doors/demo/test_tour.py.
ELSEWHERE = ["tabwright demo"]
PAGE = "<title>Example</title><h1>Example</h1><p>For <a href=#more>more</a>.</p>"


def test_the_readme_is_short() -> None:
    assert len(README.read_text().splitlines()) < 150
    assert len((ROOT / "ARCHITECTURE.md").read_text().splitlines()) < 200
    assert all(picture.stat().st_size < 300_000 for picture in (ROOT / "docs/pictures").iterdir())


def test_the_example_prints_what_the_readme_shows() -> None:
    found = re.search(r"```python\n(.*?)```\n\n```\n(.*?)```", README.read_text(), re.DOTALL)
    assert found is not None
    example, shown = found.groups()
    run = subprocess.run(
        [sys.executable, "-c", example], check=False, capture_output=True, text=True, timeout=60
    )
    assert (run.stderr, run.stdout) == ("", shown)


def test_the_architecture_fits_a_terminal() -> None:
    lines = (ROOT / "ARCHITECTURE.md").read_text().splitlines()
    assert [line for line in lines if len(line) > 125 and not line.startswith("|")] == []


def test_every_file_named_in_the_architecture_exists() -> None:
    """Whether a name is a path from the root or the package, or one file anywhere in the package."""
    package = ROOT / "src/tabwright"
    for name in re.findall(r"`([\w/]+\.(?:py|js|json))`", (ROOT / "ARCHITECTURE.md").read_text()):
        assert (ROOT / name).exists() or list(package.rglob(name)), name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_has_a_target(document: Path) -> None:
    for name, anchor in LINK.findall(document.read_text()):
        target = document.parent / name if name else document
        assert target.exists(), name
        assert not anchor or anchor in anchors(target.read_text()), f"{name}#{anchor}"


def anchors(text: str) -> set[str]:
    """The headings of a document as link targets."""
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_make_target_in_the_documents_exists() -> None:
    named = set(re.findall(r"`make (\w+)|^make (\w+)", README.read_text(), re.MULTILINE))
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {one or other for one, other in named} - set(targets) == set()


def test_commands_in_sentences_are_valid() -> None:
    commands = re.findall(r"`tabwright ([^`]+)`", README.read_text())
    assert len(commands) >= 5
    for words in map(shlex.split, commands):
        command = table.find_own(words[0]) or table.find_action(words[0])
        assert command is not None, words
        parse(command, words[1:])


async def test_the_commands_of_the_readme_run(tmp_path: Path, web: Web) -> None:
    home = Home(tmp_path / "home", tmp_path / "home")
    shell = Shell(tmp_path, home, {"HOME": str(tmp_path), "TABWRIGHT_API_PORT": "any"})
    page = web.page(PAGE, "/example")
    try:
        for line in commands():
            done = await anyio.run_process(
                ["/bin/sh", "-c", adapt_command(line, page, home)],
                check=False,
                cwd=tmp_path,
                env=shell.environment,
            )
            assert done.returncode == 0, (line, done.stdout, done.stderr)
    finally:
        await anyio.to_thread.run_sync(shell.stop_hub)
    assert (tmp_path / "page.jpg").exists()
    assert (tmp_path / ".claude.json").exists()
    assert len([request for request in web.requests if request.path == "/example"]) >= 2


def commands() -> Iterator[str]:
    """The commands of a document, except make's and those that another test runs."""
    for block in re.findall(r"^ *```sh\n(.*?)```", README.read_text(), re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            command = re.sub(r"\s{2,}#.*", "", line).strip()
            if command and not command.startswith("make ") and command not in ELSEWHERE:
                yield command


def adapt_command(line: str, page: str, home: Home) -> str:
    """A command with our program, an existing page and our hub's port instead of the README's."""
    line = re.sub(r"^tabwright\b", shlex.join(PROGRAM), line).replace("https://example.com/", page)
    if "127.0.0.1:38472" in line:
        line = line.replace("http://127.0.0.1:38472", json.loads(home.http.read_text())["url"])
        line = line.replace("curl ", "curl --fail-with-body --silent ", 1)
    return line


def test_the_python_example_runs() -> None:
    example = re.search(r"```python\n(.*?)```", (ROOT / "docs/PYTHON.md").read_text(), re.DOTALL)
    assert example is not None
    run = subprocess.run(
        [sys.executable, "-c", example[1]], check=False, capture_output=True, text=True, timeout=60
    )
    assert (run.stderr, run.stdout) == (
        "",
        '[Snapshot of data:text/html]\n- @e1: button "Save"\n+ "Saved"\n',
    )
