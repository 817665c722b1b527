"""`*` patterns over whole URLs: `*` stands for any run of characters, everything else for itself."""

from dataclasses import dataclass

from tabwright.errors import InvalidArgs


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern. Without a `*` it means that one address."""

    text: str

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise InvalidArgs("The URL pattern is empty.", hint="Give one such as */api/* or https://ads.*.")

    def matches(self, url: str) -> bool:
        """Whether the whole of `url` fits. Takes linear time: the address may be a hostile page's."""
        first, *rest = self.text.split("*")
        if not rest:
            return url == first
        *middle, last = rest
        if len(url) < len(first) + len(last) or not (url.startswith(first) and url.endswith(last)):
            return False
        position, end = len(first), len(url) - len(last)
        for part in middle:
            found = url.find(part, position, end)
            if found < 0:
                return False
            position = found + len(part)
        return True

    @property
    def for_chrome(self) -> str:
        """The pattern in the Fetch domain's syntax, where question mark and backslash mean something."""
        return self.text.replace("\\", "\\\\").replace("?", "\\?")
