"""Packages with HTML that other people wrote, fetched with apt and npm into .stamps; none is committed."""

import shutil
import subprocess
import tarfile
from pathlib import Path

FOLDER = Path(__file__).parents[2] / ".stamps/packages"
_TIMEOUT = 300


def fetch_package(source: str) -> Path | None:
    """Return the folder of a package ("debian:git-doc", "npm:footable@2.0.6"), or None."""
    kind, _, name = source.partition(":")
    folder = FOLDER / f"{kind}-{name.replace('/', '-')}"
    if not folder.is_dir():
        partial = folder.with_suffix(".part")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        if not (_fetch_debian if kind == "debian" else _fetch_npm)(name, partial):
            return None
        partial.rename(folder)
    return folder


def _fetch_debian(name: str, folder: Path) -> bool:
    if not _run(folder, "apt-get", "download", "-q", name):
        return False
    (archive,) = folder.glob("*.deb")
    done = _run(folder, "dpkg", "-x", archive.name, ".")
    archive.unlink()
    return done


def _fetch_npm(name: str, folder: Path) -> bool:
    if not _run(folder, "npm", "pack", "--silent", name):
        return False
    (archive,) = folder.glob("*.tgz")
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    archive.unlink()
    return True


def _run(folder: Path, *command: str) -> bool:
    """Run a client; whether it is installed and had the package."""
    if shutil.which(command[0]) is None:
        return False
    return (
        subprocess.run(command, cwd=folder, capture_output=True, timeout=_TIMEOUT, check=False).returncode
        == 0
    )
