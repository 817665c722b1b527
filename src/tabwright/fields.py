"""Argument types that many actions share: described once, here."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from tabwright.address import complete_url
from tabwright.cdp import MAX_TIMEOUT


class FileToRead:
    """Marks a field with paths to read: they must be inside the caller's folders."""


class FolderToFill:
    """Marks a field with a folder to write to: it must be inside the caller's folders."""


class Typed:
    """Marks a field with text to type, which may name secrets."""


class Code:
    """Marks a field with a script for the page: the caller's scopes and the settings limit what it may do."""


class Seconds:
    """Marks a field with a duration, which some clients give in milliseconds."""


Target = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2_000,
        description='Element: a ref (@e7), CSS, or text=…, role=button[name="…"], label=…, xpath=….',
    ),
]
# A bare host name is completed.
Url = Annotated[str, AfterValidator(complete_url), Field(min_length=1, max_length=100_000)]
Timeout = Annotated[float, Seconds(), Field(gt=0, le=MAX_TIMEOUT, description="Maximum seconds to wait.")]
WaitUntil = Annotated[
    Literal["load", "domcontentloaded", "networkidle", "commit"],
    Field(description="What to wait for; networkidle = no request for 500 ms."),
]
Pattern = Annotated[
    str, Field(min_length=1, max_length=2_000, description="URL pattern; * matches anything.")
]
HttpStatus = Annotated[str, Field(pattern=r"^[1-5](\d\d|xx)(-[1-5]\d\d)?$")]
