"""What RESULTS.md makes of the figures of a run."""

import json
from typing import Any

from bench.results.document import document
from bench.results.files import FIGURES


def figures(**screenshot: float) -> dict[str, Any]:
    """The figures of the run that is kept, with others for pictures."""
    kept: dict[str, Any] = json.loads(FIGURES.read_text())
    taken = {"operation": "screenshot", "ratio": 0.73, "aim": None, "floor": 0.66, **screenshot}
    return {**kept, "engine": {**kept["engine"], "operations": [taken]}}


def test_a_budget_beside_the_floor_is_told_with_what_was_measured() -> None:
    told = document(figures(of_floor=1.11, of_floor_aim=1.3))
    assert "| screenshot | 0.73 | 0.66 | ≤ 1.3 x floor | met: 1.11 |" in told
    assert "compressed for speed" in told
    assert "| ≤ 1.3 x floor | missed: 1.31 |" in document(figures(of_floor=1.31, of_floor_aim=1.3))


def test_without_such_a_figure_nothing_is_said_of_it() -> None:
    told = document(figures())
    assert "| screenshot | 0.73 | 0.66 |  |  |" in told
    assert "compressed for speed" not in told


def test_the_program_that_was_measured_is_named() -> None:
    run = figures()
    run["mcp"]["browser"] = "/usr/lib/chromium/chromium-headless-shell"
    run["engine"]["browser"] = "Chrome/156"
    assert "Chrome/156, the program /usr/lib/chromium/chromium-headless-shell; " in document(run)
