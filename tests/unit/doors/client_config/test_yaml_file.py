"""YAML: the lines of one entry change, all others stay; what it does not understand is refused."""

from typing import Any

import pytest
import yaml

from tabwright.doors.client_config import yaml_file

PATH = ("extensions", "tabwright")
OURS = {"type": "stdio", "cmd": "/opt/my tools/tabwright", "args": ["mcp"]}
BLOCK = """  tabwright:
    type: "stdio"
    cmd: "/opt/my tools/tabwright"
    args: ["mcp"]
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"extensions:\n{BLOCK}"),
        ("# Mine.\nGOOSE_MODE: auto\n", f"# Mine.\nGOOSE_MODE: auto\nextensions:\n{BLOCK}"),
        ("extensions: {} # none\nb: 1\n", f"extensions:\n{BLOCK}b: 1\n"),
        ("---\nextensions:\n\nb: 1\n", f"---\nextensions:\n{BLOCK}\nb: 1\n"),
        (
            "a:\n  - 1\nlist:\n- 2\nextensions: # all\n  developer:\n    enabled: true\n\n  # why\n  'memory':\n    envs:\n      A: |\n        # text\n        b\n\n# end\nb: 1\n",
            f"a:\n  - 1\nlist:\n- 2\nextensions: # all\n  developer:\n    enabled: true\n\n  # why\n  'memory':\n    envs:\n      A: |\n        # text\n        b\n{BLOCK}\n# end\nb: 1\n",
        ),
    ],
)
def test_a_new_entry_is_added_to_its_table(before: str, after: str) -> None:
    assert yaml_file.put(before, PATH, OURS) == after
    known = yaml.safe_load(before) or {}
    expected = {**known, "extensions": {**(known.get("extensions") or {}), "tabwright": OURS}}
    assert yaml.safe_load(after) == expected
    assert yaml_file.get(after, PATH) == OURS


def test_a_known_entry_keeps_what_is_not_ours() -> None:
    before = """extensions:
    tabwright: # ours
        # how it starts
        type: stdio
        cmd: 'old' # where
        args: # which
        - mcp
        # mine
        envs:
          A: "1"
        uri: http://127.0.0.1/

    other:
        type: builtin
"""
    known = yaml_file.get(before, PATH)
    assert known is not None
    assert {**known, "envs": ""} == {
        "type": "stdio",
        "cmd": "old",
        "args": ["mcp"],
        "envs": "",
        "uri": "http://127.0.0.1/",
    }
    value: dict[str, Any] = {
        **{key: one for key, one in known.items() if key != "uri"},
        **OURS,
        "timeout": 300,
    }
    after = yaml_file.put(before, PATH, value)
    assert (
        after
        == """extensions:
    tabwright: # ours
        # how it starts
        type: stdio
        cmd: "/opt/my tools/tabwright"
        args: # which
        - mcp
        # mine
        envs:
          A: "1"
        timeout: 300

    other:
        type: builtin
"""
    )
    entry = yaml.safe_load(after)["extensions"]["tabwright"]
    assert entry == {**OURS, "envs": {"A": "1"}, "timeout": 300}


@pytest.mark.parametrize(
    "text",
    [
        "{extensions: {}}\n",
        "extensions: {a: {}}\n",
        "extensions:\n  - name: a\n",
        "extensions:\n  tabwright: {}\n",
        "extensions: &all\n  a:\n    b: 1\n",
        "a: 1\n---\nb: 2\n",
        "just text\n",
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="block mapping"):
        yaml_file.put(text, PATH, OURS)
