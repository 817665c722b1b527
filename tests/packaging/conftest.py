"""The wheel, built once, and an environment that holds nothing but it and what it needs."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    (wheel,) = folder.iterdir()
    return wheel


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of its programs. What it needs has the hashes of the lock."""
    environment = tmp_path_factory.mktemp("environment") / "env"
    run(uv(), "venv", "--quiet", "--no-project", "--python", sys.executable, str(environment))
    install = (uv(), "pip", "install", "--quiet", "--python", str(environment))
    run(*install, "--require-hashes", "-r", "requirements/run.lock")
    run(*install, "--no-deps", "--offline", str(wheel))
    return environment / "bin"


def uv() -> str:
    """Return the uv of this environment."""
    return str(Path(sys.executable).with_name("uv"))


def run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
