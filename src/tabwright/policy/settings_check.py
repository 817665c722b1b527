"""Checks settings beyond their types: what they name exists and can be parsed."""

from collections.abc import Iterable
from difflib import get_close_matches

from tabwright.action import OPERATIONS, Catalog, Effect
from tabwright.policy.network.environment_proxies import upstream_of
from tabwright.policy.network.own_ports import OwnPorts
from tabwright.policy.network.url_rules import UrlRules
from tabwright.settings import Settings, invalid_setting


def require_valid(settings: Settings, catalog: Catalog) -> None:
    """Check settings before anything starts.

    Raises:
        InvalidArgs: one names something that does not exist, or cannot be parsed.
    """
    # A misspelt action would need no approval.
    if problem := _describe_unknown(settings.security.confirm, catalog):
        raise invalid_setting(f"security.confirm: {problem}")
    UrlRules(settings.security.allowed_url_patterns, OwnPorts())
    upstream_of(settings.proxy)


def _describe_unknown(asked: Iterable[str], catalog: Catalog) -> str:
    """Return a message about the first rule that names no action and nothing they do; "" if all are known."""
    known = [*(action.name for action in catalog), *Effect, *OPERATIONS]
    name = next((name for name in asked if name not in known), None)
    if name is None:
        return ""
    bare = name.removeprefix("browser_").removeprefix("browser.").replace("-", "_").lower()
    near = get_close_matches(bare, known, n=1)
    return f"unknown action {name}" + (f"; did you mean {near[0]}?" if near else "")
