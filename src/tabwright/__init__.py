"""Tabwright: a real browser for agents, driven over the DevTools protocol.

`__all__` is the public Python API, described in docs/PYTHON.md. Everything else is internal and may change
without notice.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabwright.browser.browser import Browser
    from tabwright.browser.capture.pdf import print_pdf
    from tabwright.browser.capture.screenshot import Screenshot, capture
    from tabwright.browser.context import Context
    from tabwright.browser.element import Element
    from tabwright.browser.process.launch import LaunchOptions
    from tabwright.browser.snapshot.effects_report import Effects
    from tabwright.browser.snapshot.observe import observe
    from tabwright.browser.snapshot.snapshot import Snapshot
    from tabwright.browser.tab import Tab
    from tabwright.errors import (
        Blocked,
        BrowserGone,
        Denied,
        Internal,
        InvalidArgs,
        NotFound,
        PageFailed,
        Stale,
        TabwrightError,
        TimedOut,
    )

__version__ = "0.1.0"

__all__ = [
    "Blocked",
    "Browser",
    "BrowserGone",
    "Context",
    "Denied",
    "Effects",
    "Element",
    "Internal",
    "InvalidArgs",
    "LaunchOptions",
    "NotFound",
    "PageFailed",
    "Screenshot",
    "Snapshot",
    "Stale",
    "Tab",
    "TabwrightError",
    "TimedOut",
    "__version__",
    "capture",
    "observe",
    "print_pdf",
]

_MODULES = {
    "Browser": "browser.browser",
    "Context": "browser.context",
    "Effects": "browser.snapshot.effects_report",
    "Element": "browser.element",
    "LaunchOptions": "browser.process.launch",
    "Screenshot": "browser.capture.screenshot",
    "Snapshot": "browser.snapshot.snapshot",
    "Tab": "browser.tab",
    "capture": "browser.capture.screenshot",
    "observe": "browser.snapshot.observe",
    "print_pdf": "browser.capture.pdf",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: every command imports this package and must start fast."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'errors')}"), name)
