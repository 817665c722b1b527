"""`make conformance`: the official MCP suite against the fixture, and the official TypeScript client at work."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import anyio

from tests.conformance.mcp.fixture import serve_fixture
from tests.doors.mcp.agents import hub_of
from tests.web import serve_web

REVISIONS = ("2025-11-25", "2026-07-28")
PAGE = """<label>Name <input id=name></label>
<button onclick="out.textContent = `Hello, ${document.getElementById('name').value}!`">Greet</button>
<output id=out></output>"""


async def main(node_modules: Path) -> int:
    """Run everything; return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        passed = [await _suite(node_modules, revision, Path(folder)) for revision in REVISIONS]
        passed.append(await _client(node_modules, Path(folder) / "home"))
    return 0 if all(passed) else 1


async def _suite(node_modules: Path, revision: str, folder: Path) -> bool:
    script = node_modules / "@modelcontextprotocol/conformance/dist/index.js"
    async with serve_fixture(folder) as url:
        answer = await anyio.run_process(
            [node_modules / ".bin/node", script, "server", "--url", url, "--requirements", revision],
            check=False,
            stderr=subprocess.STDOUT,
        )
    output = answer.stdout.decode()
    summary, _, unscored = output.partition("=== SUMMARY ===")[2].partition("Not scored")
    ran = re.findall(r"^(.) ([\w/-]+): (\d+) passed, (\d+) failed", summary, re.MULTILINE)
    unscored_names = set(re.findall(r"^  . ([\w/-]+) \(", unscored, re.MULTILINE))
    scored = [(mark, name, int(checks)) for mark, name, checks, _ in ran if name not in unscored_names]
    failed = [name for mark, name, _ in scored if mark != "✓"]
    print(
        f"MCP {revision}: {len(scored) - len(failed)} of {len(scored)} scored scenarios pass "
        f"({sum(checks for *_, checks in scored)} checks); not scored: "
        f"{sum(mark == '✓' for mark, name, *_ in ran if name in unscored_names)} of {len(unscored_names)}"
    )
    if failed or not scored:
        print(output)
    return bool(scored) and not failed


async def _client(node_modules: Path, home: Path) -> bool:
    script = Path(__file__).with_name("client.mjs")
    async with serve_web() as web, hub_of(home) as hub:
        answer = await anyio.run_process(
            [node_modules / ".bin/node", script, node_modules.parent, web.page(PAGE), *hub.command],
            check=False,
            stderr=subprocess.STDOUT,
            env={**os.environ, **hub.environment},  # noqa: TID251 - the client's, with our home in it
        )
    print(answer.stdout.decode().strip())
    return answer.returncode == 0


if __name__ == "__main__":
    sys.exit(anyio.run(main, Path(sys.argv[1]).absolute()))
