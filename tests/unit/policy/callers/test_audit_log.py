"""The audit log stays bounded, and URLs in it contain no secrets."""

import base64
import json
import random
import string
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwright.actions import CATALOG
from tabwright.policy.callers.audit_log import AuditLog
from tabwright.policy.callers.redact_url import redact_args, redact_url


def test_a_full_log_is_rotated_and_old_files_are_deleted(tmp_path: Path) -> None:
    audit = AuditLog(tmp_path / "audit.jsonl", max_bytes=500, max_old_files=2)
    for number in range(101):
        audit.write({"number": number})
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


def test_a_log_that_cannot_be_written_does_not_fail_the_call(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    AuditLog(tmp_path / "none" / "audit.jsonl").write({"action": "click", "odd": "\ud800"})
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "cannot write to the audit log"
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
def test_a_url_is_logged_without_its_secrets(url: str, shown: str) -> None:
    assert redact_url(url) == shown


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/users/9f86d081884c7d659a2feaa0c55ad015/feed.ics", "/users/***/feed.ics"),
        ("/reset/1234", "/reset/***"),
        ("/reset-password/Zk3/done", "/reset-password/***/done"),
        ("/account/reset/password", "/account/reset/password"),
        ("/invite/AbC9?from=mail", "/invite/***?from=mail"),
        ("/shop;jsessionid=0A1B2C?page=2", "/shop;jsessionid=***?page=2"),
        ("/app#/verify/482913", "/app#/verify/***"),
        ("/file%2FeyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.x", "/***"),
        ("/calendar/zbapenpcxexloqtoubdwhsexhwopjwqq", "/calendar/***"),
        ("/v1.2.3/getElementById/AbstractProxyFactoryBean.html", None),
        ("/2024/11/16/2024-11-16T04-46-53Z", None),
        ("/dp/B07XJ8C8F5/apple-macbook-pro-14inch-m3-16gb-512gb-ssd-2023", None),
        ("/why-we-moved-to-another-town-1a2b3c4d5e6f", None),
        ("/status/1723456789012345678", None),
        ("/assets/main.8f3a9c2b1d7e.chunk.js", None),
    ],
)
def test_random_parts_of_a_path_are_redacted(path: str, shown: str | None) -> None:
    assert redact_url(f"https://example.com{path}") == f"https://example.com{shown or path}"


TOKENS: dict[str, Callable[[random.Random], str]] = {
    "hex": lambda lot: lot.randbytes(16).hex(),
    "uuid": lambda lot: str(uuid.UUID(bytes=lot.randbytes(16), version=4)),
    "base32": lambda lot: base64.b32encode(lot.randbytes(20)).decode().lower(),
    "base62": lambda lot: "".join(lot.choices(string.ascii_letters + string.digits, k=32)),
    "base64": lambda lot: base64.urlsafe_b64encode(lot.randbytes(32)).decode().rstrip("="),
}
WORDS = (
    "how",
    "to",
    "build",
    "a",
    "house",
    "iPhone",
    "Ada",
    "mp3",
    "2nd",
    "256gb",
    "NASA",
    "covid19",
    "über",
)
SLUGS = st.lists(
    st.sampled_from(WORDS) | st.integers(0, 10**12).map(str) | st.dates().map(str), min_size=1, max_size=12
)


@given(st.sampled_from(sorted(TOKENS)), st.integers(0, 2**64), SLUGS, SLUGS)
def test_tokens_in_a_path_are_redacted_and_titles_are_not(
    kind: str, seed: int, before: list[str], after: list[str]
) -> None:
    token, one, other = TOKENS[kind](random.Random(seed)), "-".join(before), "_".join(after)
    assert (
        redact_url(f"https://example.com/{one}/{token}/{other}") == f"https://example.com/{one}/***/{other}"
    )
    assert token not in redact_url(f"https://example.com/{one}#/{token}.html")


def test_only_harmless_arguments_are_logged() -> None:
    args = {
        "target": "@e1",
        "value": "hunter2",
        "key": "h",
        "steps": ["a", "b"],
        "count": 2,
        "headers": {"a": "b"},
    }
    assert redact_args(args) == {
        "target": "@e1",
        "value": "<7 characters>",
        "key": "<1 character>",
        "steps": "<2 parts>",
        "count": 2,
        "headers": "<1 part>",
    }
    assert redact_args({"key": "Enter"}) == {"key": "Enter"}


# Fields whose text is logged: the target of an action, and choices from a fixed list.
LOGGED_FIELDS = {
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
    "profile_id",
    "lang",
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
    "verb",
}


def test_no_text_of_any_action_is_logged_except_its_target() -> None:
    secret = "hunter2 Grace Hopper"
    shown = {
        name
        for action in CATALOG
        for name in action.args.model_fields
        for redacted in (
            redact_args({name: secret}),
            redact_args({name: [secret]}),
            redact_args({name: {secret: secret}}),
        )
        if secret in str(redacted)
    }
    assert shown - LOGGED_FIELDS == set()
