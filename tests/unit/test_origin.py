"""Origins of addresses."""

import pytest

from tabwright.browser.origin import origin_of, required_origin
from tabwright.errors import InvalidArgs


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
def test_an_origin_is_scheme_host_and_unusual_port(url: str, origin: str | None) -> None:
    assert origin_of(url) == origin


def test_a_caller_must_name_one() -> None:
    with pytest.raises(InvalidArgs, match="'shop' is no origin"):
        required_origin("shop")
