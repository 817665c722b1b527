"""The first `make` where something is missing: it fails with what is missing and what to do."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.environment import Missing, install_packages
from tests.packaging.conftest import ROOT
from tests.programs import bare_path, program


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The parts of a fresh clone that setting up reads."""
    folder = tmp_path / "checkout"
    for name in ("Makefile", "pyproject.toml", "requirements/dev.lock", "scripts/environment.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def make(folder: Path, *words: str, **environment: str) -> tuple[int, str, list[str]]:
    """Run make; return its exit code, output and errors, without make's own last line."""
    run = subprocess.run(
        ["make", "run", *words],
        cwd=folder,
        env={**os.environ, "MAKEFLAGS": "", "MAKELEVEL": "", **environment},  # noqa: TID251 - make inherits the tests' own
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return run.returncode, run.stdout, run.stderr.strip().splitlines()[:-1]


def test_without_a_recent_python(checkout: Path, tmp_path: Path) -> None:
    old = program(tmp_path, "python3.8", "exit 1")
    for python in (str(old), "no-such-python"):
        assert make(checkout, f"PYTHON={python}") == (
            2,
            "",
            [
                f"Tabwright needs Python 3.11 or newer; {python} is older or missing. Try: make PYTHON=python3.12"
            ],
        )


def test_without_the_venv_module(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "venv.py").write_text("raise SystemExit('ensurepip is not available')")
    code, output, errors = make(checkout, f"PYTHON={sys.executable}", PYTHONPATH=str(tmp_path))
    assert (code, output) == (2, "Setting up: a virtual environment in .venv\n")
    assert errors == [
        f"{sys.executable} cannot create virtual environments. ensurepip is not available",
        "On Debian and Ubuntu: apt install python3-venv. Another Python: make PYTHON=python3.12",
    ]


def test_without_access_to_a_package_registry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, value in {
        "CONFIG_FILE": os.devnull,
        "INDEX_URL": "http://127.0.0.1:1/",
        "RETRIES": "0",
    }.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    for name in ("EXTRA_INDEX_URL", "FIND_LINKS"):
        monkeypatch.delenv(f"PIP_{name}", raising=False)
    lock = tmp_path / "dev.lock"
    lock.write_text(f"# one\nno-such-package==1.0 \\\n    --hash=sha256:{64 * '0'}\n")

    with pytest.raises(Missing) as caught:
        install_packages(Path(sys.executable), lock)

    assert caught.value.args == (
        "The packages could not be installed. ERROR: No matching distribution found for no-such-package==1.0",
        "`pip config list` shows which package registry it uses. Run `make` again to continue.",
    )
    output = "Setting up: 1 packages from dev.lock (a minute or two, the first time)\n"
    assert capfd.readouterr().out == output


def test_without_a_browser_and_permission_to_install_one(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    program(folder, "apt-get", "exit 1")
    program(folder, "sudo", "exit 1")
    command = (
        "import os, runpy, sys; os.geteuid = lambda: 1000; sys.argv[1:] = ['http://127.0.0.1:1/']; "
        "runpy.run_module('scripts.install_browser', run_name='__main__')"
    )
    environment = {"PATH": bare_path(folder), "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        [sys.executable, "-c", command], env=environment, check=False, capture_output=True, text=True
    )
    assert (run.returncode, run.stdout) == (1, "")
    *_, last = run.stderr.splitlines()
    assert re.sub(r"<.*>", "…", last) == (
        "Installing a browser needs root rights. Chrome for Testing is not available: …. Install one "
        "(Debian and Ubuntu: apt install chromium; Fedora: dnf install chromium; macOS: brew install --cask "
        "google-chrome), or set TABWRIGHT_BROWSER to its path."
    )


def test_without_the_browser_that_was_found_last_time(checkout: Path, tmp_path: Path) -> None:
    for folder in ("browsers", "checkout/.stamps", "checkout/.venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    (checkout / ".stamps" / "dev").touch()
    program(checkout / ".venv" / "bin", "python", f"ls {tmp_path}/browsers/*")  # replaces the search for one
    program(checkout / ".venv" / "bin", "tabwright", "echo Serving")
    served = ".venv/bin/tabwright serve\nServing\n"
    found = []
    for name in ("Google Chrome", "Chromium"):
        browser = program(tmp_path / "browsers", name, "exit 0")
        found.append((make(checkout), make(checkout)))
        browser.unlink()
    assert found == [
        ((0, f"Browser: {tmp_path}/browsers/{name}\n{served}", []), (0, served, []))
        for name in ("Google Chrome", "Chromium")
    ]


@pytest.mark.parametrize(
    ("user", "apt_get", "output"),
    [
        (1000, "exit 1", "installing it needs root rights."),
        (0, "echo no network >&2; exit 100", "apt-get failed: no network."),
        (0, "exit 0", "apt-get installed no Xvfb."),
        (0, "cp /bin/sh FOLDER/Xvfb", ""),
    ],
)
def test_without_a_screen_tests_run_and_say_what_is_missing(
    tmp_path: Path, user: int, apt_get: str, output: str
) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    program(folder, "apt-get", apt_get.replace("FOLDER", str(folder)))
    program(folder, "sudo", "exit 1")
    command = f"import os, runpy; os.geteuid = lambda: {user}; runpy.run_module('scripts.display', run_name='__main__')"
    environment = {"PATH": bare_path(folder), "PYTHONPATH": os.pathsep.join((str(ROOT), *sys.path))}
    run = subprocess.run(
        [sys.executable, "-c", command], env=environment, check=False, capture_output=True, text=True
    )
    why = f"None: {output} Tests of windows are skipped until xvfb is installed."
    assert (run.returncode, run.stdout, run.stderr) == (0, f"{why if output else folder / 'Xvfb'}\n", "")
