"""What cannot be done in the user's own Chrome through the extension: callers are told, and the documents."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limit:
    """One thing that cannot be done there.

    Args:
        fact: what a caller is told.
        why: what the documents say beside it.
        actions: those that need it, and are refused.
        methods: calls of the protocol that would do it.
    """

    fact: str
    why: str
    actions: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()


LIMITS = (
    Limit(
        "Cookies are not read or changed in the user's own Chrome.",
        "They are the user's logins, of every site at once. `clear_site` leaves them, and says so; requests "
        "and recordings are told without them, and without `Authorization` and the like; an answer in a "
        "site's place (`mock_requests`) sets none.",
        ("get_cookies", "set_cookie", "delete_cookies", "save_state", "load_state"),
        ("Storage.getCookies", "Storage.setCookies", "Storage.clearCookies"),
    ),
    Limit(
        "Where downloads go is not chosen in the user's own Chrome.",
        "They land in the user's own folder. Reports and `list_downloads` tell of them; what is in them is "
        "not read.",
        ("save_downloads",),
        ("Browser.setDownloadBehavior", "Browser.cancelDownload"),
    ),
    Limit(
        "A button that asks for files is not pressed for them in the user's own Chrome.",
        "Chrome asks the user itself. A file input takes files (`upload`), shown or hidden, and so does what "
        "names it or is around it.",
        (),
        ("Page.setInterceptFileChooserDialog",),
    ),
    Limit(
        "Permissions of sites are not given in the user's own Chrome.",
        "Chrome asks the user itself. A place that is pretended (`emulate`) reaches sites that have the "
        "permission.",
        ("set_permission",),
        ("Browser.setPermission", "Browser.resetPermissions"),
    ),
    Limit(
        "The user's own Chrome is not traced.",
        "A trace tells of the whole browser, other tabs included.",
        ("start_trace",),
        ("Tracing.start", "Tracing.end"),
    ),
    Limit(
        "The user's own Chrome has no contexts beside the user's.",
        "Sessions in it have tabs of their own, and share its cookies, storage and logins.",
        (),
        ("Target.createBrowserContext", "Target.disposeBrowserContext"),
    ),
    Limit(
        "A page that does not answer is not stopped or ended in the user's own Chrome.",
        "Calls to it fail after 10 seconds or so; Chrome itself offers the user to end it.",
        (),
        ("Page.crash", "Browser.close"),
    ),
    Limit(
        "Histories of tabs are not cleared in the user's own Chrome.",
        "They are the user's.",
        (),
        ("Page.resetNavigationHistory",),
    ),
    Limit(
        "Rules for requests (`mock_requests`, `block_requests`, `set_headers`) do not reach shared workers.",
        "Chrome lets extensions speak to tabs alone.",
    ),
)

REFUSED = {method: limit.fact for limit in LIMITS for method in limit.methods}
