"""What `make cover` says of the source that has run, and when that is too little."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts.covered import main


def report_of(lines: int, branches: int, functions: dict[str, tuple[int, int]]) -> dict[str, Any]:
    """Return a report; each function has a number of lines that ran, and a number of all its lines."""
    described = {
        name: {"summary": {"covered_lines": ran, "num_statements": known}}
        for name, (ran, known) in functions.items()
    }
    totals = {
        "covered_lines": lines,
        "num_statements": 100,
        "covered_branches": branches,
        "num_branches": 100,
    }
    return {"totals": totals, "files": {"src/a.py": {"functions": described}}}


@pytest.mark.parametrize(("lines", "branches", "code"), [(85, 80, 0), (84, 100, 1), (100, 79, 1)])
def test_too_few_lines_or_branches_are_reported_and_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: int, branches: int, code: int
) -> None:
    (report := tmp_path / "report.json").write_text(json.dumps(report_of(lines, branches, {"f": (1, 3)})))
    assert main(report) == code
    assert capsys.readouterr().out == (
        f"The tests ran {lines}.0 % of lines (at least 85), {branches}.0 % of branches (at least 80), "
        "100.0 % of functions (at least 85).\n"
    )


@pytest.mark.parametrize(("ran", "code"), [(17, 0), (16, 1)])
def test_too_few_functions_are_reported_and_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ran: int, code: int
) -> None:
    functions = {f"f{number}": (int(number < ran), 3) for number in range(20)}
    (report := tmp_path / "report.json").write_text(json.dumps(report_of(100, 100, functions)))
    assert main(report) == code
    assert f", {ran * 5}.0 % of functions (at least 85).\n" in capsys.readouterr().out


def test_module_code_and_functions_without_statements_do_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    functions = {"": (0, 9), "Protocol.method": (0, 0), "used": (1, 2), "Class.used": (2, 2)}
    (report := tmp_path / "report.json").write_text(json.dumps(report_of(100, 100, functions)))
    assert main(report) == 0
    assert "100.0 % of functions" in capsys.readouterr().out


def test_functions_are_counted_in_a_report_of_coverage_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source := tmp_path / "half.py").write_text(
        "def used():\n    return 1 if True else 2\n\n\ndef unused():\n    return 3\n\n\n"
        "class Class:\n    def method(self):\n        if used():\n            return 4\n        return 5\n\n\nClass().method()\n"
    )
    coverage = (sys.executable, "-m", "coverage")
    data = f"--data-file={tmp_path / 'data'}"
    subprocess.run([*coverage, "run", "--branch", "--rcfile=", data, source], check=True)
    subprocess.run([*coverage, "json", "-q", "--rcfile=", data, "-o", tmp_path / "report.json"], check=True)
    assert main(tmp_path / "report.json") == 1
    assert "66.7 % of functions (at least 85)" in capsys.readouterr().out
