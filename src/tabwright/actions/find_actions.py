"""Finding actions by keywords, for callers that do not have the whole list."""

import re

from pydantic import Field

from tabwright.action import Action, Args, Caller, Effect, Result, action
from tabwright.errors import NotFound
from tabwright.schema import Schema, duration_fields, schema_of

_IN_NAME, _IN_SUMMARY, _IN_FIELDS = 4, 2, 1
# Words that are too common to search for.
_COMMON_WORDS = frozenset(
    {"a", "an", "all", "and", "for", "from", "in", "of", "on", "or", "page", "the", "to", "with"}
)


class FindActions(Args):
    """Arguments of `find_actions`."""

    words: str = Field(min_length=1, max_length=200, description="Keywords, such as cookies or upload file.")
    most: int = Field(6, ge=1, le=50, description="Maximum results.")


class FoundActions(Result):
    """Actions that match."""

    actions: list[str] = Field(description="Each action with its arguments and summary.")

    def __str__(self) -> str:
        return "\n".join(self.actions)


@action(Effect.READ, does=("look",), group="Finding actions")
async def find_actions(caller: Caller, args: FindActions) -> FoundActions:
    """Find actions by keywords, with their arguments."""
    wanted = [word for word in re.findall(r"[a-z0-9]+", args.words.lower()) if word not in _COMMON_WORDS]
    scores = {known.name: _score(known, wanted) for known in caller.catalog}
    ranked = sorted(caller.catalog, key=lambda known: -scores[known.name])
    matching = [known for known in ranked if scores[known.name]][: args.most]
    if not matching:
        groups = ", ".join(sorted({known.group for known in caller.catalog}))
        raise NotFound(f"No action matches {args.words!r}.", hint=f"Try other keywords. Groups: {groups}.")
    return FoundActions(actions=[_describe(known, caller.second) for known in matching])


def _describe(known: Action, second: float) -> str:
    """Describe an action in one line: name, arguments with type and default, summary.

    `second` is a second in the caller's unit of durations.
    """
    schema, durations = schema_of(known.args), duration_fields(known.args)
    fields = {
        name: _in_unit(field, second) if name in durations else field
        for name, field in schema["properties"].items()
    }
    required = schema.get("required", ())
    listed = ", ".join(_field(name, field, name in required) for name, field in fields.items())
    return f"{known.name}({listed}): {known.summary}"


def _in_unit(field: Schema, second: float) -> Schema:
    unit = "ms" if second == 1_000 else "s"
    default = {"default": f"{field['default'] * second:g}"} if field.get("default") else {}
    return {**field, **default, "type": unit}


def _field(name: str, field: Schema, required: bool) -> str:
    kind = "|".join(map(str, field.get("enum", ()))) or str(field.get("type", "any"))
    if kind == "array":
        kind = f"{field.get('items', {}).get('type', 'any')}[]"
    default = f" = {field['default']}" if field.get("default") not in (None, "", [], {}) else ""
    return f"{name}{'' if required else '?'}: {kind}{default}"


def _score(known: Action, wanted: list[str]) -> int:
    names = known.name.split("_")
    summary = re.findall(r"[a-z0-9]+", f"{known.summary} {known.group}".lower())
    fields = re.findall(r"[a-z0-9]+", str(schema_of(known.args)["properties"]).lower())
    return sum(
        _IN_NAME * _has(names, word) + _IN_SUMMARY * _has(summary, word) + _IN_FIELDS * _has(fields, word)
        for word in wanted
    )


def _has(words: list[str], word: str) -> bool:
    """Whether one of the words matches, ignoring a plural: cookie, cookies."""
    stem = word[:-1] if len(word) > 3 and word.endswith("s") else word
    return any(known.startswith(stem) for known in words)
