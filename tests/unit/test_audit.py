"""The audit log stays bounded, and addresses in it hold no secrets."""

import json
from pathlib import Path

import pytest

from tabwright.actions import CATALOG
from tabwright.policy.audit import Audit, masked, masked_url


def test_a_full_log_makes_way_and_only_some_are_kept(tmp_path: Path) -> None:
    audit = Audit(tmp_path / "audit.jsonl", most_bytes=500, kept=2)
    for number in range(101):
        audit.note({"number": number})
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["audit.1.jsonl", "audit.2.jsonl", "audit.jsonl"]
    assert all(
        path.stat().st_size < 600 and path.stat().st_mode & 0o777 == 0o600 for path in tmp_path.iterdir()
    )
    newest = [
        *(tmp_path / "audit.1.jsonl").read_text().splitlines(),
        *(tmp_path / "audit.jsonl").read_text().splitlines(),
    ]
    assert json.loads(newest[-1])["number"] == 100


def test_a_log_that_cannot_be_written_fails_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    Audit(tmp_path / "none" / "audit.jsonl").note({"action": "click", "odd": "\ud800"})
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "no audit line can be written"
    ]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://example.com/a?size=2#top", "https://example.com/a?size=2#top"),
        ("https://ada:word@example.com/", "https://example.com/"),
        ("https://example.com/?access_token=abc&x=1", "https://example.com/?access_token=***&x=1"),
        ("https://example.com/?q=c0ffee1234567890abcdef", "https://example.com/?q=***"),
        ("https://example.com/#id_token=abc", "https://example.com/#id_token=***"),
        ("data:text/html,secret", "data:<21 characters>"),
        ("about:blank", "about:blank"),
    ],
)
def test_an_address_is_shown_without_its_secrets(url: str, shown: str) -> None:
    assert masked_url(url) == shown


def test_of_arguments_only_what_is_known_to_be_harmless_is_shown() -> None:
    args = {
        "target": "@e1",
        "value": "hunter2",
        "key": "h",
        "steps": ["a", "b"],
        "count": 2,
        "headers": {"a": "b"},
    }
    assert masked(args) == {
        "target": "@e1",
        "value": "<7 characters>",
        "key": "<1 characters>",
        "steps": "<2 parts>",
        "count": 2,
        "headers": "<1 parts>",
    }
    assert masked({"key": "Enter"}) == {"key": "Enter"}


# Fields whose texts are shown: what an act was aimed at, and choices among known words.
AIMS = {
    "by",
    "cursor",
    "device",
    "direction",
    "domain",
    "end",
    "folder",
    "format",
    "id",
    "kind",
    "locale",
    "method",
    "origin",
    "paper",
    "path",
    "paths",
    "pattern",
    "ranges",
    "state",
    "tab",
    "target",
    "timezone",
    "url",
    "wait_until",
    "button",
    "media",
    "key",
    "action",
    "session",
}


def test_no_text_of_any_action_is_shown_but_what_it_aims_at() -> None:
    secret = "hunter2 Grace Hopper"
    shown = {
        name
        for action in CATALOG
        for name in action.args.model_fields
        for told in (masked({name: secret}), masked({name: [secret]}), masked({name: {secret: secret}}))
        if secret in str(told)
    }
    assert shown - AIMS == set()
