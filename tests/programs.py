"""Stand-ins for programs of the system, in a folder of the test's own."""

from pathlib import Path


def bare_path(folder: Path) -> str:
    """Return a search path on which nothing is found but what small scripts need."""
    for name in ("sh", "env", "cp", "echo"):
        (folder / name).symlink_to(Path("/bin") / name)
    return str(folder)


def program(folder: Path, name: str, script: str) -> Path:
    """Write a program."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def package_manager(folder: Path) -> Path:
    """Write an apt-get that installs itself as chromium, and says how it goes."""
    copy = f"cp {folder}/apt-get {folder}/chromium"
    return program(folder, "apt-get", f"echo $1; [ $1 = install ] && printf '10%%\\r90%%\\n' && {copy} || :")
