"""The REST door against its own OpenAPI document: no internal errors, and every answer is described."""

import re
import sys
from pathlib import Path

import anyio
import pytest

from tabwright.app import running
from tabwright.home import Home
from tabwright.settings import Settings
from tests.doors.http.wired import http_door

# All requests use one session. A page that fails or a wait that times out is not an error of the door.
CONFIG = """
[[operations]]
include-path-regex = "^/api/browser/"
parameters = { "path.id" = "default" }

[checks.not_a_server_error]
expected-statuses = ["2xx", "4xx", "502", "503", "504"]
"""
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
# Actions that wait, start programs, or close the session that the others use.
EXCLUDED = "wait|pause|install|record|launch|kill|harvest|connect|page_tool|slow_type|type_text|close_session"
SHORT_SECONDS, WHOLE_SECONDS = 6, 600


@pytest.mark.parametrize("paths", ["^/api/(browser|profiles|running|health)", "^/api/actions"])
async def test_no_request_gets_an_internal_error_or_an_undescribed_answer(
    tmp_path: Path, anyio_backend: str, pytestconfig: pytest.Config, paths: str
) -> None:
    seconds = WHOLE_SECONDS if pytestconfig.getoption("--whole-sweep") else SHORT_SECONDS
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG)
    settings = Settings(calls_per_second=10_000)
    async with running(settings, Home(tmp_path, tmp_path)) as runner, http_door(runner, tmp_path) as url:
        command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run"]
        command += [f"{url}/api/openapi.json", "--max-time", str(seconds), "--phases", "fuzzing", "-n", "2"]
        command += ["--checks", CHECKS, "--include-path-regex", paths, "--exclude-path-regex", EXCLUDED]
        command += ["--seed", "1", "--no-shrink", "--suppress-health-check", "all"]
        with anyio.fail_after(60 + 5 * seconds):
            done = await anyio.run_process(command, check=False, cwd=tmp_path)
    output = done.stdout.decode()
    assert done.returncode == 0, output
    tested = re.search(r"Tested: (\d+)", output)
    assert tested, output
    assert int(tested[1]) >= 1
