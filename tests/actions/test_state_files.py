"""State files with more origins than are restored."""

import json
from pathlib import Path

import pytest

from tests.calls import Do


async def test_origins_beyond_the_limit_of_a_state_file_are_counted(
    do: Do, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabwright.browser.saved_state.playwright_file._MAX_ORIGINS", 2)
    stored = [{"name": "a", "value": "b"}]
    origins = [{"origin": f"https://s{n}.example", "localStorage": stored} for n in range(5)]
    (tmp_path / "state.json").write_text(json.dumps({"cookies": [], "origins": origins}))
    assert (await do("load_state", path="state.json")).text.splitlines() == [
        "Loaded 0 cookies and the storage of 5 origins.",
        "3 of these origins were left out: only 2 are restored.",
    ]
