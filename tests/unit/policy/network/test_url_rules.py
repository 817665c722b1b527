"""Which URLs the rules allow."""

import json
import socket
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from tabwright.errors import Denied, InvalidArgs
from tabwright.policy.network.ip_ranges import kind
from tabwright.policy.network.own_ports import OwnPorts
from tabwright.policy.network.url_rules import UrlRules, parse
from tabwright.settings import Settings

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[3] / "cases" / "urls.json").read_text())
DEFAULT = UrlRules(Settings().security.allowed_url_patterns)


def allowed(rules: UrlRules, url: str) -> bool:
    try:
        rules.check(url)
    except (Denied, InvalidArgs):
        return False
    return True


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_hostile_url_is_checked_as_chrome_parses_it(case: dict[str, Any]) -> None:
    rules = UrlRules(["allowed.test", "*.ok.test", "http://app.test:8080"])
    if case["expect"] != "either":
        assert allowed(rules, case["url"]) == (case["expect"] == "allow")
    else:
        allowed(rules, case["url"])


@pytest.mark.parametrize(
    ("url", "passes"),
    [
        ("https://example.com/a?b#c", True),
        ("https://example.com:8443/", True),
        ("http://localhost/", True),
        ("http://localhost:3000/x", True),
        ("http://app.localhost:3000/x", True),
        ("http://127.0.0.1:8080/", True),
        ("http://[::1]:8080/", True),
        ("https://localhost:8443/", True),
        ("about:blank", True),
        ("http://example.com/", False),
        ("https://192.168.1.1/", False),
        ("https://169.254.169.254/", False),
        ("https://[::ffff:10.0.0.1]/", False),
        ("https://0.0.0.0/", False),
        ("http://127.0.0.2/", False),
    ],
)
def test_by_default_https_is_allowed_and_http_on_localhost(url: str, passes: bool) -> None:
    assert allowed(DEFAULT, url) is passes


@pytest.mark.parametrize(
    ("pattern", "url", "passes"),
    [
        ("*", "http://any.test:81/", True),
        ("https://*", "http://any.test/", False),
        ("*://any.test", "http://any.test:99/x", True),
        ("any.test:*", "http://any.test:99/x", True),
        ("http://any.test:80", "http://any.test/", True),
        ("https://any.test/docs/*", "https://any.test/docs/a", True),
        ("https://any.test/docs/*", "https://any.test/docs/../secret", False),
        ("https://any.test/docs/*", "https://any.test/", False),
        ("https://any.test/", "https://any.test/", True),
        ("https://any.test/", "https://any.test/x", False),
        ("https://BÜCHER.test", "https://xn--bcher-kva.test/", True),
        ("*.bücher.test", "https://a.bücher.test/", True),
        (r"^https://[a-z]+\.test/", "HTTPS://Any.test/x", True),
        (r"^https://[a-z]+\.test/", "https://any.test.evil/x", False),
        ("http://10.0.0.5:8080/*", "http://10.0.0.5:8080/x", True),
        ("http://10.0.0.*", "http://10.0.0.5/", False),
    ],
)
def test_a_pattern_allows(pattern: str, url: str, passes: bool) -> None:
    try:
        rules = UrlRules([pattern])
    except InvalidArgs:
        rules = UrlRules([])
    assert allowed(rules, url) is passes


@pytest.mark.parametrize(
    "pattern", ["", " ", "ftp://x", "http://", "http://a b/", "https://a:b@c/", "^(", "http://x:123456"]
)
def test_an_invalid_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidArgs):
        UrlRules([pattern])


def test_a_refusal_names_the_url_the_setting_and_what_to_do() -> None:
    with pytest.raises(Denied) as refused:
        DEFAULT.check("http://example.com/a")
    assert str(refused.value) == (
        "http://example.com/a is refused: no pattern of security.allowed_url_patterns allows it. "
        "Try https://example.com/a"
    )
    with pytest.raises(Denied) as secret:
        DEFAULT.check("https://user:hunter2@example.com/")
    assert "hunter2" not in str(secret.value)


@pytest.mark.parametrize(
    ("url", "advice"),
    [
        ("http://example.com:80/a", "Try https://example.com/a"),
        ("http://example.com:8080/a", "Try https://example.com:8080/a"),
        ("http://192.168.1.1/", "Use an allowed URL, or ask the user to allow it."),
    ],
)
def test_a_refusal_suggests_the_https_url_if_that_is_allowed(url: str, advice: str) -> None:
    with pytest.raises(Denied) as refused:
        DEFAULT.check(url)
    assert refused.value.hint == advice


@pytest.mark.parametrize("url", ["example.com", "localhost:3000", "http://", "/x", "https://a b/"])
def test_an_invalid_url_is_an_invalid_argument(url: str) -> None:
    with pytest.raises(InvalidArgs):
        DEFAULT.check(url)


def test_a_private_address_needs_a_rule_that_names_its_host() -> None:
    rules = UrlRules(["https://*", "http://intranet.corp/*", "http://169.254.169.254/*"])
    assert rules.refusal_of_address("intranet.corp", "private") is None
    assert rules.refusal_of_address("intranet.corp", "link-local") is not None
    assert rules.refusal_of_address("169.254.169.254", "link-local") is None
    assert rules.refusal_of_address("evil.test", "loopback") is not None


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("8.8.8.8", ""),
        ("2606:4700::1111", ""),
        ("127.8.8.8", "loopback"),
        ("::1", "loopback"),
        ("::ffff:127.0.0.1", "loopback"),
        ("64:ff9b::7f00:1", "loopback"),
        ("2002:7f00:1::", "loopback"),
        ("0.0.0.0", "unspecified"),
        ("::", "unspecified"),
        ("10.1.2.3", "private"),
        ("100.64.0.1", "private"),
        ("192.0.0.1", "private"),
        ("fc00::1", "private"),
        ("169.254.169.254", "link-local"),
        ("fe80::1", "link-local"),
        ("224.0.0.1", "multicast"),
        ("ff02::1", "multicast"),
        ("255.255.255.255", "private"),
    ],
)
def test_ip_addresses_are_classified(address: str, what: str) -> None:
    assert kind(ip_address(address)) == what


def test_only_rules_with_a_path_pause_requests_in_chrome() -> None:
    assert DEFAULT.paused == ()
    assert UrlRules(["https://a.test/x/*", "http://b.test/x/*", "c.test"]).paused == ("https://a.test*",)
    assert UrlRules(["^https://a"]).paused == ("https://*",)


def test_a_url_is_normalized_as_in_chrome() -> None:
    assert str(parse(" HTTPS://Example.COM:443/a b?c#d")) == "https://example.com/a%20b?c"


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "localhost",
        "LOCALHOST.",
        "a.localhost",
        "127.0.0.2",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::127.0.0.1]",
    ],
)
def test_no_spelling_of_localhost_reaches_our_own_ports(host: str) -> None:
    rules = UrlRules(["^.*$", f"http://{host}"], OwnPorts([38_472]))
    for url in (f"http://{host}:38472/", f"https://{host}:38472/api/"):
        with pytest.raises(Denied, match="is refused: sessions may not reach the ports of Tabwright itself"):
            rules.check(url)


def test_the_network_addresses_of_this_computer_are_local() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))  # sends nothing, but chooses the local address
        except OSError:
            pytest.skip("This computer has no network.")
        mine = way.getsockname()[0]
    refusal = OwnPorts([38_472]).refusal(mine, 38_472)
    assert refusal is not None
    assert refusal.message == (
        f"{mine}:38472 is refused: sessions may not reach the ports of Tabwright itself."
    )


def test_other_ports_and_other_computers_are_not_ours() -> None:
    own = OwnPorts()
    with own.opened(38_472):
        assert own.refusal("127.0.0.1", 38_472) is not None
        assert own.refusal("127.0.0.1", 38_473) is None
        assert own.refusal("192.0.2.1", 38_472) is None
        assert own.refusal("site.test", 38_472, [ip_address("192.0.2.1")]) is None
    assert own.refusal("127.0.0.1", 38_472) is None
