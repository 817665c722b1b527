"""Installs a virtual screen (Xvfb) with apt-get, for tests of browsers with a window.

Without it those tests are skipped, so a failure is only reported.
"""

import os
import shutil
import subprocess
import sys

# Do not wait long on a computer without a network.
_SHORT_TIMEOUTS = (
    "-o",
    "Acquire::Retries=0",
    "-o",
    "Acquire::http::Timeout=20",
    "-o",
    "DPkg::Lock::Timeout=60",
)
_INSTALL = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", *_SHORT_TIMEOUTS, "install", "-y", "-q")
_TIMEOUT = 300.0


def main() -> None:
    """Print the path of Xvfb, or why there is none."""
    if shutil.which("Xvfb") is None and (problem := install()):
        sys.stdout.write(f"None: {problem} Tests of windows are skipped until xvfb is installed.\n")
        return
    sys.stdout.write(f"{shutil.which('Xvfb')}\n")


def install() -> str:
    """Install Xvfb; return what went wrong, if something did."""
    if shutil.which("apt-get") is None:
        return "there is no apt-get."
    if os.geteuid() == 0:
        root: tuple[str, ...] = ()
    elif shutil.which("sudo") and not run("sudo", "--non-interactive", "true"):
        root = ("sudo", "--non-interactive")
    else:
        return "installing it needs root rights."
    command = (*root, *_INSTALL, "--no-install-recommends", "xvfb")
    if run(*command):  # the package lists may be missing or old
        run(*root, "apt-get", *_SHORT_TIMEOUTS, "update", "-q")
        if error := run(*command):
            return f"apt-get failed: {error}."
    return "" if shutil.which("Xvfb") else "apt-get installed no Xvfb."


def run(*command: str) -> str:
    """Run a command; return the last line of its output if it failed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"it did not finish in {_TIMEOUT:g} s"
    lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return (lines[-1] if lines else f"exit code {done.returncode}") if done.returncode else ""


if __name__ == "__main__":
    main()
