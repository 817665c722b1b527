"""Why a browser did not start, and what to do about it."""

from tabwright.errors import BrowserGone

# Of the versions tried (126, 131, 143), the oldest that no page got out of (tests/boundary/test_ways_out.py).
MIN_CHROME_VERSION = 143

_MAX_OUTPUT = 500
_NO_SANDBOX = ("No usable sandbox", "SUID sandbox helper", "Failed to move to new namespace")


def start_failure(output: str) -> BrowserGone:
    """Return the error for a browser that exited, or did not answer, while it started."""
    if any(text in output for text in _NO_SANDBOX):
        return BrowserGone(
            "The browser did not start: this system does not let it create its sandbox.",
            hint="Allow user namespaces (Ubuntu: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0; "
            'Docker: --security-opt seccomp=unconfined). Or set browser_args = ["--no-sandbox"] if you trust '
            "every site that it visits.",
        )
    return BrowserGone(
        f"The browser did not start. Its last output: {output[-_MAX_OUTPUT:] or 'none'}",
        hint="Start it by hand to see why, or set TABWRIGHT_BROWSER to another one.",
    )
