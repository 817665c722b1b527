"""Argument types that many actions share: described once, here."""

from typing import Annotated, Literal

from pydantic import Field

from tabwright.cdp import MAX_TIMEOUT


class FileToRead:
    """Marks a field with paths to read: they must be inside the caller's folders."""


class FolderToFill:
    """Marks a field with a folder to write to: it must be inside the caller's folders."""


class Typed:
    """Marks a field with text to type, which may name secrets."""


class Code:
    """Marks a field with a script for the page: the caller's scopes and the settings limit what it may do."""


Target = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2_000,
        description='Element: a ref (@e7), CSS, or text=…, role=button[name="…"], label=…, xpath=….',
    ),
]
Timeout = Annotated[float, Field(gt=0, le=MAX_TIMEOUT, description="Maximum seconds to wait.")]
WaitUntil = Annotated[
    Literal["load", "domcontentloaded", "networkidle", "commit"],
    Field(description="What to wait for; networkidle = no request for 500 ms."),
]
Pattern = Annotated[
    str, Field(min_length=1, max_length=2_000, description="URL pattern; * matches anything.")
]
