"""The proxies that the environment names, and the hosts that NO_PROXY excepts."""

import pytest

from tabwright.errors import InvalidArgs
from tabwright.policy.network.environment_proxies import EnvironmentProxies, upstream_of
from tabwright.policy.network.upstream_proxy import UpstreamProxy


def choose(variables: dict[str, str], host: str, port: int = 443, *, plain: bool = False) -> str | None:
    proxies = EnvironmentProxies.parse(variables)
    chosen = proxies.choose(host, port, plain=plain) if proxies else None
    return str(chosen.address) if chosen else None


def test_each_variable_is_for_its_own_scheme_and_all_proxy_for_the_rest() -> None:
    both = {"HTTP_PROXY": "http://plain:1", "HTTPS_PROXY": "http://tls:2", "ALL_PROXY": "socks5h://all:3"}
    assert choose(both, "a.test", plain=True) == "plain:1"
    assert choose(both, "a.test") == "tls:2"
    rest = {"HTTP_PROXY": "plain:1", "ALL_PROXY": "socks5h://all:3"}
    assert (choose(rest, "a.test", plain=True), choose(rest, "a.test")) == ("plain:1", "all:3")
    assert choose({"HTTP_PROXY": "plain:1"}, "a.test") is None
    assert EnvironmentProxies.parse({"NO_PROXY": "a.test"}) is None


@pytest.mark.parametrize(
    ("exception", "host", "port", "direct"),
    [
        ("*", "a.test", 443, True),
        ("a.test", "a.test", 443, True),
        ("a.test", "A.TEST", 443, True),
        ("a.test", "b.a.test", 443, True),
        ("a.test", "ba.test", 443, False),
        (".a.test", "a.test", 443, True),
        ("*.a.test", "x.a.test", 443, True),
        ("x.test, a.test", "a.test", 443, True),
        ("x.test a.test", "a.test", 443, True),
        ("a.test:8443", "a.test", 8443, True),
        ("a.test:8443", "a.test", 443, False),
        ("10.0.0.0/8", "10.1.2.3", 443, True),
        ("10.0.0.0/8", "11.1.2.3", 443, False),
        ("10.0.0.0/8", "10.test", 443, False),
        ("10.0.0.0/what", "10.1.2.3", 443, False),
        ("fd00::/8", "[fd00::1]", 443, True),
        ("fd00::1", "[fd00::1]", 443, True),
        ("", "a.test", 443, False),
        (",", "a.test", 443, False),
    ],
)
def test_no_proxy_excepts_hosts(exception: str, host: str, port: int, direct: bool) -> None:
    variables = {"HTTPS_PROXY": "http://proxy:1", "NO_PROXY": exception}
    assert (choose(variables, host, port) is None) == direct


def test_the_setting_overrides_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://upper:1")
    monkeypatch.setenv("https_proxy", "http://lower:2")
    given = upstream_of(None)
    assert isinstance(given, EnvironmentProxies)
    assert given.https == UpstreamProxy.parse("http://lower:2")
    assert upstream_of("http://mine:3") == UpstreamProxy.parse("http://mine:3")
    assert upstream_of("direct://") is None


def test_an_invalid_variable_is_named_without_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "ftp://me:secret@proxy")
    with pytest.raises(InvalidArgs) as refused:
        upstream_of(None)
    assert refused.value.message == "The variable HTTPS_PROXY is not the URL of a proxy."
    assert refused.value.hint == 'Correct it, or ignore it: proxy = "direct://" in the settings.'
