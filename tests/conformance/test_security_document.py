"""docs/SECURITY.md: every promise names a mechanism and tests, and what it names exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "SECURITY.md").read_text()
# A row of a table of promises: promise, mechanism, tests.
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in TEXT.splitlines()
    if line.startswith("| ") and "`tests/" in line
]
SOURCES = ("src/tabwright", "src/tabwright/browser")


def test_every_promise_has_a_mechanism_and_tests_that_exist() -> None:
    assert len(ROWS) > 20
    for row in ROWS:
        assert len(row) == 3, row
        named = re.findall(r"`(tests/[^`]+)`", row[2])
        assert named, row
        assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_source_file_that_it_names_exists() -> None:
    named = {name for row in ROWS for name in re.findall(r"`([a-z_/]+\.(?:py|js))`", row[1])}
    assert [
        name for name in sorted(named) if not any((ROOT / folder / name).exists() for folder in SOURCES)
    ] == []


def test_each_attacker_has_a_section() -> None:
    attackers = re.findall(r"^\| \[([^]]+)\]\(#", TEXT, re.M)
    sections = [section.lower() for section in re.findall(r"^## (.+)$", TEXT, re.M)]
    assert attackers == sections[:-1]
    assert sections[-1] == "not promised"
