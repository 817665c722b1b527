"""`tabwright profile`: exported to a file by one user, imported by another, encrypted in between."""

import json
from pathlib import Path

import pytest

from tabwright.errors import Denied, InvalidArgs
from tabwright.home import Home
from tabwright.profiles.encrypted_export import Moved, seal, unseal
from tests.doors.cli.shell import Shell
from tests.web import Web

PAGE = """<title>Shop</title><script>
    document.cookie = 'login=cookie-of-ann; max-age=9999';
    document.cookie = 'visit=seven';
    localStorage.basket = 'full-of-apples';
</script>"""
OPEN = {
    "TABWRIGHT_SECURITY__BLOCK_EVAL": "false",
    "TABWRIGHT_SECURITY__ALLOWED_PROXIES": '["127.0.0.1:3128"]',
}


async def test_a_profile_moves_to_another_home_with_its_logins(tmp_path: Path, web: Web) -> None:
    page, empty = web.page(PAGE, "/shop"), web.page("<title>Empty</title>", "/empty")
    (tmp_path / "pass").write_text("a long passphrase\nnot this\n")
    here = Shell(tmp_path, Home(tmp_path / "here", tmp_path / "here"), OPEN)
    there = Shell(tmp_path, Home(tmp_path / "there", tmp_path / "there"), OPEN)
    export = ("profile", "export", "us.profile", "--profile", "us", "--passphrase-file", "pass")
    proxy = "http://ann:proxy-secret@127.0.0.1:3128"  # not used: localhost bypasses it
    try:
        await here.run("create-profile", "US", "--lang", "pt-BR", "--tags", "eu", "--proxy-server", proxy)
        assert (await here.run("navigate", page, "--session", "us")).code == 0
        refused = await here.run(*export)
        assert refused.code == 5
        assert "Another browser has " in refused.err
        assert "tabwright kill-browser ID" in refused.err
        await here.run("kill-browser", "us")
        exported = await here.run(*export)
        assert (exported.code, exported.err) == (0, "")
        assert exported.out == "Exported us to us.profile: 2 cookies and the storage of 1 site.\n"
        file = tmp_path / "us.profile"
        assert file.stat().st_mode & 0o777 == 0o600
        for secret in ("cookie-of-ann", "seven", "full-of-apples", "proxy-secret", "127.0.0.1"):
            assert secret not in file.read_text()
        assert json.loads(file.read_text())["settings"]["lang"] == "pt-BR"

        (tmp_path / "wrong").write_text("another passphrase")
        wrong = await there.run("profile", "import", "us.profile", "--passphrase-file", "wrong")
        assert (wrong.code, "The passphrase is wrong, or the file was changed." in wrong.err) == (6, True)
        imported = await there.run("profile", "import", "us.profile", "--passphrase-file", "pass", "--json")
        assert json.loads(imported.out) == {"profile": "us", "file": "us.profile", "cookies": 2, "origins": 1}
        shown = json.loads((await there.run("get-profile", "us", "--json")).out)["result"]
        assert shown == {
            "id": "us", "name": "US", "description": "", "user_data_dir": str(tmp_path / "there/profiles/us"),
            "proxy_server": "http://ann:•••@127.0.0.1:3128", "lang": "pt-BR", "timezone": "", "headless": True,
            "tags": ["eu"], "custom_args": [], "running": False,
        }  # fmt: skip
        assert (await there.run("navigate", empty, "--session", "us")).code == 0
        script = "[document.cookie, localStorage.basket, navigator.language]"
        seen = await there.run("evaluate", script, "--session", "us", "--json")
        assert json.loads(seen.out)["result"]["value"] == [
            "login=cookie-of-ann; visit=seven",
            "full-of-apples",
            "pt-BR",
        ]
        again = await there.run("profile", "import", "us.profile", "--passphrase-file", "pass")
        assert (
            again.out
            == "Imported us.profile as us-2: 2 cookies and the storage of 1 site. Its session is us-2.\n"
        )
    finally:
        here.stop_hub()
        there.stop_hub()


async def test_failed_exports_and_imports_are_reported(tmp_path: Path) -> None:
    shell = Shell(tmp_path, Home(tmp_path, tmp_path))
    (tmp_path / "short").write_text("1234567")
    (tmp_path / "long").write_text("12345678")
    (tmp_path / "other").write_text("{}")
    for words, code, message in (
        (("export", "f"), 2, "missing --profile"),
        (("export", "f", "--profile", "us", "--passphrase-file", "short"), 2, "fewer than 8 characters"),
        (("export", "f", "--profile", "us", "--passphrase-file", "long"), 3, "There is no profile us"),
        (("export", "f", "--profile", "us", "--passphrase-file", "none"), 2, "none cannot be read"),
        (("import", "other", "--passphrase-file", "long"), 2, "The file is not an exported profile."),
        (("import", "none", "--passphrase-file", "long"), 2, "none cannot be read"),
    ):
        ran = await shell.run("profile", *words)
        assert (ran.code, message in ran.err) == (code, True), ran
    assert not (tmp_path / "f").exists()


def test_a_file_that_was_changed_is_refused() -> None:
    sealed = seal(Moved({"lang": "fr"}, {"cookies": ["secret"]}), "12345678")
    assert unseal(sealed, "12345678") == Moved({"lang": "fr"}, {"cookies": ["secret"]})
    with pytest.raises(Denied, match="The passphrase is wrong, or the file was changed"):
        unseal(sealed.replace(b'"fr"', b'"de"'), "12345678")
    for bad in (
        b"",
        b"[]",
        b"{}",
        sealed.replace(b'"version": 1', b'"version": 2'),
        sealed.replace(b'"salt": "', b'"salt": "!'),
    ):
        with pytest.raises(InvalidArgs, match="The file is not an exported profile"):
            unseal(bad, "12345678")
