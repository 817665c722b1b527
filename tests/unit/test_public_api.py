"""The public Python API: the names in `tabwright`, and what importing it loads."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tabwright

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", tabwright.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(tabwright, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'tabwright' has no attribute 'Chrome'"):
        tabwright.Chrome  # noqa: B018 - the access itself is tested


def test_importing_the_package_does_not_import_the_engine() -> None:
    code = "import sys, tabwright; print([name for name in sys.modules if name.startswith('tabwright.')])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


@pytest.mark.parametrize("document", ["README.md", "docs/PYTHON.md"])
def test_examples_import_public_names_only(document: str) -> None:
    text = (ROOT / document).read_text()
    assert re.findall(r"^\s*(?:from|import) tabwright\..*$", text, re.MULTILINE) == []
    imported = re.findall(r"^\s*from tabwright import (.+)$", text, re.MULTILINE)
    assert imported
    assert {name.strip() for names in imported for name in names.split(",")} <= set(tabwright.__all__)
