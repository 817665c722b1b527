"""Verbs without a hub: the calls that they mean, their help, and the guide for agents."""

import io
from pathlib import Path
from typing import Any

import pytest
import yaml

from tabwright.actions import CATALOG
from tabwright.doors.cli import help as command_help
from tabwright.doors.cli.commands import SHARED_FLAGS
from tabwright.doors.cli.parse import UsageError, parse
from tabwright.doors.cli.replacements import replacement_for
from tabwright.doors.cli.skill import PLACES, guide, install, run
from tabwright.doors.cli.verb_translations import DEFAULT_SESSION, complete_url, url_pattern
from tabwright.doors.cli.verbs import VERBS, command_of, find_verb, split_leading_flags
from tabwright.doors.terminal import Terminal
from tabwright.schema import validate
from tabwright.sessions.session import DEFAULT

EVERY = {field.name for field in SHARED_FLAGS}


def translate(*words: str) -> tuple[str, dict[str, Any]]:
    """Return the action and arguments of a command line."""
    found = find_verb(list(words))
    assert found
    verb, rest = found
    command = command_of(verb)
    return verb.meaning(parse(command, rest))


@pytest.mark.parametrize(
    ("words", "action", "args"),
    [
        (["open", "example.com"], "navigate", {"url": "https://example.com"}),
        (["open"], "get_page", {}),
        (
            ["open", "localhost:3000/a", "--headers", '{"A": "b", "C": "d"}'],
            "navigate",
            {"url": "http://localhost:3000/a", "headers": ["A: b", "C: d"]},
        ),
        (
            ["snapshot", "-i", "-c", "-d", "3", "-s", "#main"],
            "snapshot",
            {"interactive_only": True, "compact": True, "depth": 3, "target": "#main"},
        ),
        (["snapshot", "--interactive-only"], "snapshot", {"interactive_only": True}),
        (["dblclick", "@e2", "--button", "right"], "click", {"target": "@e2", "count": 2, "button": "right"}),
        (["click", "@e2", "--expect-tab"], "click", {"target": "@e2", "expect_tab": True}),
        (["type", "@e2", "a b"], "type_text", {"target": "@e2", "text": "a b"}),
        (["keyboard", "type", "--", "-x"], "type_text", {"text": "-x"}),
        (["scroll", "up", "50", "-s", "#a"], "scroll", {"direction": "up", "pixels": 50.0, "target": "#a"}),
        (["scroll", "--direction", "left"], "scroll", {"direction": "left"}),
        (["select", "#s", "a", "b"], "select_option", {"target": "#s", "options": ["a", "b"]}),
        (["mouse", "wheel", "-50", "3"], "mouse_wheel", {"delta_y": -50.0, "delta_x": 3.0}),
        (["screenshot"], "screenshot", {}),
        (
            ["screenshot", "a.png", "-f"],
            "screenshot",
            {"output": "a.png", "format": "png", "full_page": True},
        ),
        (["screenshot", "@e2", "--annotate"], "screenshot", {"target": "@e2", "marks": True}),
        (["screenshot", "#a", "b.jpg"], "screenshot", {"target": "#a", "output": "b.jpg", "format": "jpeg"}),
        (["pdf", "a.pdf", "--landscape"], "pdf", {"output": "a.pdf", "landscape": True}),
        (["eval", "-b", "MSsx"], "evaluate", {"script": "1+1"}),
        (["get", "html", "p"], "get_html", {"target": "p", "inside": True}),
        (["get", "attr", "p", "id"], "get_attribute", {"target": "p", "name": "id"}),
        (["find", "role", "button"], "click", {"target": "role=button"}),
        (
            ["find", "role", "button", "click", "--name", "Save all"],
            "click",
            {"target": 'role=button[name="Save all"]'},
        ),
        (
            ["find", "label", "E-mail", "fill", "a b", "--exact"],
            "fill",
            {"target": 'label="E-mail"', "value": "a b"},
        ),
        (["find", "nth", "2", ".card", "hover"], "hover", {"target": ".card >> nth=2"}),
        (["find", "last", "li", "text"], "get_text", {"target": "li >> last"}),
        (
            ["find", "testid", "s", "select", "a", "b"],
            "select_option",
            {"target": "testid=s", "options": ["a", "b"]},
        ),
        (
            ["wait", "#a", "--state", "hidden", "--timeout", "1500"],
            "wait_for",
            {"target": "#a", "state": "hidden", "timeout": 1.5},
        ),
        (["wait", "250"], "pause", {"seconds": 0.25}),
        (["wait", "--url", "**/home"], "wait_for_url", {"pattern": "**/home"}),
        (["wait", "--load", "networkidle"], "wait_for_load", {"wait_until": "networkidle"}),
        (["wait", "--fn", "x == 1"], "wait_for_script", {"script": "x == 1"}),
        (["close"], "close_session", {"name": "default", "missing_ok": True}),
        (["close", "--session", "a"], "close_session", {"name": "a", "missing_ok": True}),
        (["close", "--all"], "close_session", {}),
        (["connect", "9222"], "connect_browser", {"address": "9222"}),
        (["set", "viewport", "800", "600", "2"], "emulate", {"width": 800, "height": 600, "scale": 2.0}),
        (["set", "geo", "1.5", "-2.5"], "emulate", {"latitude": 1.5, "longitude": -2.5}),
        (["set", "device", "iPhone 16"], "emulate", {"device": "iPhone 16"}),
        (["set", "offline"], "set_offline", {"offline": True}),
        (["set", "offline", "off"], "set_offline", {"offline": False}),
        (["set", "headers", "{}"], "set_headers", {"headers": []}),
        (["set", "credentials", "u", "p"], "set_credentials", {"user": "u", "password": "p"}),
        (
            ["set", "media", "dark", "reduced-motion"],
            "emulate",
            {"colour_scheme": "dark", "reduced_motion": True},
        ),
        (["cookies"], "get_cookies", {}),
        (
            [
                "cookies",
                "set",
                "a",
                "b",
                "--url",
                "example.com/x",
                "--httpOnly",
                "--sameSite",
                "Lax",
                "--secure",
            ],
            "set_cookie",
            {
                "name": "a",
                "value": "b",
                "domain": "example.com",
                "http_only": True,
                "same_site": "Lax",
                "secure": True,
            },
        ),
        (["storage", "local"], "get_storage", {"kind": "local"}),
        (
            ["storage", "session", "set", "k", "v"],
            "set_storage",
            {"kind": "session", "key": "k", "value": "v"},
        ),
        (
            ["network", "route", "**/api/*", "--body", "{}"],
            "mock_requests",
            {"pattern": "**/api/*", "body": "{}"},
        ),
        (["network", "route", "ads", "--abort"], "block_requests", {"pattern": "*ads*"}),
        (["network", "unroute"], "clear_rules", {}),
        (
            ["network", "requests", "--filter", "api", "--method", "POST"],
            "list_requests",
            {"pattern": "*api*", "method": "POST"},
        ),
        (["network", "requests", "--clear"], "clear_requests", {}),
        (["network", "har", "stop", "a.har"], "stop_har", {"output": "a.har"}),
        (["tab"], "list_tabs", {}),
        (["tab", "2"], "switch_tab", {"id": "t2"}),
        (["tab", "t7"], "switch_tab", {"id": "t7"}),
        (["tab", "new"], "new_tab", {"url": "about:blank"}),
        (["tab", "close"], "close_tab", {"id": "current"}),
        (["frame", "main"], "main_frame", {}),
        (["frame", "#f"], "switch_frame", {"frame": "#f"}),
        (["dialog", "accept", "yes"], "answer_dialog", {"accept": True, "text": "yes"}),
        (["dialog", "dismiss"], "answer_dialog", {"accept": False}),
        (["errors"], "console_messages", {"kind": "exception"}),
        (["console", "--clear"], "clear_console", {}),
        (["state", "save", "a.json"], "save_state", {"output": "a.json"}),
        (["state", "load", "a.json"], "load_state", {"path": "a.json"}),
        (["trace", "stop"], "stop_trace", {}),
    ],
)
def test_words_become_a_call_with_valid_arguments(
    words: list[str], action: str, args: dict[str, Any]
) -> None:
    meaning = translate(*words)
    plain = {name: value for name, value in meaning[1].items() if name not in EVERY or name in args}
    assert (meaning[0], plain) == (action, args)
    validate(CATALOG[action].args, {name: value for name, value in args.items() if name not in EVERY})


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["wait"], "give one of: a selector"),
        (["wait", "#a", "--text", "b"], "give one of: a selector"),
        (["find", "text", "a", "jump"], "unknown action jump; use one of: click"),
        (["find", "text", "a", "fill"], "fill takes a value"),
        (["find", "text", "a", "click", "b"], "click takes no value"),
        (["network", "route", "a"], "--abort, or --body"),
        (["eval"], "a script, or --stdin"),
        (["eval", "-b", "?"], "not base64"),
        (["set", "media", "blue"], "unknown word blue; use dark"),
        (["set", "headers", "[1]"], "headers must be a JSON object"),
        (["get", "text"], "the following arguments are required: TARGET"),
        (["tab", "t1", "t2"], "unrecognized arguments: t2"),
    ],
)
def test_wrong_usage_is_explained(words: list[str], complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        translate(*words)
    assert complaint in str(caught.value)


def test_addresses_without_a_scheme_get_one() -> None:
    wanted = {
        "example.com": "https://example.com",
        "localhost": "http://localhost",
        "localhost:3000": "http://localhost:3000",
        "app.localhost/x": "http://app.localhost/x",
        "127.0.0.1:8080/a": "http://127.0.0.1:8080/a",
        "[::1]:80": "http://[::1]:80",
        "localhost.example.com": "https://localhost.example.com",
        "http://example.com": "http://example.com",
        "about:blank": "about:blank",
        "data:text/html,x": "data:text/html,x",
    }
    assert {address: complete_url(address) for address in wanted} == wanted
    assert url_pattern("https://a.b/c") == "https://a.b/c"


def test_flags_may_come_before_the_verb() -> None:
    argv = ["--session", "a", "--json", "--headers={}", "open", "x", "--tab", "t1"]
    assert split_leading_flags(argv) == (
        ["open", "x", "--tab", "t1"],
        ["--session", "a", "--json", "--headers={}"],
    )
    assert split_leading_flags(["--session"]) == ([], ["--session"])


def test_every_verb_has_existing_actions_and_help_that_fits() -> None:
    terminal = Terminal(io.StringIO(), io.StringIO())
    screens = [command_help.describe(command_of(verb), terminal) for verb in VERBS.values()]
    assert [line for screen in screens for line in screen.splitlines() if len(line) > 80] == []
    assert [verb.name for verb in VERBS.values() if verb.action and verb.action not in CATALOG] == []
    assert DEFAULT_SESSION == DEFAULT
    assert command_help.list_forms("is") == [
        "tabwright is visible TARGET",
        "tabwright is enabled TARGET",
        "tabwright is checked TARGET",
    ]
    assert replacement_for("clipboard").startswith("`press Control+c`")
    assert replacement_for("xyzzy") == ""


def test_the_guide_is_short_and_its_commands_exist() -> None:
    text = guide()
    assert len(text) / 4 <= 600
    commands = [line.split("#")[0].split()[1:] for line in text.splitlines() if line.startswith("tabwright ")]
    assert len(commands) == 5
    assert all(find_verb(words) for words in commands)


@pytest.mark.parametrize(
    ("where", "more"), [("claude", {"name": "tabwright"}), ("cursor", {"alwaysApply": False})]
)
def test_the_front_matter_of_a_skill_is_yaml(tmp_path: Path, where: str, more: dict[str, object]) -> None:
    file = tmp_path / "SKILL.md"
    install(file, PLACES[where].head)
    begin, front, body = file.read_text().split("---\n", 2)
    found = yaml.safe_load(front)
    assert found == {**more, "description": found["description"]}
    assert found["description"].startswith("Drive a real browser from the shell: open pages, read them,")
    assert len(found["description"]) <= 1024
    assert (begin, body.lstrip().startswith("<!-- tabwright skill -->")) == ("", True)


def test_the_guide_is_added_to_existing_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    out = io.StringIO()
    terminal = Terminal(out, io.StringIO())
    assert run({"install": True}, terminal) == 0
    (tmp_path / ".claude").mkdir()
    assert run({"install": True}, terminal) == 0
    assert run({"install": True, "where": "notes/own.md"}, terminal) == 0
    claude = ".claude/skills/tabwright/SKILL.md"
    assert (
        out.getvalue()
        == f"Wrote AGENTS.md.\nWrote {claude}.\nAGENTS.md already has the guide.\nWrote notes/own.md.\n"
    )
    agents = tmp_path / "AGENTS.md"
    agents.write_text("# Ours\n\nRules.\n")
    assert install(Path("AGENTS.md"), "") == "Added the guide to AGENTS.md; the rest is unchanged."
    whole = agents.read_text()
    assert whole.startswith("# Ours\n\nRules.\n\n<!-- tabwright skill -->\n# Tabwright")
    agents.write_text(whole.replace("real browser", "old browser") + "\nMore rules.\n")
    assert install(Path("AGENTS.md"), "") == "Updated the guide in AGENTS.md; the rest is unchanged."
    assert agents.read_text() == whole + "\nMore rules.\n"
    assert set(PLACES) == {"claude", "cursor", "agents"}
