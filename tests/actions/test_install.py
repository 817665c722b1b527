"""Installing a browser."""

from pathlib import Path

import pytest

from tabwright.call import Call
from tabwright.errors import Denied
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tests.programs import bare_path, package_manager


async def test_installing_a_browser_reports_its_progress(
    runner: Runner, me: Principal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", bare_path(tmp_path))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    package_manager(tmp_path)
    steps: list[tuple[float, str]] = []

    async def progress(step: float, message: str) -> None:
        steps.append((step, message))

    answer = await runner.run(Call(action="install_browser", principal=me, progress=progress))
    assert answer.text == f"The browser is at {tmp_path}/chromium."
    # Without a headless shell, installing that is reported next.
    assert steps[:4] == [(1.0, "update"), (2.0, "install"), (3.0, "10%"), (4.0, "90%")]


async def test_installing_needs_the_scope_manage(runner: Runner) -> None:
    guest = Principal("token:guest", frozenset({"read", "act", "evaluate"}))
    with pytest.raises(Denied, match="install_browser needs the scope manage"):
        await runner.run(Call(action="install_browser", principal=guest))
