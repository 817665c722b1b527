"""Paths stay inside the caller's folders, whatever their names and links."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tabwright.actions import CATALOG
from tabwright.errors import Denied, InvalidArgs
from tabwright.policy.callers.principal import Principal
from tabwright.policy.data.file_access import Files
from tabwright.schema import validate

CASES = json.loads((Path(__file__).parents[3] / "cases" / "paths.json").read_text())
CONTROLS = {"ok.png", "sub/ok.png", "exists.png", "sub//ok2.png", "sub/./ok3.png", "x.PNG", "--help.png"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with files and traps, next to others that must not be touched."""
    folder = tmp_path / "work"
    (folder / "sub").mkdir(parents=True)
    for name in CONTROLS:
        (folder / name).write_text("inside")
    outside = tmp_path / "work-not"
    outside.mkdir()
    (outside / "x.png").write_text("outside")
    (tmp_path / "x.png").write_text("outside")
    (folder / "linkfile.png").symlink_to(tmp_path / "x.png")
    (folder / "linkdir").symlink_to(outside)
    (folder / "dangling.png").symlink_to(tmp_path / "new.png")
    (folder / "again.png").symlink_to(folder / "ok.png")
    os.mkfifo(folder / "fifo.png")
    return folder


def everything_around(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.parent.rglob("*") if not path.is_relative_to(folder))


ESCAPES = ["linkdir/x.png", "linkdir", "../work-not/x.png", "../work-not"]


@pytest.mark.parametrize("case", [*CASES, *ESCAPES], ids=lambda case: repr(case)[:40])
def test_a_path_stays_inside_or_is_refused(folder: Path, case: Any) -> None:
    me, before = Principal("local:test", folder=folder), everything_around(folder)
    for action, args in (
        ("upload", {"target": "input", "paths": [case]}),
        ("save_downloads", {"folder": case}),
    ):
        try:
            given = Files().resolve_paths(validate(CATALOG[action].args, args), me)
        except (Denied, InvalidArgs):
            assert action == "save_downloads" or case not in list(CONTROLS)
            continue
        for path in getattr(given, "paths", None) or [getattr(given, "folder", "")]:
            assert Path(path).resolve() == Path(path)
            assert Path(path).is_relative_to(folder)
            assert Path(path).is_dir() or Path(path).read_text() == "inside"
    assert everything_around(folder) == before


def test_folders_of_the_settings_are_allowed_for_all_callers(folder: Path, tmp_path: Path) -> None:
    nobody, elsewhere = Principal("local:user"), tmp_path / "work-not"
    with pytest.raises(Denied) as refused:
        Files().resolve_readable(str(elsewhere / "x.png"), nobody)
    assert refused.value.message == f"{elsewhere}/x.png is outside of the folders that may be used: none."
    assert Files([elsewhere]).resolve_readable(str(elsewhere / "x.png"), nobody) == elsewhere / "x.png"


@pytest.mark.parametrize("place", ["", ".", "..", "../.."])
def test_the_home_folder_and_its_parents_are_not_a_clients_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    home = tmp_path / "home" / "ada"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id_rsa").write_text("key")
    monkeypatch.setenv("HOME", str(home))
    client = Principal.here("local:desktop", Path("/") if not place else home / place)
    for path in (f"{home}/.ssh/id_rsa", "home/ada/.ssh/id_rsa", ".ssh/id_rsa"):
        with pytest.raises(Denied) as refused:
            Files().resolve_readable(path, client)
        assert refused.value.message == f"{path} is outside of the folders that may be used: none."
        assert refused.value.hint == (
            "Ask the user to add a folder to files.folders, or to start the client in its working folder; the "
            "home folder and / are excluded."
        )


def test_folders_below_home_and_of_the_settings_are_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    work, downloads = tmp_path / "work", tmp_path / "Downloads"
    for folder in (work, downloads):
        folder.mkdir()
        (folder / "note.txt").write_text("note")
    assert Files().resolve_readable("note.txt", Principal.here("local:a", work)) == work / "note.txt"
    nowhere = Principal.here("local:b", tmp_path)
    assert Files([downloads]).resolve_readable("note.txt", nowhere) == downloads / "note.txt"


def test_a_link_inside_the_folder_is_followed(folder: Path) -> None:
    me = Principal("local:test", folder=folder)
    assert Files().resolve_readable("again.png", me) == folder / "ok.png"
