"""What CI and releases rely on: make targets, Python versions, and a tag that names the package version.

`make check-workflows` lints the workflow files themselves.
"""

import re
import tomllib
from pathlib import Path

import pytest

from scripts.release_notes import check, notes, package_version
from tabwright import __version__
from tests.packaging.conftest import ROOT

WORKFLOWS = {path.name: path.read_text() for path in (ROOT / ".github/workflows").glob("*.yml")}
CHANGELOG = """# Changelog

## Unreleased

- Later.

## [0.2.0] - 2026-01-02

### Added

- Tabs.

## 0.1.0

## 0.0.1

- First.
"""


def test_workflows_run_make_targets_that_exist() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    called = {
        name for text in WORKFLOWS.values() for name in re.findall(r"\bmake (?:--silent )?([\w-]+)", text)
    }
    assert {"check", "test", "bundle", "release-notes"} <= called
    assert called - targets == set()


def test_the_matrix_starts_at_the_lowest_python_that_is_supported() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = re.search(r"python: \[(.+)\]", WORKFLOWS["ci.yml"])
    assert found is not None
    versions = [version.strip('" ') for version in found[1].split(",")]
    assert project["requires-python"] == f">={versions[0]}"
    assert versions == [f"3.{minor}" for minor in range(11, 11 + len(versions))]


def test_a_release_reads_the_version_of_the_package() -> None:
    assert package_version(ROOT) == __version__


@pytest.mark.parametrize(
    ("tag", "version", "message"),
    [
        ("v1.2.4", "1.2.3", "The tag is 'v1.2.4', but the package version is 1.2.3: expected v1.2.3."),
        ("1.2.3", "1.2.3", "The tag is '1.2.3', but the package version is 1.2.3: expected v1.2.3."),
        ("v1.3.0rc1", "1.3.0rc1", "1.3.0rc1 is not a final version like 1.2.3; only those are released."),
    ],
)
def test_a_tag_that_does_not_name_the_version_is_refused(tag: str, version: str, message: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the message is compared below
        check(tag, version)
    assert str(refused.value) == message


def test_a_tag_that_names_the_version_is_accepted() -> None:
    check("v1.2.3", "1.2.3")


def test_release_notes_are_the_section_of_the_changelog() -> None:
    assert notes("0.2.0", CHANGELOG) == "### Added\n\n- Tabs."
    assert notes("0.0.1", CHANGELOG) == "- First."


@pytest.mark.parametrize("version", ["0.1.0", "0.3.0"], ids=["empty section", "no section"])
def test_a_release_without_notes_is_refused(version: str) -> None:
    with pytest.raises(ValueError, match=f"CHANGELOG.md says nothing about {version}"):
        notes(version, CHANGELOG)


def test_a_package_without_a_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.hatch.version]\npath = "package.py"\n')
    (tmp_path / "package.py").write_text("")
    with pytest.raises(ValueError, match="The package has no line like"):
        package_version(tmp_path)
