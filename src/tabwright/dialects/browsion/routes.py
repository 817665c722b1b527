"""The HTTP routes of the Browsion tools, derived from their rows."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tabwright.action import Effect
from tabwright.dialects.alias import Alias
from tabwright.dialects.alias_table import AliasTable
from tabwright.schema import Schema

# Where a route is that does not name its whole path.
_BROWSER = "/api/browser/{id}/"
# Which argument a part of the path is, where they have different names.
_PARTS = {"id": "profile_id", "type": "storage_type"}

# What Browsion's profiles also have, so that one that was read can be written back. Only a window would use a
# colour. A fingerprint, which would change the identity, is refused unless it is null.
_NOT_SET = dict.fromkeys(("create_profile", "update_profile"), ("color", "is_running", "running"))

# Routes of Browsion that Tabwright does not have, and what to use instead.
_SETTINGS = "Edit tabwright.toml; docs/SETTINGS.md lists the settings."
NOT_OFFERED = {
    "/api/action_log": "See the calls in the dashboard, at /, or in audit.jsonl in the state folder.",
    "/api/ws": "Watch sessions in the dashboard, at /.",
    "/api/settings": _SETTINGS,
    "/api/browser-source": _SETTINGS,
    "/api/local-api": _SETTINGS,
    "/api/register-external": "Connect to a running browser with POST /api/actions/connect_browser.",
    "/api/profiles/{id}/snapshots{rest:path}": (
        "Use POST /api/actions/save_state and load_state, or `tabwright profile export` and `import`."
    ),
}


@dataclass(frozen=True)
class Endpoint:
    """A method and a path that mean an alias. `parts` says which arguments the parts of the path are."""

    method: str
    path: str
    alias: Alias
    effect: Effect
    parts: Mapping[str, str]
    arguments: Schema

    @property
    def in_query(self) -> bool:
        """Whether arguments come in the query rather than in the body."""
        return self.method in ("GET", "DELETE")

    @property
    def ignored(self) -> tuple[str, ...]:
        """Arguments that are accepted and have no effect."""
        return _NOT_SET.get(self.alias.name, ())

    @property
    def schema(self) -> Schema:
        """The schema of the arguments that are not part of the path."""
        fields, taken = self.arguments["properties"], set(self.parts.values())
        required = [name for name in self.arguments.get("required", ()) if name not in taken]
        return {
            "type": "object",
            "properties": {name: fields[name] for name in fields if name not in taken},
            "additionalProperties": False,
            **({"required": required} if required else {}),
        }


def endpoints_of(table: AliasTable, alias: Alias) -> Iterator[Endpoint]:
    """Yield the routes of a row."""
    schema = table.schema(alias)
    for route in alias.route.split(", ") if alias.route else ():
        method, path = route.split(" ")
        path = path if path.startswith("/") else _BROWSER + path
        parts = {
            part: part if part in schema["properties"] else _PARTS[part]
            for part in re.findall(r"{(\w+)}", path)
        }
        yield Endpoint(method, path, alias, table.effect(alias), parts, schema)
