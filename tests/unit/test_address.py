"""Addresses without a scheme."""

import pytest

from tabwright.address import complete_url


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("example.com", "https://example.com"),
        ("example.com:8443/a?b#c", "https://example.com:8443/a?b#c"),
        ("münchen.de/x", "https://münchen.de/x"),
        ("192.0.2.1/x", "https://192.0.2.1/x"),
        ("localhost:3000", "http://localhost:3000"),
        ("app.localhost", "http://app.localhost"),
        ("127.0.0.1:8080/x", "http://127.0.0.1:8080/x"),
        ("[::1]:80", "http://[::1]:80"),
        ("https://example.com", "https://example.com"),
        ("about:blank", "about:blank"),
        ("data:text/html,a.com", "data:text/html,a.com"),
        ("no address", "no address"),
        ("two words.com", "two words.com"),
        ("me@example.com", "me@example.com"),
        ("@e7", "@e7"),
    ],
)
def test_a_bare_host_name_gets_a_scheme(address: str, url: str) -> None:
    assert complete_url(address) == url
