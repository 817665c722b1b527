"""Finding actions by words, for callers who were not given the whole list."""

import re
from typing import Any

from pydantic import Field

from tabwright.action import Action, Args, Caller, Effect, Result, action
from tabwright.errors import NotFound
from tabwright.schema import schema_of

_IN_NAME, _IN_SUMMARY, _IN_FIELDS = 4, 2, 1
# Words that tell nothing of what is wanted.
_EMPTY = frozenset(
    {"a", "an", "all", "and", "for", "from", "in", "of", "on", "or", "page", "the", "to", "with"}
)


class FindActions(Args):
    """Arguments of `find_actions`."""

    words: str = Field(max_length=200, description="What to do, such as cookies or upload file.")
    most: int = Field(6, ge=1, le=50, description="How many to tell.")


class FoundActions(Result):
    """Actions that fit."""

    actions: list[str] = Field(description="Each with its arguments and what it is for.")

    def __str__(self) -> str:
        return "\n".join(self.actions)


@action(Effect.READ, group="Finding actions")
async def find_actions(caller: Caller, args: FindActions) -> FoundActions:
    """Find actions by words; tells their arguments."""
    wanted = [word for word in re.findall(r"[a-z0-9]+", args.words.lower()) if word not in _EMPTY]
    scores = {known.name: _score(known, wanted) for known in caller.catalog}
    ranked = sorted(caller.catalog, key=lambda known: -scores[known.name])
    fitting = [known for known in ranked if scores[known.name]][: args.most]
    if not fitting:
        groups = ", ".join(sorted({known.group for known in caller.catalog}))
        raise NotFound(f"No action fits {args.words!r}.", hint=f"Try other words; there are: {groups}.")
    return FoundActions(actions=[described(known) for known in fitting])


def described(known: Action) -> str:
    """Say an action in one line: name, arguments with kind and default, what it is for."""
    schema = schema_of(known.args)
    needed = schema.get("required", ())
    fields = ", ".join(_field(name, field, name in needed) for name, field in schema["properties"].items())
    return f"{known.name}({fields}): {known.summary}"


def _field(name: str, field: dict[str, Any], required: bool) -> str:
    kind = "|".join(map(str, field.get("enum", ()))) or str(field.get("type", "any"))
    if kind == "array":
        kind = f"{field.get('items', {}).get('type', 'any')}[]"
    default = f" = {field['default']}" if field.get("default") not in (None, "", [], {}) else ""
    return f"{name}{'' if required else '?'}: {kind}{default}"


def _score(known: Action, wanted: list[str]) -> int:
    names = known.name.split("_")
    said = re.findall(r"[a-z0-9]+", f"{known.summary} {known.group}".lower())
    fields = re.findall(r"[a-z0-9]+", str(schema_of(known.args)["properties"]).lower())
    return sum(
        _IN_NAME * _has(names, word) + _IN_SUMMARY * _has(said, word) + _IN_FIELDS * _has(fields, word)
        for word in wanted
    )


def _has(words: list[str], word: str) -> bool:
    """Whether one of the words is the same but for its ending: cookie, cookies."""
    stem = word[:-1] if len(word) > 3 and word.endswith("s") else word
    return any(known.startswith(stem) for known in words)
