"""What is not possible in the user's own Chrome through the extension: for error messages and the docs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limit:
    """One thing that is not possible there.

    Args:
        fact: the error message for callers.
        why: the explanation in the docs.
        actions: actions that need it and are refused.
        methods: protocol methods that would do it.
    """

    fact: str
    why: str
    actions: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()


LIMITS = (
    Limit(
        "Cookies cannot be read or changed in the user's own Chrome.",
        "They are the user's logins on every site. `clear_site` leaves them and says so; reported requests "
        "and recordings omit them, along with `Authorization` and similar headers; a mocked response "
        "(`mock_requests`) sets none.",
        ("get_cookies", "set_cookie", "delete_cookies", "save_state", "load_state"),
        ("Storage.getCookies", "Storage.setCookies", "Storage.clearCookies"),
    ),
    Limit(
        "The download folder cannot be chosen in the user's own Chrome.",
        "Downloads go to the user's own folder. Reports and `list_downloads` list them; their contents are "
        "not read.",
        ("save_downloads",),
        ("Browser.setDownloadBehavior", "Browser.cancelDownload"),
    ),
    Limit(
        "A button that opens a file dialog cannot be given files in the user's own Chrome.",
        "Chrome asks the user itself. A file input takes files (`upload`), visible or hidden, and so do its "
        "label and the elements around it.",
        (),
        ("Page.setInterceptFileChooserDialog",),
    ),
    Limit(
        "Site permissions cannot be granted in the user's own Chrome.",
        "Chrome asks the user itself. An emulated location (`emulate`) reaches sites that have the "
        "permission.",
        ("set_permission",),
        ("Browser.setPermission", "Browser.resetPermissions"),
    ),
    Limit(
        "The user's own Chrome cannot be traced.",
        "A trace covers the whole browser, including other tabs.",
        ("start_trace",),
        ("Tracing.start", "Tracing.end"),
    ),
    Limit(
        "The user's own Chrome has no isolated contexts.",
        "Sessions in it have their own tabs, and share its cookies, storage and logins.",
        (),
        ("Target.createBrowserContext", "Target.disposeBrowserContext"),
    ),
    Limit(
        "A page that does not respond cannot be interrupted or killed in the user's own Chrome.",
        "Calls to it fail after about 10 seconds; Chrome itself offers to close it.",
        (),
        ("Page.crash", "Browser.close"),
    ),
    Limit(
        "Tab histories cannot be cleared in the user's own Chrome.",
        "They are the user's.",
        (),
        ("Page.resetNavigationHistory",),
    ),
    Limit(
        "Request rules (`mock_requests`, `block_requests`, `set_headers`) do not reach shared workers.",
        "Chrome lets extensions attach to tabs only.",
    ),
)

REFUSED = {method: limit.fact for limit in LIMITS for method in limit.methods}
