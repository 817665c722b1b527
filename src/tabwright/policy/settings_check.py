"""Checks settings beyond their types: what they name exists and can be parsed."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from tabwright.action import OPERATIONS, Catalog, Effect
from tabwright.policy.callers.http_auth import MIN_KEY_LENGTH
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
    if settings.auth.api_key and settings.auth.type == "none":
        raise invalid_setting("auth.api_key is set, but auth.type is none, so that no request needs the key")
    UrlRules(settings.security.allowed_url_patterns, OwnPorts())
    upstream_of(settings.proxy)


def find_warnings(settings: Settings, file: Path) -> list[str]:
    """Return what is allowed in the settings, but not advisable."""
    key = settings.auth.api_key
    if key is None:
        return []
    warnings = []
    if len(key.get_secret_value()) < MIN_KEY_LENGTH:
        warnings.append(f"auth.api_key is short: use {MIN_KEY_LENGTH} characters or more.")
    if file.exists() and file.stat().st_mode & 0o077 and "key" in file.read_text(errors="replace").lower():
        warnings.append(f"Other users can read the key in {file}: chmod 600 {file}")
    return warnings


def _describe_unknown(asked: Iterable[str], catalog: Catalog) -> str:
    """Return a message about the first rule that names no action and nothing they do; "" if all are known."""
    known = [*(action.name for action in catalog), *Effect, *OPERATIONS]
    name = next((name for name in asked if name not in known), None)
    if name is None:
        return ""
    bare = name.removeprefix("browser_").removeprefix("browser.").replace("-", "_").lower()
    near = get_close_matches(bare, known, n=1)
    return f"unknown action {name}" + (f"; did you mean {near[0]}?" if near else "")
