"""Every script file is used, and every script named in the source exists."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tabwright.browser.page.isolated_world import SCRIPTS

SOURCE = Path(__file__).parents[2] / "src" / "tabwright"
FILES = {str(path.relative_to(folder)) for folder in SOURCE.rglob("js") for path in folder.rglob("*.js")}


def test_every_installed_script_has_its_file() -> None:
    assert set(SCRIPTS) - FILES == set()


def test_every_script_is_named_in_the_source() -> None:
    assert FILES - set(scripts_in_source()) == set()


def scripts_in_source() -> Iterator[str]:
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.endswith(".js"):
                yield node.value
