"""The wheel, built once, and an environment with only the wheel and its dependencies."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from scripts.release import build_wheel
from tests.doors.mcp.agents import HubHome, hub_of

ROOT = Path(__file__).parents[2]
# uv uses the certificates of the system only with this setting.
TRUST = {"UV_NATIVE_TLS": "true", "UV_SYSTEM_CERTS": "true"}


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of its programs. Dependencies are installed with the hashes of the lock file."""
    environment = tmp_path_factory.mktemp("environment") / "env"
    uv = str(Path(sys.executable).parent / "uv")
    run(uv, "venv", "--quiet", "--python", sys.executable, str(environment))
    install = (uv, "pip", "install", "--quiet", "--python", str(environment / "bin" / "python"))
    run(*install, "--require-hashes", "-r", "requirements/run.lock")
    run(*install, "--no-deps", "--no-index", str(wheel))
    return environment / "bin"


@pytest.fixture(scope="session")
async def hub(
    anyio_backend: str, installed: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[HubHome]:
    """A hub that the installed program started."""
    async with hub_of(tmp_path_factory.mktemp("hub"), dialect="browser") as hub:
        await anyio.run_process([installed / "tabwright", "list-sessions"], env=environment_of(hub))
        yield hub


def environment_of(hub: HubHome) -> dict[str, str]:
    """Return an environment in which a program finds the hub, but not our source."""
    return {**os.environ, **hub.environment, "PYTHONPATH": ""}  # noqa: TID251 - inherits the tests' own


def run(*command: str) -> None:
    environment = {**os.environ, **TRUST}  # noqa: TID251 - inherits the tests' own
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
