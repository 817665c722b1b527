"""The value of a JavaScript string or template, from how it is written."""

import re

_ESCAPE = re.compile(
    r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\n\r\u2028\u2029])|(.))", re.DOTALL
)
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


class Unreadable(Exception):
    """A construct that is not read the same way by every parser; the message names it."""


def decode_string(written: str) -> str:
    """Return the value of what stands between the quotes.

    Raises:
        Unreadable: an escape is invalid, or old enough to have two meanings.
    """

    def value(escape: re.Match[str]) -> str:
        point, unit, byte, line, char = escape.groups()
        if line is not None:
            return ""
        if char is None:
            return _character(int(point or unit or byte, 16))
        if char in "ux123456789" or (char == "0" and written[escape.end() : escape.end() + 1].isdigit()):
            raise Unreadable("octal or invalid escapes")
        return _SHORT.get(char, char)

    return _ESCAPE.sub(value, written)


def _character(code: int) -> str:
    if code > 0x10FFFF:
        raise Unreadable("octal or invalid escapes")
    return chr(code)
