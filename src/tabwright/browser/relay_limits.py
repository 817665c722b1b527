"""What cannot be done in the user's own Chrome through the extension: the calls, the words, the actions."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limit:
    """One thing that cannot be done there.

    Args:
        fact: what a caller is told; the documents say it too.
        methods: calls of the protocol that it takes.
        actions: actions that need them, with arguments that show it.
    """

    fact: str
    methods: tuple[str, ...]
    actions: tuple[str, ...]


LIMITS = (
    Limit(
        "Cookies of the user's own Chrome are not read or changed as a whole.",
        ("Storage.getCookies", "Storage.setCookies", "Storage.clearCookies"),
        ("get_cookies", "set_cookie", "delete_cookies", "save_state", "load_state"),
    ),
    Limit(
        "Where downloads go is not chosen in the user's own Chrome: they land in the user's own folder.",
        ("Browser.setDownloadBehavior", "Browser.cancelDownload", "Page.setDownloadBehavior"),
        ("download",),
    ),
    Limit(
        "Permissions of sites are the user's own to give in their Chrome.",
        ("Browser.setPermission", "Browser.resetPermissions"),
        ("emulate",),
    ),
    Limit(
        "There are no contexts beside the user's own in their Chrome.",
        ("Target.createBrowserContext", "Target.disposeBrowserContext"),
        (),
    ),
    Limit(
        "The user's own Chrome is not ended from here.",
        ("Browser.close",),
        (),
    ),
)

REFUSED = {method: limit.fact for limit in LIMITS for method in limit.methods}
