"""Tokens: the file is private and has only hashes, and changes take effect at once."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tabwright.errors import Denied, InvalidArgs, NotFound
from tabwright.policy.callers.tokens import Tokens

NOON = datetime(2026, 5, 31, 12, tzinfo=UTC)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "conf" / "tokens.json"


def test_a_token_is_found_by_its_secret_and_stored_as_a_hash(file: Path, tmp_path: Path) -> None:
    tokens = Tokens(file, clock=lambda: NOON)
    assert not tokens.required
    token, secret = tokens.create("ci", ["read", "act", "read"], days=2, folder=tmp_path)
    assert token.as_json() == {
        "id": token.id,
        "name": "ci",
        "scopes": ("read", "act"),
        "created": "2026-05-31T12:00:00+00:00",
        "rotated": "",
        "expires": "2026-06-02T12:00:00+00:00",
        "folder": str(tmp_path),
    }
    assert (tokens.find(secret), tokens.find(f"{secret}x"), tokens.find("")) == (token, None, None)
    assert secret not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert tokens.required


def test_rotation_and_revocation_take_effect_at_once(file: Path) -> None:
    reader, writer = Tokens(file), Tokens(file)
    token, old = writer.create("ci", ["read"])
    assert reader.find(old) == token
    rotated, new = writer.rotate(token.id)
    assert (reader.find(old), reader.find(new)) == (None, rotated)
    writer.revoke(token.id)
    assert reader.find(new) is None
    assert reader.required, "revoking the last token does not allow calls without one"


def test_an_expired_token_is_unknown(file: Path) -> None:
    _, secret = Tokens(file, clock=lambda: NOON).create("ci", ["read"], days=1)
    assert Tokens(file, clock=lambda: NOON + timedelta(hours=23)).find(secret)
    assert Tokens(file, clock=lambda: NOON + timedelta(days=1)).find(secret) is None


def test_a_file_that_others_can_read_is_refused(file: Path) -> None:
    _, secret = Tokens(file).create("ci", ["read"])
    file.chmod(0o640)
    with pytest.raises(Denied) as refusal:
        Tokens(file).find(secret)
    assert str(refusal.value) == f"Others can read {file}. Run: chmod 600 {file}"


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"tokens": [{}]}',
        '{"tokens": [{"id": 1, "name": "a", "scopes": [], "hash": "", "created": ""}]}',
    ],
)
def test_a_damaged_file_denies_every_token(file: Path, content: str) -> None:
    file.parent.mkdir()
    file.write_text(content)
    file.chmod(0o600)
    with pytest.raises(Denied, match="is not a valid token file"):
        Tokens(file).find("tw_x")


def test_tokens_created_at_the_same_time_are_all_stored(file: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        created = list(pool.map(lambda number: Tokens(file).create(f"t{number}", ["read"]), range(12)))
    assert {token.id for token in Tokens(file)} == {token.id for token, _ in created}
    assert len(json.loads(file.read_text())["tokens"]) == 12


def test_invalid_and_unknown_tokens_are_refused(file: Path) -> None:
    tokens = Tokens(file)
    for name, scopes, days in [
        ("", ["read"], None),
        ("a b", ["read"], None),
        ("a", [], None),
        ("a", ["all"], None),
    ]:
        with pytest.raises(InvalidArgs):
            tokens.create(name, scopes, days=days)
    with pytest.raises(InvalidArgs, match="cannot be valid for -1 days"):
        tokens.create("a", ["read"], days=-1)
    for order in (tokens.revoke, tokens.rotate):
        with pytest.raises(NotFound, match="There is no token nix"):
            order("nix")


def test_a_file_that_the_user_named_requires_tokens_before_it_exists(file: Path) -> None:
    assert Tokens(file, required=True).required
    assert list(Tokens(file, required=True)) == []


@pytest.mark.parametrize("kind", ["dangling link", "link to itself", "folder"])
def test_a_token_file_that_cannot_be_read_requires_tokens(file: Path, kind: str) -> None:
    file.parent.mkdir()
    if kind == "folder":
        file.mkdir(mode=0o700)
    else:
        file.symlink_to(file if kind == "link to itself" else file.with_name("gone"))
    assert Tokens(file).required


def test_a_plain_text_token_file_is_refused_with_a_next_step(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("my-secret-token\n")
    file.chmod(0o600)
    with pytest.raises(Denied) as refused:
        list(Tokens(file))
    assert refused.value.message == f"{file} is not a token file; plain tokens do not work."
    assert refused.value.hint == "Move it away, and create a token: tabwright token create NAME"
