"""Settings of which each may be, and that mean something here: what they name exists and can be read."""

from collections.abc import Iterable
from difflib import get_close_matches

from tabwright.action import Catalog, Effect
from tabwright.policy.network.own_ports import OwnPorts
from tabwright.policy.network.upstream_proxy import UpstreamProxy
from tabwright.policy.network.url_rules import UrlRules
from tabwright.settings import Settings, wrong


def require_sound(settings: Settings, catalog: Catalog) -> None:
    """Refuse settings that nothing can run with, before anything does.

    Raises:
        InvalidArgs: one names what there is not, or cannot be read.
    """
    # An action that is misspelt is one that nobody is asked about.
    if told := _unknown(settings.security.confirm, catalog):
        raise wrong(f"security.confirm: {told}")
    UrlRules(settings.security.allowed_url_patterns, OwnPorts())
    if settings.proxy:
        UpstreamProxy.parse(settings.proxy)


def _unknown(asked: Iterable[str], catalog: Catalog) -> str:
    """Say of the first name that no action and no kind of them has that it is none; "" when all are known."""
    known = [*(action.name for action in catalog), *Effect]
    name = next((name for name in asked if name not in known), None)
    if name is None:
        return ""
    bare = name.removeprefix("browser_").removeprefix("browser.").replace("-", "_").lower()
    near = get_close_matches(bare, known, n=1)
    return f"there is no action {name}" + (f"; did you mean {near[0]}?" if near else "")
