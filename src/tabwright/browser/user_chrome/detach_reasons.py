"""Why a tab that is still open, or the whole Chrome of the user, is not within reach any more."""

from tabwright.errors import Blocked, Denied, TabwrightError

_ANOTHER = "Work in another tab, or ask the user."
# By what the extension and Chrome call it; `{}` is the tab.
_PARTED: dict[str, tuple[type[TabwrightError], str]] = {
    "unshared": (Denied, "The user took tab {} back."),
    "canceled_by_user": (Denied, "The user took tab {} back."),
    "excluded": (Denied, "Tab {} went to a page that agents may not touch."),
    "excluded frame": (Denied, "Tab {} holds a frame of a site that agents may not touch."),
    "unreachable": (Blocked, "Tab {} shows a page that extensions cannot reach."),
    "replaced_with_devtools": (Blocked, "The user opened developer tools on tab {}."),
}
_LEFT = {
    "stopped": (
        "The user stopped all agents in their Chrome.",
        "Ask the user. Once they press Start again and share a tab, connect_browser joins it.",
    ),
    "unpaired": (
        "The user unpaired their Chrome.",
        "Ask the user. Once they pair it again (tabwright extension pair), connect_browser joins it.",
    ),
}


def parting(tab_id: str, reason: str) -> TabwrightError | None:
    """Say what became of a tab of the user's Chrome; None for one that is simply closed."""
    if reason not in _PARTED:
        return disconnect_error(reason)
    kind, fact = _PARTED[reason]
    return kind(fact.format(tab_id), hint=_ANOTHER)


def disconnect_error(reason: str) -> TabwrightError | None:
    """Say why the user's Chrome left, if its user had it leave; None when it may come back by itself."""
    if reason not in _LEFT:
        return None
    fact, hint = _LEFT[reason]
    return Denied(fact, hint=hint)
