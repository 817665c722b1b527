"""TOML: one table changes, comments and order stay."""

import tomllib

import pytest

from tabwright.doors.client_config import toml_file

PATH = ("mcp_servers", "tabwright")
OURS = {"command": "tabwright", "args": ["mcp"], "http_headers": {"A-B": 'x "y"'}}
WRITTEN = """[mcp_servers.tabwright]
command = "tabwright"
args = ["mcp"]
http_headers = {A-B = "x \\"y\\""}
"""


@pytest.mark.parametrize(
    "before",
    [
        "",
        "# Mine.\nmodel = 'o5' # fast\n",
        "[mcp_servers.a]\ncommand = 'a'\n\n[tui]\nx = 1 # one\n\n[mcp_servers.b]\ncommand = 'b'\n",
    ],
)
def test_a_new_table_is_added_at_the_end(before: str) -> None:
    after = toml_file.put(before, PATH, OURS)
    assert after == (f"{before}\n{WRITTEN}" if before else WRITTEN)
    assert tomllib.loads(after)["mcp_servers"]["tabwright"] == OURS


def test_a_known_table_changes_in_place() -> None:
    before = """# Mine.
[mcp_servers.tabwright] # ours
# start
command = "old" # where
args = ["mcp"]  # how
url = "http://127.0.0.1/"
startup_timeout_sec = 20

[mcp_servers.tabwright.env]
A = "1" # one

[tui]
x = 1
"""
    value = {"command": "new", "args": ["mcp"], "startup_timeout_sec": 20, "env": {"A": "1"}}
    after = before.replace('"old"', '"new"').replace('url = "http://127.0.0.1/"\n', "")
    assert toml_file.put(before, PATH, value) == after


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("mcp_servers = 1", "mcp_servers is not a table"),
        ("a = ", "Invalid value"),
        ("mcp_servers = { a = { command = 'a' } }", "Cannot (declare|mutate)"),
    ],
)
def test_other_texts_are_refused(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        toml_file.put(text, PATH, OURS)
