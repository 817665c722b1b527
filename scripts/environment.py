"""Sets up the virtual environment of this folder: says what it does, how far it is, and what is missing.

It runs before anything is installed, so it needs nothing but the standard library.
"""

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_PIP = ("-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off")
_PACKAGE = ("Collecting", "Processing", "Requirement already")


class Missing(Exception):
    """Something is not there: the fact, and the next step."""


def main() -> int:
    """Set everything up; return the exit code."""
    python = _ROOT / ".venv/bin/python"
    try:
        make_environment(_ROOT / ".venv")
        get_packages(python, _ROOT / "requirements/dev.lock")
        install_ourselves(python, *sys.argv[1:])
    except Missing as missing:
        print("", *missing.args, sep="\n", file=sys.stderr)
        return 1
    return 0


def make_environment(folder: Path) -> None:
    """Make the virtual environment."""
    say("a virtual environment in .venv")
    if fault := run(sys.executable, "-m", "venv", str(folder)):
        raise Missing(
            f"{sys.executable} cannot make virtual environments. {fault}",
            "Debian and Ubuntu have that in a package of its own: apt install python3-venv. "
            "Another Python: make PYTHON=python3.12",
        )


def get_packages(python: Path, lock: Path) -> None:
    """Get what the lock names, showing how far it is."""
    total = sum(line[:1].isalnum() for line in lock.read_text().splitlines())
    say(f"{total} packages, as {lock.name} names them (a minute or two, the first time)")
    # The lock is whole: to look for what packages need would meet versions that came out later.
    command = [str(python), *_PIP, "--no-deps", "--require-hashes", "-r", str(lock)]
    words, number = "pip did not say why.", 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            if line.startswith((*_PACKAGE, "Installing", "ERROR", "WARNING: Retrying")):
                words, number = line.strip(), number + line.startswith(_PACKAGE)
                show(f"  {number} of {total}  {words[:70]}")
    show("")
    if pip.returncode:
        step = "`pip config list` shows which package registry it asks. `make` again goes on from here."
        raise Missing(f"The packages could not be had. {words}", step)


def install_ourselves(python: Path, wheel: str = "") -> None:
    """Link the package from src, or install it from a wheel."""
    say(f"Tabwright itself, from {wheel or 'src'}")
    source = [wheel] if wheel else ["--no-build-isolation", "--editable", str(_ROOT)]
    if fault := run(str(python), *_PIP, "--no-deps", *source):
        raise Missing(f"Tabwright could not be installed. {fault}", "Try anew: make clean run")


def run(*command: str) -> str:
    """Run a program to its end; return its last words if it failed."""
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    if ended.returncode == 0:
        return ""
    lines = [line.strip() for line in (ended.stdout + ended.stderr).splitlines() if line.strip()]
    return lines[-1] if lines else "It did not say why."


def say(what: str) -> None:
    """Say what is done now."""
    print(f"Setting up: {what}", flush=True)


def show(words: str) -> None:
    """Show on one line of a terminal how far it is."""
    if sys.stdout.isatty():
        print(f"\r\x1b[K{words}", end="", flush=True)


if __name__ == "__main__":
    sys.exit(main())
