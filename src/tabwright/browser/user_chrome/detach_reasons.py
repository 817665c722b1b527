"""The errors for a tab, or a whole Chrome of the user, that is open but out of reach."""

from tabwright.errors import Blocked, Denied, TabwrightError

_HINT = "Work in another tab, or ask the user."
# By the keyword of the extension or of Chrome; `{}` is the tab.
_TAB_REASONS: dict[str, tuple[type[TabwrightError], str]] = {
    "unshared": (Denied, "The user stopped sharing tab {}."),
    "canceled_by_user": (Denied, "The user stopped sharing tab {}."),
    "excluded": (Denied, "Tab {} went to a site that the user excluded."),
    "excluded frame": (Denied, "Tab {} contains a frame of a site that the user excluded."),
    "unreachable": (Blocked, "Tab {} shows a page that extensions cannot reach."),
    "replaced_with_devtools": (Blocked, "The user opened developer tools on tab {}."),
}
_CHROME_REASONS = {
    "stopped": (
        "The user stopped all agents in their Chrome.",
        "Ask the user. Once they press Start again and share a tab, connect_browser joins it.",
    ),
    "unpaired": (
        "The user unpaired their Chrome.",
        "Ask the user. Once they pair it again (tabwright extension pair), connect_browser joins it.",
    ),
}


def detach_error(tab_id: str, reason: str) -> TabwrightError | None:
    """Return the error for a tab of the user's Chrome that was detached; None if it was closed."""
    if reason not in _TAB_REASONS:
        return disconnect_error(reason)
    kind, fact = _TAB_REASONS[reason]
    return kind(fact.format(tab_id), hint=_HINT)


def disconnect_error(reason: str) -> TabwrightError | None:
    """Return the error for a Chrome that its user disconnected; None if it may reconnect by itself."""
    if reason not in _CHROME_REASONS:
        return None
    fact, hint = _CHROME_REASONS[reason]
    return Denied(fact, hint=hint)
