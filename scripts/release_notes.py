"""Checks the tag of a release against the version of the package, and prints its section of CHANGELOG.md."""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Print the notes of the release that the argument names."""
    tag = sys.argv[1]
    try:
        check(tag, package_version(ROOT))
        print(notes(tag.removeprefix("v"), (ROOT / "CHANGELOG.md").read_text()))
    except ValueError as error:
        sys.exit(str(error))


def check(tag: str, version: str) -> None:
    """Refuse a tag that does not name this version, and a version that is not final."""
    if tag != f"v{version}":
        raise ValueError(f"The tag is {tag!r}, but the package version is {version}: expected v{version}.")
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ValueError(f"{version} is not a final version like 1.2.3; only those are released.")


def package_version(root: Path) -> str:
    """Return the version, read from where the build reads it."""
    project = tomllib.loads((root / "pyproject.toml").read_text())
    source = (root / project["tool"]["hatch"]["version"]["path"]).read_text()
    found = re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    if found is None:
        raise ValueError('The package has no line like __version__ = "1.2.3".')
    return found[1]


def notes(version: str, changelog: str) -> str:
    """Return what the changelog says about a version, without its heading."""
    for section in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]:
        heading, _, text = section.partition("\n")
        if heading.split()[0].strip("[]") == version and text.strip():
            return text.strip()
    raise ValueError(f"CHANGELOG.md says nothing about {version}: add a section '## {version}'.")


if __name__ == "__main__":
    main()
