"""The gate of a browser that is not ours: its own traffic is the user's affair."""

from tabwright.browser.gate import OpenGate
from tabwright.policy.urls import UrlRules


class GuestGate(OpenGate):
    """Judges what callers open; what the pages themselves request goes its own way."""

    def __init__(self, rules: UrlRules) -> None:
        self._rules = rules

    def check(self, url: str) -> None:
        self._rules.check(url)
