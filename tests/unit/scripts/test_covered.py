"""What `make test` says of the source that has run, and when that is too little."""

import json
from pathlib import Path

import pytest

from scripts.covered import main


@pytest.mark.parametrize(("lines", "branches", "code"), [(85, 80, 0), (84, 100, 1), (100, 79, 1)])
def test_too_few_lines_or_branches_are_reported_and_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: int, branches: int, code: int
) -> None:
    totals = {
        "covered_lines": lines,
        "num_statements": 100,
        "covered_branches": branches,
        "num_branches": 100,
    }
    (report := tmp_path / "report.json").write_text(json.dumps({"totals": totals}))
    assert main(report) == code
    output = f"The tests ran {lines}.0 % of lines (at least 85), {branches}.0 % of branches (at least 80).\n"
    assert capsys.readouterr().out == output
