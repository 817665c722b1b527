"""How a count is said, in every text that people and agents read."""


def counted(number: int, noun: str) -> str:
    """Return a number with what it counts: 1 tab, 2 matches, 1,204 more rows."""
    return f"{number:,} {noun if number == 1 else _plural(noun)}"


def _plural(noun: str) -> str:
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"
