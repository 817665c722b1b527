"""`tabwright config`: finds MCP clients, and prints the configuration for one or writes it to its file."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tabwright.doors.cli.parse import UsageError
from tabwright.doors.client_config.clients import CLIENTS, Client
from tabwright.doors.client_config.edit import find_entry, find_token, prepare, render, write
from tabwright.doors.client_config.entry import Http, NotWritten, entry
from tabwright.doors.client_config.launch import program
from tabwright.doors.terminal import Terminal

if TYPE_CHECKING:
    from tabwright.policy.callers.tokens import Tokens

Given = dict[str, Any]
_SCOPES = ("read", "act", "evaluate")
_PLACEHOLDER = "TOKEN"


class Hub(Protocol):
    """What a configuration for HTTP needs to know of the hub."""

    def mcp_url(self) -> str:
        """Return the URL of MCP over HTTP."""

    def tokens(self) -> "Tokens":
        """Return the tokens."""


class _Place(NamedTuple):
    """A client and the file to change."""

    client: Client
    name: str
    scope: str

    @property
    def file(self) -> Path:
        return self.client.file(self.scope)


def run(given: Given, terminal: Terminal, open_hub: Callable[[], Hub]) -> int:
    """Run the command and return the exit code.

    Raises:
        UsageError: the options contradict each other, or the client does not have the scope.
        TabwrightError: the hub does not offer HTTP, or its tokens cannot be read.
    """
    if given.get("http") and given.get("dialect"):
        raise UsageError("--dialect has no effect over HTTP, where the setting dialect decides")
    if "token_file" in given and not given.get("http"):
        raise UsageError("--token-file needs --http")
    configure = _Configure(given, terminal, open_hub)
    if "client" in given:
        return configure.one(_place(given["client"], given))
    found = [name for name, client in CLIENTS.items() if client.is_installed()]
    if given.get("write"):
        chosen = [name for name in found if given.get("scope", "user") in CLIENTS[name].scopes]
        if not chosen:
            terminal.fail("tabwright config", "No known MCP client was found.", _others(found))
        return max((configure.one(_place(name, given)) for name in chosen), default=1)
    _list(found, terminal)
    return _offer(found, terminal, configure)


def _place(name: str, given: Given) -> _Place:
    client = CLIENTS[name]
    scope = given.get("scope", client.scopes[0])
    if scope not in client.scopes:
        raise UsageError(f"{client.title} has no {scope} scope, only {client.scopes[0]}")
    return _Place(client, name, scope)


def _list(found: list[str], terminal: Terminal) -> None:
    """Print the clients on this computer, and how to configure them."""
    if not found:
        terminal.say("No known MCP client was found on this computer.")
        terminal.note(_others(found))
        return
    rows = [_row(_place(name, {})) for name in found]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    terminal.say(terminal.paint("MCP clients on this computer", "bold"))
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        terminal.say(f"  {'  '.join(cells)}".rstrip())
    if not _is_person(terminal):
        terminal.note(f"\nAdd Tabwright to one:  {program()} config {found[0]} --write")
        terminal.note(f"To all of these:       {program()} config --write")
    terminal.note(_others(found))


def _row(place: _Place) -> tuple[str, str, str, str]:
    has = "has Tabwright" if find_entry(place.client, place.file) is not None else ""
    return place.name, place.client.title, _short(place.file), has


def _others(found: Iterable[str]) -> str:
    names = ", ".join(name for name in CLIENTS if name not in found)
    return f"Other clients: {names}." if found else f"Name yours: {names}."


def _offer(found: list[str], terminal: Terminal, configure: "_Configure") -> int:
    """Ask a person which of the clients to configure."""
    if not (found and _is_person(terminal)):
        return 0
    answer = terminal.ask("\nAdd Tabwright to which of these? Names, all, or Enter for none: ").split()
    names = found if answer == ["all"] else answer
    if unknown := [name for name in names if name not in CLIENTS]:
        terminal.fail("tabwright config", f"Unknown client {unknown[0]}.", _others(found))
        return 2
    return max((configure.write(_place(name, {})) for name in names), default=0)


def _is_person(terminal: Terminal) -> bool:
    """Whether somebody can answer a question."""
    return terminal.live and sys.stdin.isatty()


def _short(path: Path) -> str:
    """Return a path with ~ for the home folder."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


class _Configure:
    """Configures clients as the options say."""

    def __init__(self, given: Given, terminal: Terminal, open_hub: Callable[[], Hub]) -> None:
        self._given = given
        self._terminal = terminal
        self._open_hub = open_hub

    def one(self, place: _Place) -> int:
        """Print the configuration of a client, or write it; return the exit code."""
        return self.write(place) if self._given.get("write") else self._print(place)

    def write(self, place: _Place) -> int:
        """Write the configuration to the client's file; return the exit code."""
        try:
            return self._write_with_token(place) if self._given.get("http") else self._write(place, None)
        except (NotWritten, OSError) as failure:
            self._terminal.fail("tabwright config", _describe(failure), self._by_hand(place))
            return 1

    def _print(self, place: _Place) -> int:
        http = Http(self._open_hub().mcp_url(), _PLACEHOLDER) if self._given.get("http") else None
        try:
            ours = entry(place.client, dialect=self._given.get("dialect"), http=http)
        except NotWritten as failure:
            self._terminal.fail("tabwright config", str(failure), "Leave out --http.")
            return 1
        self._terminal.say(render(place.client, ours))
        added = "creates a token and adds it there" if http else "adds it there"
        self._terminal.note(f"For {place.client.title}, in {place.file}. --write {added}.")
        self._remark(place)
        return 0

    def _write(self, place: _Place, http: Http | None) -> int:
        dialect = self._given.get("dialect")
        ours = entry(place.client, dialect=dialect, http=http)
        edit = prepare(place.client, place.file, ours, keep_args=not dialect)
        if not edit.is_needed:
            self._terminal.say(f"{edit.file} already has Tabwright.")
            return 0
        backup = write(edit, private=http is not None)
        copied = f" (backup: {backup})" if backup else ""
        restart = f" Restart {place.client.title}." if place.client.commands or place.client.folders else ""
        approval = place.client.approval(place.scope)
        self._terminal.say(f"Added Tabwright to {edit.file}{copied}.{restart} {approval}")
        self._remark(place)
        return 0

    def _write_with_token(self, place: _Place) -> int:
        """Write a URL and a token: the one of a file, the one that the client has already, or a new one."""
        entry(place.client, http=Http("", ""))  # raises before a token is created
        hub = self._open_hub()
        url, tokens = hub.mcp_url(), hub.tokens()
        given = self._read_token(tokens) or find_token(place.client, place.file, url)
        if given and tokens.find(given) is not None:
            return self._write(place, Http(url, given))
        first = not tokens.required
        token, secret = tokens.create(_free_name(place.name, tokens), _SCOPES)
        try:
            self._write(place, Http(url, secret))
        except BaseException:
            tokens.revoke(token.id)
            raise
        self._terminal.note(f"The file contains a new token, {token.name} ({', '.join(token.scopes)}).")
        if first:
            self._terminal.note("From now on, every HTTP request needs a token, the dashboard's too.")
        if place.scope == "project":
            self._terminal.note("Do not commit the file.")
        self._terminal.note(f"The hub must be running when {place.client.title} connects: {program()} serve")
        return 0

    def _read_token(self, tokens: "Tokens") -> str:
        """Return the token of `--token-file`; "" if there is no such option."""
        if "token_file" not in self._given:
            return ""
        name = self._given["token_file"]
        text = sys.stdin.read() if name == "-" else Path(name).read_text()
        token = text.strip().partition("\n")[0].strip()
        if tokens.find(token) is None:
            raise NotWritten("The token is unknown, revoked or expired.")
        return token

    def _remark(self, place: _Place) -> None:
        if place.client.note:
            self._terminal.note(place.client.note)

    def _by_hand(self, place: _Place) -> str:
        """Return what a person can do; the text to add has no token."""
        try:
            http = Http(self._open_hub().mcp_url(), _PLACEHOLDER) if self._given.get("http") else None
            ours = entry(place.client, dialect=self._given.get("dialect"), http=http)
        except NotWritten:
            return "Leave out --http."
        return f"Add this by hand:\n{render(place.client, ours)}"


def _free_name(name: str, tokens: "Tokens") -> str:
    taken, free, number = {token.name for token in tokens}, name, 1
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def _describe(failure: Exception) -> str:
    if isinstance(failure, OSError):
        return f"{failure.filename}: {failure.strerror}."
    return str(failure)
