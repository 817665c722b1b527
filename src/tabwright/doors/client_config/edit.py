"""Changes the file of a client: merges our entry, keeps what the user wrote, and makes a backup."""

import stat
from pathlib import Path
from typing import Any, NamedTuple

from tabwright.doors.client_config import jsonc, toml_file, yaml_file
from tabwright.doors.client_config.clients import SERVER, Client, Shape
from tabwright.doors.client_config.entry import AUTHORIZATION, BEARER, NotWritten
from tabwright.private_files import save

_FORMATS: dict[str, Any] = {"json": jsonc, "toml": toml_file, "yaml": yaml_file}
# Fields of one kind of server that clients refuse, or misunderstand, in the other.
_STDIO_FIELDS = ("command", "cmd", "args", "env", "envs", "environment", "env_vars", "cwd")
_HTTP_FIELDS = ("url", "uri", "serverUrl", "httpUrl", "headers", "http_headers", "bearer_token_env_var")

# Fields that we set in a new entry only: a server that the user switched off stays off.
_CHOICES = ("enabled", "tools", "timeout", "description")


class Edit(NamedTuple):
    """What a file contained and contains now, or will."""

    file: Path
    before: str | None
    after: str

    @property
    def is_needed(self) -> bool:
        """Whether the file must change."""
        return self.before != self.after


def render(client: Client, ours: dict[str, Any]) -> str:
    """Return the text of a file that has only our entry."""
    text: str = _FORMATS[client.format].put("", (*client.keys, SERVER), ours)
    return text.rstrip("\n")


def find_entry(client: Client, file: Path) -> Any:
    """Return our entry in a file; None if it has none, or cannot be read."""
    try:
        text = file.read_text()
        return _FORMATS[client.format].get(text, _path(client, text))
    except (OSError, ValueError):
        return None


def find_token(client: Client, file: Path, url: str) -> str:
    """Return the token that a file has for a URL; "" if there is none."""
    found = find_entry(client, file)
    if not isinstance(found, dict) or found.get(client.shape.url) != url:
        return ""
    headers = found.get(client.shape.headers)
    value = headers.get(AUTHORIZATION, "") if isinstance(headers, dict) else ""
    return value.removeprefix(BEARER) if isinstance(value, str) else ""


def prepare(client: Client, file: Path, ours: dict[str, Any], *, keep_args: bool) -> Edit:
    """Return what a client's file will contain with our entry.

    Args:
        client: the client.
        file: its file.
        ours: our entry.
        keep_args: whether to keep further arguments of an existing entry.

    Raises:
        NotWritten: the file cannot be changed safely.
    """
    file, form = file.resolve(), _FORMATS[client.format]
    try:
        before = file.read_bytes().decode() if file.exists() else None
        path = _path(client, before or "")
        theirs = form.get(before or "", path)
        merged = _merge(theirs, ours, client.shape, keep_args=keep_args)
        if theirs == merged and before is not None:
            return Edit(file, before, before)
        after = form.put(before or "", path, merged)
        if form.get(after, path) != merged:
            raise NotWritten(f"{file} cannot be changed safely.")
    except UnicodeDecodeError:
        raise NotWritten(f"{file} is not UTF-8 text.") from None
    except ValueError as error:
        raise NotWritten(f"{file}: {error}.") from None
    return Edit(file, before, after)


def write(edit: Edit, *, private: bool) -> Path | None:
    """Write a file after a backup of it; return the path of the backup, if there is one.

    The file keeps its permissions; a private one can then be read by its owner only, and so can its backup.
    """
    file = edit.file
    mode = stat.S_IMODE(file.stat().st_mode) if file.exists() else 0o666
    if private:
        mode &= 0o600
    backup = None
    if edit.before is not None:
        backup = save(_free_path(f"{file}.backup"), edit.before.encode(), mode=mode)
    save(file, edit.after.encode(), mode=mode)
    return backup


def _free_path(wanted: str) -> Path:
    path, number = Path(wanted), 1
    while path.exists():
        number += 1
        path = Path(f"{wanted}-{number}")
    return path


def _path(client: Client, text: str) -> tuple[str, ...]:
    """Return the path of our entry. OpenCode 2 also has its servers one level down, if the file does."""
    if client.keys == ("mcp",):
        nested = jsonc.get(text, ("mcp", "servers")) if jsonc.get(text, ("mcp",)) else None
        if isinstance(nested, dict) and all(isinstance(one, dict) for one in nested.values()):
            return ("mcp", "servers", SERVER)
    return (*client.keys, SERVER)


def _merge(theirs: object, ours: dict[str, Any], shape: Shape, *, keep_args: bool) -> dict[str, Any]:
    """Return our entry with what the user added to it: variables, permissions, arguments, headers."""
    if not isinstance(theirs, dict):
        return ours
    other = _HTTP_FIELDS if shape.command in ours else _STDIO_FIELDS
    if any(key in theirs for key in other):
        theirs = {key: value for key, value in theirs.items() if key not in (*other, "type")}
    merged = {**theirs, **ours}
    if isinstance(headers := theirs.get(shape.headers), dict) and shape.headers in ours:
        merged[shape.headers] = {**headers, **ours[shape.headers]}
    merged.update({key: theirs[key] for key in _CHOICES if key in theirs})
    field = shape.args or shape.command
    args, first = theirs.get(field), ours.get(field)
    same = not shape.args or theirs.get(shape.command) == ours.get(shape.command)
    if keep_args and same and isinstance(args, list) and isinstance(first, list):
        merged[field] = args if args[: len(first)] == first else first
    return merged
