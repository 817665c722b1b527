"""`tabwright token`: creates, lists, revokes and rotates tokens. A new token is printed once."""

import json
from pathlib import Path
from typing import Any

from tabwright.doors.terminal import Terminal
from tabwright.policy.callers.tokens import Token, Tokens


def run(tokens: Tokens, given: dict[str, Any], terminal: Terminal) -> int:
    """Run the command and return the exit code.

    Raises:
        TabwrightError: the name is taken or unknown, or a scope is wrong.
    """
    as_json = given.get("json", False)
    match given["order"]:
        case "create":
            folder = Path(given["folder"]) if "folder" in given else None
            scopes = given.get("scope") or ["read", "act"]
            made = tokens.create(given.get("which", ""), scopes, days=given.get("expires"), folder=folder)
            _print_new(*made, terminal, as_json=as_json)
        case "rotate":
            _print_new(*tokens.rotate(given.get("which", "")), terminal, as_json=as_json)
        case "revoke":
            revoked = tokens.revoke(given.get("which", ""))
            terminal.say(
                json.dumps(revoked.as_json()) if as_json else f"Revoked {revoked.name} ({revoked.id})."
            )
        case _:
            _list(list(tokens), terminal, as_json=as_json)
    return 0


def _print_new(token: Token, secret: str, terminal: Terminal, *, as_json: bool) -> None:
    if as_json:
        terminal.say(json.dumps({**token.as_json(), "token": secret}))
        return
    terminal.say(secret)
    terminal.note(f"{_line(token)}\nIt is not shown again. Send it as: Authorization: Bearer TOKEN")


def _list(tokens: list[Token], terminal: Terminal, *, as_json: bool) -> None:
    if as_json:
        terminal.say(json.dumps([token.as_json() for token in tokens]))
    else:
        terminal.say("\n".join(map(_line, tokens)) or "No tokens.")


def _line(token: Token) -> str:
    parts = [token.id, token.name, ",".join(token.scopes), f"created {token.created}"]
    parts += [f"rotated {token.rotated}"] if token.rotated else []
    parts += [f"expires {token.expires}"] if token.expires else []
    return "  ".join([*parts, *([token.folder] if token.folder else [])])
