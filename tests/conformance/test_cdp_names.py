"""Every protocol name in the source exists in the pinned protocol, with its parameters."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROTOCOL: dict[str, Any] = json.loads((Path(__file__).parent / "protocol.json").read_text())
CALLS = {"send", "start", "post"}
NAME = re.compile(r"([A-Z]\w*)\.([a-z]\w*)")


def test_every_protocol_name_in_the_source_is_in_the_pinned_protocol() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{complaint}"
        for path in sorted((ROOT / "src").rglob("*.py"))
        for complaint in find_unknown_names(path.read_text())
    ]
    assert wrong == []


def test_a_wrong_name_is_noticed() -> None:
    source = """
cdp.send("Page.navigate", url=url)
cdp.send("Page.navigate", **params)
cdp.send("Page.navigte", url=url)
cdp.start("Pages.navigate", url=url)
cdp.post("Page.navigate", adress=url)
cdp.on("Page.loadEventFired", callback)
cdp.on("Page.loadEvent", callback)
cdp.on("Page.navigate", callback)
cdp.send("Page.loadEventFired")
for event in ("Page.frameAttached", "Page.frameGone"): cdp.on(event, callback)
"""
    assert list(find_unknown_names(source)) == [
        "4: Page.navigte is not in the protocol",
        "5: Pages.navigate is not in the protocol",
        "6: Page.navigate has no parameter adress",
        "6: Page.navigate needs url",
        "8: Page.loadEvent is not in the protocol",
        "9: Page.navigate is a command, not an event",
        "10: Page.loadEventFired is an event, not a command",
        "11: Page.frameGone is not in the protocol",
    ]


def find_unknown_names(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    calls = {id(node.args[0]): node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args}
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    for node in sorted(constants, key=lambda node: (node.lineno, node.col_offset)):
        match = NAME.fullmatch(node.value) if isinstance(node.value, str) else None
        if match is None:
            continue
        call = calls.get(id(node))
        verb = call.func.attr if call and isinstance(call.func, ast.Attribute) else ""
        for fault in faults(match[1], match[2], verb, call):
            yield f"{node.lineno}: {match[0]} {fault}"


def faults(domain: str, member: str, verb: str, call: ast.Call | None) -> Iterator[str]:
    protocol_call = verb == "on" or verb in CALLS
    if domain not in PROTOCOL and not protocol_call:
        return  # another dotted name
    shape = PROTOCOL.get(domain, {}).get(member)
    if shape is None:
        yield "is not in the protocol"
    elif verb == "on" and shape != "event":
        yield "is a command, not an event"
    elif verb in CALLS and shape == "event":
        yield "is an event, not a command"
    elif verb in CALLS and call is not None:
        yield from parameter_faults(shape, call)


def parameter_faults(shape: dict[str, str], call: ast.Call) -> Iterator[str]:
    given = {keyword.arg for keyword in call.keywords}
    yield from (f"has no parameter {name}" for name in sorted(filter(None, given)) if name not in shape)
    if None not in given:  # a `**` mapping may contain the rest
        yield from (
            f"needs {name}" for name, need in shape.items() if need == "required" and name not in given
        )
