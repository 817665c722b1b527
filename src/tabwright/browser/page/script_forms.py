"""The two ways to read a script: as an expression, and as statements.

What runs a script and what checks it before use the same text.
"""

import re

# A comment or white space.
_BLANK = r"(?:\s|//[^\n]*\n|/\*.*?\*/)*"
# How a function begins, as far as it can be seen without a parser.
_FUNCTION = re.compile(
    rf"{_BLANK}\(*{_BLANK}(?:async\b{_BLANK})?(?:function\b|[\w$]+{_BLANK}=>|\([^;]*?\){_BLANK}=>)", re.DOTALL
)
_LAST_SEMICOLONS = re.compile(r"[\s;]+\Z")


def as_expression(script: str) -> str:
    """Return the script in parentheses. A function may end with a semicolon."""
    if script.rstrip().endswith(";") and _FUNCTION.match(script):
        script = _LAST_SEMICOLONS.sub("", script)
    return f"(\n{script}\n)"


def bodies(script: str) -> tuple[str, str]:
    """Return the bodies of a function that runs a script: the second is for what is not an expression."""
    return f"return {as_expression(script)}", script
