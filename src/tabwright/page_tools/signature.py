"""Renders a tool as one line: `search(query: text, category?: Books|Music = Books) — description`."""

from collections.abc import Iterator
from typing import Any

from tabwright.page_tools.tool import Schema

_MAX_CHOICES = 8
_MAX_CHOICES_LENGTH = 90
_MAX_DEFAULT_LENGTH = 40
_MAX_PATTERN_LENGTH = 40
# Longer limits rarely matter to a caller.
_MAX_LENGTH = 500


def signature(name: str, schema: Schema, description: str = "") -> str:
    """Render a tool with the types and defaults of its arguments."""
    required = schema.get("required", ())
    properties = schema.get("properties", {}).items()
    fields = ", ".join(_render_field(key, field, required=key in required) for key, field in properties)
    return f"{name}({fields})" + (f" — {description}" if description else "")


def _render_field(key: str, field: Any, *, required: bool) -> str:
    schema = field if isinstance(field, dict) else {}
    default = schema.get("default")
    suffix = f" = {_shorten(default)}" if default not in (None, "", []) else ""
    return f"{key}{'' if required else '?'}: {_render_type(schema)}{suffix}"


def _render_type(schema: Schema) -> str:
    if choices := schema.get("enum"):
        return _render_choices([str(choice) for choice in choices])
    kind = str(schema.get("format") or schema.get("type", "any"))
    if kind == "array":
        return f"[{_render_type(schema.get('items', {}))}]"
    bounds = [schema.get("minimum"), schema.get("maximum")]
    if any(bound is not None for bound in bounds):
        low, high = ("" if bound is None else f"{bound:g}" for bound in bounds)
        return f"{kind} {low}..{high}"
    return ", ".join([kind, *_render_limits(schema), *(["write only"] if schema.get("writeOnly") else [])])


def _render_limits(schema: Schema) -> Iterator[str]:
    """Render the lengths that a text may have, and a short pattern that it must match."""
    low, high = schema.get("minLength"), schema.get("maxLength")
    if high is not None and high <= _MAX_LENGTH:
        yield f"{low or 0}..{high} characters"
    elif low is not None and low > 1:
        yield f"at least {low} characters"
    pattern = str(schema.get("pattern", "")).removeprefix("^(?:").removesuffix(")$")
    if pattern and len(pattern) <= _MAX_PATTERN_LENGTH:
        yield f"like {pattern}"


def _render_choices(labels: list[str]) -> str:
    listed: list[str] = []
    for label in labels[:_MAX_CHOICES]:
        if sum(map(len, listed)) + len(label) > _MAX_CHOICES_LENGTH:
            break
        listed.append(label)
    listed = listed or [labels[0][:_MAX_CHOICES_LENGTH]]
    return "|".join(listed) + (f"|… {len(labels) - len(listed)} more" if len(listed) < len(labels) else "")


def _shorten(default: Any) -> str:
    text = str(default).lower() if isinstance(default, bool) else str(default)
    return text if len(text) <= _MAX_DEFAULT_LENGTH else f"{text[:_MAX_DEFAULT_LENGTH]}…"
