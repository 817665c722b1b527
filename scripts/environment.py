"""Sets up the virtual environment of this folder, and prints progress and what is missing.

It runs before anything is installed, so it uses only the standard library.
"""

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_PIP = ("-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off")
_PACKAGE = ("Collecting", "Processing", "Requirement already")


class Missing(Exception):
    """Something is missing: the fact, and the next step."""


def main() -> int:
    """Set everything up; return the exit code."""
    python = _ROOT / ".venv/bin/python"
    try:
        create_environment(_ROOT / ".venv")
        install_packages(python, _ROOT / "requirements/dev.lock")
        install_tabwright(python, *sys.argv[1:])
    except Missing as missing:
        print("", *missing.args, sep="\n", file=sys.stderr)
        return 1
    return 0


def create_environment(folder: Path) -> None:
    """Create the virtual environment."""
    report("a virtual environment in .venv")
    if fault := run(sys.executable, "-m", "venv", str(folder)):
        raise Missing(
            f"{sys.executable} cannot create virtual environments. {fault}",
            "On Debian and Ubuntu: apt install python3-venv. Another Python: make PYTHON=python3.12",
        )


def install_packages(python: Path, lock: Path) -> None:
    """Install the packages of the lock file, with progress."""
    total = sum(line[:1].isalnum() for line in lock.read_text().splitlines())
    report(f"{total} packages from {lock.name} (a minute or two, the first time)")
    # The lock is complete; resolving dependencies could find newer versions.
    command = [str(python), *_PIP, "--no-deps", "--require-hashes", "-r", str(lock)]
    last, number = "pip gave no reason.", 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            if line.startswith((*_PACKAGE, "Installing", "ERROR", "WARNING: Retrying")):
                last, number = line.strip(), number + line.startswith(_PACKAGE)
                show_progress(f"  {number} of {total}  {last[:70]}")
    show_progress("")
    if pip.returncode:
        step = "`pip config list` shows which package registry it uses. Run `make` again to continue."
        raise Missing(f"The packages could not be installed. {last}", step)


def install_tabwright(python: Path, wheel: str = "") -> None:
    """Link the package from src, or install it from a wheel."""
    report(f"Tabwright itself, from {wheel or 'src'}")
    source = [wheel] if wheel else ["--no-build-isolation", "--editable", str(_ROOT)]
    if fault := run(str(python), *_PIP, "--no-deps", *source):
        raise Missing(f"Tabwright could not be installed. {fault}", "Try again: make clean run")


def run(*command: str) -> str:
    """Run a program; return the last line of its output if it failed."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return lines[-1] if lines else "It gave no reason."


def report(what: str) -> None:
    """Print the current step."""
    print(f"Setting up: {what}", flush=True)


def show_progress(text: str) -> None:
    """Show progress on one line of a terminal."""
    if sys.stdout.isatty():
        print(f"\r\x1b[K{text}", end="", flush=True)


if __name__ == "__main__":
    sys.exit(main())
