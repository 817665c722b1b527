"""The requirements: every row is proved by tests that exist, or marked as pending."""

import ast
import tomllib
from pathlib import Path

TESTS = Path(__file__).parents[1]
LEDGER = {"V": 25, "T": 13, "A": 15, "B": 20, "S": 4, "X": 4, "F": 2, "P": 3, "M": 1, "D": 1}


def _manifest() -> tuple[list[str], dict[str, list[str]]]:
    manifest = tomllib.loads((TESTS / "requirements.toml").read_text())
    return manifest["pending"], manifest["rows"]


def _tests() -> set[str]:
    return {
        f"{path.relative_to(TESTS.parent)}::{node.name}"
        for path in TESTS.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


def test_every_requirement_is_proved_or_pending_and_never_both() -> None:
    pending, rows = _manifest()
    every = {f"{letter}{number}" for letter, count in LEDGER.items() for number in range(1, count + 1)}
    assert sorted([*pending, *rows]) == sorted(every)


def test_every_proof_exists() -> None:
    _, rows = _manifest()
    named = {test for tests in rows.values() for test in tests}
    assert named - _tests() == set()
    assert [row for row, tests in rows.items() if not tests] == []
