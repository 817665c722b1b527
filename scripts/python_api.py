"""Writes docs/PYTHON.md: the public Python API, from its docstrings."""

import ast
import inspect
import itertools
import re
import sys
from collections.abc import Iterator
from typing import Any

import tabwright
from tabwright import errors

_HEAD = """# Python API

What `from tabwright import …` gives you. Everything else in the package is internal and may change without
notice. All methods that talk to the browser are coroutines. Durations are seconds. Written by `make gen` from
the docstrings; do not edit.

```python
import anyio

from tabwright import Browser, observe


async def main() -> None:
    async with Browser.launch() as browser:
        context = await browser.new_context()
        tab = await context.new_tab("data:text/html,<button onclick=this.after('Saved')>Save</button>")
        print(await tab.snapshot())
        _, effects = await observe(tab, tab.element("text=Save").click)
        print(effects)


anyio.run(main)
```

`observe` performs an action, waits until the page has settled, and returns what changed; on its own,
`click()` returns as soon as the input is delivered. Every failure is one of the nine error classes
at the end.
"""

# The methods and properties that are public; the capabilities of a tab are separate objects.
MEMBERS = {
    "Browser": "launch attach new_context contexts alive",
    "LaunchOptions": "",
    "Context": "new_tab tab expect_tab cookies downloads permissions interception set_offline close",
    "Tab": """
        goto url title snapshot element evaluate scroll activate close navigation console network dialogs
        emulation mouse keyboard touch frames storage waits
    """,
    "Element": """
        click hover fill type press check uncheck select_option drag_to upload tap swipe scroll scroll_by
        scroll_into_view focus blur select_text text value html styles attribute box state ref
    """,
    "Snapshot": "",
    "Effects": "",
    "Screenshot": "",
}
# The public members of the objects that a context and a tab have.
CAPABILITIES = {
    "Context": {
        "cookies": "all set delete clear",
        "downloads": "save_to get wait_for_end cancel",
        "permissions": "grant deny reset",
        "interception": "block mock set_headers set_credentials rules remove clear",
    },
    "Tab": {
        "navigation": "goto reload back forward wait stop loaded status",
        "console": "messages errors clear",
        "network": "exchanges get body post_data clear",
        "dialogs": "accept dismiss",
        "emulation": """
            set_viewport set_device set_touch set_geolocation set_timezone set_locale set_user_agent set_media
            throttle_cpu reset
        """,
        "mouse": "move click down up wheel drag",
        "keyboard": "type press down up insert_text",
        "touch": "tap swipe",
        "frames": "main chosen choose find",
        "waits": "element text url function",
    },
}
# Parameters that only internal code can use.
_HIDDEN = ("self", "cls", "boundary", "gate", "session")
FUNCTIONS = ("observe", "capture", "print_pdf")
_ERRORS = [name for name in vars(errors) if name in tabwright.__all__ and name != "TabwrightError"]


def document() -> str:
    """Return docs/PYTHON.md."""
    lines = [_HEAD]
    for name, members in MEMBERS.items():
        owner = getattr(tabwright, name)
        lines += [f"## {name}", "", _summary(owner), "", *_fields(owner), *_rows(owner, members.split())]
        for attribute, own in CAPABILITIES.get(name, {}).items():
            capability = _attributes(owner)[attribute]
            lines += [f"### {name.lower()}.{attribute}", "", *_rows(capability, own.split())]
    lines += ["## Functions", "", "| Function | Does |", "|---|---|"]
    for name in FUNCTIONS:
        function = getattr(tabwright, name)
        lines.append(f"| {_call(name, function)} | {_summary(function)} |")
    lines += ["", "## Errors", ""]
    lines += ["All are `TabwrightError`, with `message` (a fact) and `hint` (the next step).", ""]
    lines += ["| Class | Means |", "|---|---|"]
    lines += [f"| `{name}` | {_summary(getattr(errors, name))} |" for name in _ERRORS]
    return "\n".join(lines).rstrip() + "\n"


def _rows(owner: type, members: list[str]) -> Iterator[str]:
    if not members:
        return
    yield from ("| Member | Does |", "|---|---|")
    attributes = _attributes(owner)
    for name in members:
        found = inspect.getattr_static(owner, name, None)
        if isinstance(found, property):
            yield f"| `{name}` | {_summary(found)} |"
        elif found is None:
            yield f"| `{name}` | {_summary(attributes[name])} |"
        else:
            yield f"| {_call(name, getattr(owner, name))} | {_summary(found)} |"
    yield ""


def _attributes(owner: type) -> dict[str, type]:
    """Return the capabilities that `__init__` assigns, by the class that it calls."""
    module = vars(sys.modules[owner.__module__])
    assigned = re.findall(r"self\.(\w+)(?:: [^=]+)? = (\w+)\(", inspect.getsource(owner))
    return {name: module[kind] for name, kind in assigned if kind in module}


def _fields(owner: type) -> Iterator[str]:
    """Yield the fields of a dataclass as a table, with what the docstrings below them say."""
    fields = getattr(owner, "__dataclass_fields__", {})
    shown = [field for name, field in fields.items() if not name.startswith("_")]
    described = _field_docstrings(owner)
    if shown and described:
        yield from ("| Field | Type | Default | Means |", "|---|---|---|---|")
        for field in shown:
            kind = _cell(_type(field.type))
            required = field.default is field.default_factory  # both are missing
            default = "required" if required else f"`{_default(field.default)}`"
            yield f"| `{field.name}` | `{kind}` | {default} | {_cell(described[field.name])} |"
        yield ""
    elif shown:
        yield from ("| Field | Type |", "|---|---|")
        yield from (f"| `{field.name}` | `{_cell(_type(field.type))}` |" for field in shown)
        yield ""


def _field_docstrings(owner: type) -> dict[str, str]:
    """Return the string literals that follow the fields of a class, by field."""
    (definition,) = ast.parse(inspect.getsource(owner)).body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for statement, following in itertools.pairwise(definition.body):
        match statement, following:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = text
    return found


def _call(name: str, function: Any) -> str:
    signature = inspect.signature(inspect.unwrap(function))
    shown = [one for one in signature.parameters.values() if one.name not in _HIDDEN]
    arguments = ", ".join(_argument(one) for one in shown)
    return f"`{_cell(f'{name}({arguments})')}`"


def _argument(parameter: inspect.Parameter) -> str:
    star = "*" if parameter.kind is inspect.Parameter.VAR_POSITIONAL else ""
    default = "" if parameter.default is inspect.Parameter.empty else f"={_default(parameter.default)}"
    return f"{star}{parameter.name}{default}"


def _default(value: Any) -> str:
    return repr(value) if isinstance(value, str | int | float | bool | None | tuple) else "…"


def _type(annotation: Any) -> str:
    """Write a type as it stands in the source: `Path | None`, without the modules of its names."""
    text = (
        annotation.__name__
        if isinstance(annotation, type) and "[" not in str(annotation)
        else str(annotation)
    )
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", text)


def _summary(thing: Any) -> str:
    return _cell((inspect.getdoc(thing) or "").partition("\n")[0])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
