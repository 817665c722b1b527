"""`tabwright token`."""

import json
from pathlib import Path

import pytest

from tabwright.home import Home
from tabwright.policy.callers.tokens import Tokens
from tests.doors.cli.shell import Ran, Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path, Home(tmp_path / "home", tmp_path / "home"))


async def test_a_token_is_shown_once_then_rotated_and_revoked(shell: Shell) -> None:
    tokens = Tokens(shell.home.config / "tokens.json")
    made = await shell.run("token", "create", "ci", "--scope", "read", "--scope", "act", "--expires", "7")
    (token,) = tokens
    assert (tokens.find(made.out.strip()), token.scopes) == (token, ("read", "act"))
    line = f"{token.id}  ci  read,act  created {token.created}  expires {token.expires}"
    note = "It is not shown again. Send it as: Authorization: Bearer TOKEN\n"
    assert (made.code, made.err) == (0, f"{line}\n{note}")
    assert await shell.run("token", "list") == Ran(0, f"{line}\n", "")

    rotated = json.loads((await shell.run("token", "rotate", token.id, "--json")).out)
    assert rotated.pop("token") not in (made.out.strip(), "")
    assert rotated == json.loads(json.dumps(next(iter(tokens)).as_json()))
    assert tokens.find(made.out.strip()) is None

    assert await shell.run("token", "revoke", token.id) == Ran(0, f"Revoked ci ({token.id}).\n", "")
    assert await shell.run("token", "list") == Ran(0, "No tokens.\n", "")


async def test_a_token_can_be_named_if_its_name_is_unique(shell: Shell) -> None:
    tokens = Tokens(shell.home.config / "tokens.json")
    only, _ = tokens.create("only", ["read"])
    twins = sorted(tokens.create("ci", ["read"])[0].id for _ in range(2))
    named_so, _ = tokens.create(twins[0], ["read"])

    assert (await shell.run("token", "rotate", "only")).code == 0
    assert await shell.run("token", "revoke", "only") == Ran(0, f"Revoked only ({only.id}).\n", "")
    assert await shell.run("token", "revoke", "ci") == Ran(
        2, "", "InvalidArgs: 2 tokens are called ci.\nGive the id of one: tabwright token list\n"
    )
    assert await shell.run("token", "revoke", twins[0]) == Ran(0, f"Revoked ci ({twins[0]}).\n", "")
    assert [token.id for token in tokens] == [twins[1], named_so.id]


async def test_token_errors_have_a_next_step(shell: Shell) -> None:
    hint = "Letters, digits, dots, dashes and underscores: 64 at most."
    assert await shell.run("token", "create") == Ran(
        2, "", f"InvalidArgs: Invalid name '' for a token.\n{hint}\n"
    )
    gone = await shell.run("token", "revoke", "x")
    assert gone == Ran(3, "", "NotFound: There is no token x.\nList them: tabwright token list\n")
