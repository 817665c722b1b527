"""JSON with comments: one value changes, and every other character stays."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwright.doors.client_config import jsonc

OURS = {"command": "tabwright", "args": ["mcp"]}
PATH = ("servers", "tabwright")


def plain(text: str) -> Any:
    """The value of JSON with comments, by another way: comments and trailing commas are cut out of it."""
    pattern = r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/'
    bare = re.sub(pattern, lambda found: found[1] or " ", text, flags=re.DOTALL)
    return json.loads(re.sub(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', lambda found: found[1] or "", bare))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "",
            '{\n  "servers": {\n    "tabwright": {\n      "command": "tabwright",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n',
        ),
        ('{"a": 1}', '{"a": 1, "servers": {"tabwright": {"command": "tabwright", "args": ["mcp"]}}}'),
        ('{"a": 1,}\n', '{"a": 1, "servers": {"tabwright": {"command": "tabwright", "args": ["mcp"]}},}\n'),
        (
            '// Mine.\n{\n\t"a": [1, 2,], // one\n\t/* two */\n\t"servers": {\n\t\t"other": {} // three\n\t\t// four\n\t}\n}\n',
            (
                '// Mine.\n{\n\t"a": [1, 2,], // one\n\t/* two */\n\t"servers": {\n\t\t"other": {}, // three\n\t\t// four\n'
                '\t\t"tabwright": {\n\t\t\t"command": "tabwright",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t}\n}\n'
            ),
        ),
        (
            '{\r\n    "servers": {}\r\n}',
            (
                '{\r\n    "servers": {\r\n        "tabwright": {\r\n            "command": "tabwright",\r\n'
                '            "args": [\r\n                "mcp"\r\n            ]\r\n        }\r\n    }\r\n}'
            ),
        ),
        (
            '{"servers": {"tabwright": "old" /* why */, "b": "// not a comment"}}',
            '{"servers": {"tabwright": {\n  "command": "tabwright",\n  "args": [\n    "mcp"\n  ]\n} /* why */, "b": "// not a comment"}}',
        ),
    ],
)
def test_only_the_value_changes(before: str, after: str) -> None:
    assert jsonc.put(before, PATH, OURS) == after
    assert jsonc.get(after, PATH) == OURS
    assert jsonc.put(after, PATH, OURS) == after


def test_comments_inside_the_value_stay_if_it_loses_no_key() -> None:
    before = '{"servers": {"tabwright": {\n  // how\n  "command": "old", // where\n  "env": {"A": "1"} // mine\n}}}'
    after = jsonc.put(before, PATH, {"command": "new", "env": {"A": "1"}, "type": "stdio"})
    assert after == (
        '{"servers": {"tabwright": {\n  // how\n  "command": "new", // where\n  "env": {"A": "1"}, // mine\n  "type": "stdio"\n}}}'
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a": 1\n "b": 2}', "it is not valid JSON at line 2"),
        ('{"a": }', "it is not valid JSON at line 1"),
        ("{} {}", "it is not valid JSON at line 1"),
        ('{"a": tru}', "it is not valid JSON at line 1"),
        ("{a: 1}", "it is not valid JSON at line 1"),
        ('{"a": 1', "it is not valid JSON at line 1"),
        ("[1]", "it is not an object"),
        ('{"servers": []}', "servers is not an object"),
    ],
)
def test_other_texts_are_refused(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(fault)}$"):
        jsonc.put(text, PATH, OURS)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.sampled_from(["servers", "a", "//", '"']), VALUES, max_size=3)
COMMENTS = st.sampled_from(["", " ", "// line, } \n", '/* "block": { */', "\n"])


@given(OBJECTS, st.sampled_from([None, 2, "\t"]), st.lists(COMMENTS, min_size=1))
def test_any_file_keeps_its_comments_and_values(
    known: dict[str, Any], indent: int | str | None, comments: list[str]
) -> None:
    pieces = re.split(r'("(?:\\.|[^"\\])*"|[{}\[\],:])', json.dumps(known, indent=indent, ensure_ascii=False))
    before = "".join(piece + comments[at % len(comments)] for at, piece in enumerate(pieces))
    expected = plain(before)
    servers = expected.setdefault("servers", {})
    if not isinstance(servers, dict):
        with pytest.raises(ValueError, match="servers is not an object"):
            jsonc.put(before, PATH, OURS)
        return
    after = jsonc.put(before, PATH, OURS)
    servers["tabwright"] = OURS
    assert plain(after) == expected
    assert re.findall(r"line, }|block", after) == re.findall(r"line, }|block", before)
