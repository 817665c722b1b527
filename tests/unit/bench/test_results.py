"""Rendering the figures of a run as RESULTS.md."""

import json
from typing import Any

from bench.results.document import document
from bench.results.files import FIGURES


def figures(**screenshot: float) -> dict[str, Any]:
    """Return the stored figures, with others for screenshots."""
    stored: dict[str, Any] = json.loads(FIGURES.read_text())
    taken = {"operation": "screenshot", "ratio": 0.73, "aim": None, "floor": 0.66, **screenshot}
    return {**stored, "engine": {**stored["engine"], "operations": [taken]}}


def test_a_budget_relative_to_the_floor_is_shown_with_the_measured_ratio() -> None:
    text = document(figures(of_floor=1.11, of_floor_aim=1.3))
    assert "| screenshot | 0.73 | 0.66 | ≤ 1.3 x floor | met: 1.11 |" in text
    assert "compressed for speed" in text
    assert "| ≤ 1.3 x floor | missed: 1.31 |" in document(figures(of_floor=1.31, of_floor_aim=1.3))


def test_without_a_floor_figure_no_budget_is_shown() -> None:
    text = document(figures())
    assert "| screenshot | 0.73 | 0.66 |  |  |" in text
    assert "compressed for speed" not in text


def test_the_measured_program_is_named() -> None:
    run = figures()
    run["mcp"]["browser"] = "/usr/lib/chromium/chromium-headless-shell"
    run["engine"]["browser"] = "Chrome/156"
    assert "Chrome/156, the program /usr/lib/chromium/chromium-headless-shell; " in document(run)


def test_calls_in_the_users_chrome_are_shown_beside_those_in_a_launched_one() -> None:
    row = {"name": "fill", "user": 0.0425, "launched": 0.0386, "ratio": 1.1}
    text = document({**figures(), "user_chrome": {"busy": 0.1, "rows": [row]}})
    assert "| fill | 42.5 ms | 38.6 ms | 1.1 |" in text


def test_the_corpora_are_shown_with_their_targets() -> None:
    rows = [
        {"name": "names", "value": 0.9912, "target": 0.985, "cases": 624},
        {"name": "roles", "value": 0.97, "target": 0.985, "cases": 100},
        {"name": "pages", "value": 0.5, "target": None, "cases": 2},
    ]
    text = document(figures(), {"names": rows})
    assert "| names: names | 0.991 | 624 | ≥ 0.985 | met |" in text
    assert "| names: roles | 0.970 | 100 | ≥ 0.985 | missed |" in text
    assert "| names: pages | 0.500 | 2 |  |  |" in text
