"""Why a tab that is still open is not within reach any more."""

from tabwright.errors import Blocked, Denied, TabwrightError

_ANOTHER = "Work in another tab, or ask the user."


def parting(tab_id: str, reason: str) -> TabwrightError | None:
    """Say what became of a tab of the user's Chrome; None for one that is simply closed."""
    match reason:
        case "unshared" | "canceled_by_user" | "stopped":
            return Denied(f"The user took tab {tab_id} back.", hint=_ANOTHER)
        case "excluded":
            return Denied(f"Tab {tab_id} went to a page that agents may not touch.", hint=_ANOTHER)
        case "excluded frame":
            return Denied(f"Tab {tab_id} holds a frame of a site that agents may not touch.", hint=_ANOTHER)
        case "unreachable":
            return Blocked(f"Tab {tab_id} shows a page that extensions cannot reach.", hint=_ANOTHER)
        case "replaced_with_devtools":
            return Blocked(f"The user opened developer tools on tab {tab_id}.", hint=_ANOTHER)
    return None
