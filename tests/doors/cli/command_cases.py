"""The command line that each tool of agent-browser becomes."""

import json
from typing import Any, NamedTuple

_HEADERS = {"X-Token": "a b", "X-Ünï": "ö"}
_AS_JSON = json.dumps(_HEADERS, ensure_ascii=False, separators=(",", ":"))

# Tool, arguments, expected command line after the global flags.
CASES: tuple[tuple[str, dict[str, Any], list[str]], ...] = (
    ("open", {"url": "example.com"}, ["open", "example.com"]),
    ("open", {"url": "a.example", "headers": _HEADERS}, ["open", "a.example", "--headers", _AS_JSON]),
    ("snapshot", {}, ["snapshot", "-i", "-c", "-d", "30"]),
    ("snapshot", {"depth": 3, "selector": "#main"}, ["snapshot", "-i", "-c", "-d", "3", "-s", "#main"]),
    ("snapshot", {"interactive": False, "compact": False}, ["snapshot", "-d", "30"]),
    ("click", {"target": "@e2"}, ["click", "@e2"]),
    ("fill", {"target": "@e1", "value": ""}, ["fill", "@e1", ""]),
    (
        "fill",
        {"target": "#a b", "value": "$(touch x); `y` 'z' \"\n*"},
        ["fill", "#a b", "$(touch x); `y` 'z' \"\n*"],
    ),
    ("type", {"target": "@e1", "text": "-5 日本"}, ["type", "@e1", "-5 日本"]),
    ("press", {"key": "Control+a"}, ["press", "Control+a"]),
    ("press", {"key": "-"}, ["press", "-"]),
    ("hover", {"target": "@e2"}, ["hover", "@e2"]),
    ("check", {"target": "@e2"}, ["check", "@e2"]),
    ("uncheck", {"target": "@e2"}, ["uncheck", "@e2"]),
    (
        "select",
        {"target": "@e2", "values": ["Small", "Very large"]},
        ["select", "@e2", "Small", "Very large"],
    ),
    ("upload", {"target": "@e2", "files": ["a.txt", "b c.txt"]}, ["upload", "@e2", "a.txt", "b c.txt"]),
    ("get", {"what": "title"}, ["get", "title"]),
    ("get", {"what": "attr", "target": "@e2", "name": "href"}, ["get", "attr", "@e2", "href"]),
    ("find", {"by": "text", "value": "Sign in"}, ["find", "text", "Sign in", "click"]),
    (
        "find",
        {"by": "role", "value": "textbox", "name": "Name", "exact": True, "action": "fill", "text": "Ada"},
        ["find", "role", "textbox", "fill", "--name", "Name", "--exact", "Ada"],
    ),
    ("find", {"by": "nth", "value": "li", "index": 2}, ["find", "nth", "2", "li", "click"]),
    ("wait", {"target": "#late"}, ["wait", "#late"]),
    ("wait", {"milliseconds": 10}, ["wait", "10"]),
    ("wait", {"text": "Here now"}, ["wait", "--text", "Here now"]),
    ("wait", {"url": "**/done"}, ["wait", "--url", "**/done"]),
    ("wait", {"load": "networkidle"}, ["wait", "--load", "networkidle"]),
    ("wait", {"fn": "x == 1"}, ["wait", "--fn", "x == 1"]),
    ("screenshot", {}, ["screenshot"]),
    (
        "screenshot",
        {"path": "a.png", "target": "#h", "full": True, "annotate": True},
        ["screenshot", "#h", "a.png", "--full", "--annotate"],
    ),
    ("tab", {}, ["tab", "list"]),
    ("tab", {"action": "new", "url": "a.example"}, ["tab", "new", "a.example"]),
    ("tab", {"action": "switch", "tab": "t2"}, ["tab", "t2"]),
    ("tab", {"action": "close"}, ["tab", "close"]),
    ("tab", {"action": "close", "tab": "t2"}, ["tab", "close", "t2"]),
    ("back", {}, ["back"]),
    ("forward", {}, ["forward"]),
    ("reload", {}, ["reload"]),
    ("close", {}, ["close"]),
    ("session", {}, ["session"]),
    ("session_list", {}, ["session", "list"]),
    ("connect", {"cdp_port": 9222}, ["connect", "9222"]),
    ("set_headers", {"headers": _HEADERS}, ["set", "headers", _AS_JSON]),
    ("set_headers", {"headers": {}}, ["set", "headers", "{}"]),
    ("doctor", {}, ["doctor"]),
    ("command", {"argv": ["cookies", "set", "a", "b", "--secure"]}, ["cookies", "set", "a", "b", "--secure"]),
)


class Failure(NamedTuple):
    """A program that fails, and its outcome: exit code, signal, whether output was truncated."""

    name: str
    script: str
    code: int | None
    signal: str | None = None
    cut: bool = False

    @property
    def hangs(self) -> bool:
        """Whether it runs until its deadline."""
        return "hangs" in self.name

    @property
    def heavy(self) -> bool:
        """Whether it is too slow to repeat."""
        return "MB" in self.name or "never" in self.name


FAILURES = (
    Failure("fails", "echo '{\"success\":false}'; echo no >&2; exit 3", 3),
    Failure("crashes", "kill -SEGV $$", None, "SIGSEGV"),
    Failure("says nothing", "", 0),
    Failure("prints garbage", "head -c 20000 /dev/urandom", 0),
    Failure("prints much garbage", "head -c 2000000 /dev/urandom", 0, cut=True),
    Failure("is not UTF-8", r"printf '{\"a\": \"\377\376\"}'", 0),
    Failure("has half a character at the cut", "printf 'x%.0s' $(seq 24999); printf 'éé'", 0, cut=True),
    Failure("prints 100 MB", "head -c 104857600 /dev/zero", 0, cut=True),
    Failure(
        "prints 100 MB of JSON",
        r"printf '[\"'; head -c 104857600 /dev/zero | tr '\0' x; printf '\"]'",
        0,
        None,
        True,
    ),
    Failure("complains for 100 MB", "head -c 104857600 /dev/zero >&2", 0, cut=True),
    Failure("never stops printing", "exec yes", None, "SIGKILL", cut=True),
    Failure("is too deep", "printf '[%.0s' $(seq 500); printf ']%.0s' $(seq 500)", 0),
    Failure("has a lone surrogate", r"printf '[\"\\ud800\"]'", 0),
    Failure("has no number", "echo '[NaN]'", 0),
    Failure("breaks off", "printf '{\"a\": [1, 2'", 0),
    Failure("closes its output", "exec 1>&- 2>&-; exit 4", 4),
    Failure("hangs", "exec sleep 1000", None, "SIGKILL"),
    Failure("hangs with children", "sleep 1000 & sleep 1000", None, "SIGKILL"),
    Failure("hangs deaf to requests", "trap '' TERM INT HUP; while :; do sleep 1000; done", None, "SIGKILL"),
    Failure("leaves somebody with its output", "sleep 5 & echo '{\"ok\": true}'", 0),
)
