"""A tool in one line: `search(query: text, category?: Books|Music = Books) — what it does`."""

from typing import Any

from tabwright.page_tools.tool import Schema

_CHOICES_TOLD = 8
_LONGEST_CHOICES = 90
_LONGEST_DEFAULT = 40


def signature(name: str, schema: Schema, description: str = "") -> str:
    """Write a tool down, its arguments with type and default."""
    needed = schema.get("required", ())
    fields = schema.get("properties", {}).items()
    told = ", ".join(_field(key, field, required=key in needed) for key, field in fields)
    return f"{name}({told})" + (f" — {description}" if description else "")


def _field(key: str, field: Any, *, required: bool) -> str:
    schema = field if isinstance(field, dict) else {}
    default = schema.get("default")
    told = f" = {_short(default)}" if default not in (None, "", []) else ""
    return f"{key}{'' if required else '?'}: {_kind(schema)}{told}"


def _kind(schema: Schema) -> str:
    if choices := schema.get("enum"):
        return _choices([str(choice) for choice in choices])
    kind = str(schema.get("format") or schema.get("type", "any"))
    if kind == "array":
        return f"[{_kind(schema.get('items', {}))}]"
    bounds = [schema.get("minimum"), schema.get("maximum")]
    if any(bound is not None for bound in bounds):
        low, high = ("" if bound is None else f"{bound:g}" for bound in bounds)
        return f"{kind} {low}..{high}"
    return f"{kind}, write only" if schema.get("writeOnly") else kind


def _choices(labels: list[str]) -> str:
    told: list[str] = []
    for label in labels[:_CHOICES_TOLD]:
        if sum(map(len, told)) + len(label) > _LONGEST_CHOICES:
            break
        told.append(label)
    told = told or [labels[0][:_LONGEST_CHOICES]]
    return "|".join(told) + (f"|… {len(labels) - len(told)} more" if len(told) < len(labels) else "")


def _short(default: Any) -> str:
    text = str(default).lower() if isinstance(default, bool) else str(default)
    return text if len(text) <= _LONGEST_DEFAULT else f"{text[:_LONGEST_DEFAULT]}…"
