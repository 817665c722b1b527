"""Fake system programs in a folder of the test."""

from pathlib import Path


def bare_path(folder: Path) -> str:
    """Return a PATH with only the programs that small scripts need."""
    for name in ("sh", "env", "cp", "echo"):
        (folder / name).symlink_to(Path("/bin") / name)
    return str(folder)


def program(folder: Path, name: str, script: str) -> Path:
    """Write an executable shell script."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def package_manager(folder: Path) -> Path:
    """Write an apt-get that installs itself as chromium and prints its progress."""
    copy = f"cp {folder}/apt-get {folder}/chromium"
    return program(folder, "apt-get", f"echo $1; [ $1 = install ] && printf '10%%\\r90%%\\n' && {copy} || :")
