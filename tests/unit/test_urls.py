"""Origins of URLs, and URL patterns."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwright.errors import InvalidArgs
from tabwright.urls import UrlGlob, origin_of, require_origin


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Shop.Example/a?b#c", "https://shop.example"),
        ("http://a.example:80/", "http://a.example"),
        ("http://a.example:8080/", "http://a.example:8080"),
        ("http://user:pass@a.example/", "http://a.example"),
        ("http://[::1]:9000/x", "http://[::1]:9000"),
        ("about:blank", None),
        ("data:text/html,x", None),
        ("http://a:b:c/", None),
        ("https://", None),
    ],
)
def test_an_origin_is_scheme_host_and_non_default_port(url: str, origin: str | None) -> None:
    assert origin_of(url) == origin


def test_a_required_origin_must_be_valid() -> None:
    with pytest.raises(InvalidArgs, match="'shop' is not an origin"):
        require_origin("shop")


URL = "https://shop.example/api/items?page=2"


@pytest.mark.parametrize(
    "pattern", ["*", URL, "https://shop.example/*", "*/api/*", "*page=2", "*?page=*", "h*s*2"]
)
def test_a_pattern_matches_the_whole_url(pattern: str) -> None:
    assert UrlGlob(pattern).matches(URL)


@pytest.mark.parametrize(
    "pattern", ["https://shop.example", "/api/", "*api", "api*", "*/API/*", "*page?2", "*items.page*"]
)
def test_a_pattern_that_matches_only_a_part_does_not_match(pattern: str) -> None:
    assert not UrlGlob(pattern).matches(URL)


def test_parts_may_not_overlap() -> None:
    assert not UrlGlob("ab*ba").matches("aba")


@given(st.text("ab*", min_size=1), st.text("ab"))
def test_a_pattern_matches_like_a_regular_expression(pattern: str, url: str) -> None:
    regex = ".*".join(map(re.escape, pattern.split("*")))
    assert UrlGlob(pattern).matches(url) == (re.fullmatch(regex, url) is not None)


def test_an_empty_pattern_is_refused() -> None:
    with pytest.raises(InvalidArgs, match="The URL pattern is empty"):
        UrlGlob(" ")


def test_chrome_gets_its_own_special_characters_escaped() -> None:
    assert UrlGlob("*/a?b=\\c*").for_chrome == "*/a\\?b=\\\\c*"
