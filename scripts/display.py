"""Gets a screen for tests of browsers with a window (Xvfb), where apt-get may bring one.

Tests say so and go on without it, so that what keeps it away is told and is no failure.
"""

import os
import shutil
import subprocess
import sys

# A computer without a network is not to wait for one.
_BRIEFLY = ("-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20", "-o", "DPkg::Lock::Timeout=60")
_INSTALL = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", *_BRIEFLY, "install", "-y", "-q")
_LONGEST = 300.0


def main() -> None:
    """Print where the screen is, or what keeps it away."""
    if shutil.which("Xvfb") is None and (problem := bring()):
        sys.stdout.write(f"None: {problem} Tests of windows are skipped until xvfb is installed.\n")
        return
    sys.stdout.write(f"{shutil.which('Xvfb')}\n")


def bring() -> str:
    """Install Xvfb; return what went wrong, if something did."""
    if shutil.which("apt-get") is None:
        return "there is no apt-get."
    if os.geteuid() == 0:
        root: tuple[str, ...] = ()
    elif shutil.which("sudo") and not run("sudo", "--non-interactive", "true"):
        root = ("sudo", "--non-interactive")
    else:
        return "installing it takes the rights of root."
    install = (*root, *_INSTALL, "--no-install-recommends", "xvfb")
    if run(*install):  # its lists of packages may be missing, or old
        run(*root, "apt-get", *_BRIEFLY, "update", "-q")
        if words := run(*install):
            return f"apt-get failed: {words}."
    return "" if shutil.which("Xvfb") else "apt-get brought no Xvfb."


def run(*command: str) -> str:
    """Run a command; return its last words if it failed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_LONGEST)
    except subprocess.TimeoutExpired:
        return f"it did not end in {_LONGEST:g} s"
    words = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return (words[-1] if words else f"exit code {done.returncode}") if done.returncode else ""


if __name__ == "__main__":
    main()
