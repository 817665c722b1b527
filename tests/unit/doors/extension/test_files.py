"""What the extension says of itself."""

import json

from tabwright import __version__
from tabwright.doors.extension.files import SHIPPED

MANIFEST = json.loads((SHIPPED / "manifest.json").read_bytes())


def test_the_extension_has_the_version_of_the_package() -> None:
    assert MANIFEST["version"] == __version__


def test_the_extension_asks_for_no_more_than_it_needs() -> None:
    assert MANIFEST["permissions"] == ["alarms", "debugger", "storage", "tabGroups", "tabs", "webNavigation"]
    assert not {"host_permissions", "content_scripts", "web_accessible_resources"} & MANIFEST.keys()
    policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src ws://127.0.0.1:*"
    assert MANIFEST["content_security_policy"] == {"extension_pages": policy}
