"""What oracles look for."""

from bench.tasks.screen import Item, Test

FIELDS = ("textbox", "searchbox", "combobox", "spinbutton", "date", "time", "Date", "InputTime")


def role(*roles: str) -> Test:
    """Elements with one of these roles, and a ref."""
    return lambda item: bool(item.ref) and item.role in roles


def with_name(name: str, *roles: str) -> Test:
    """Elements with a name, and with one of the roles if there are any."""
    return lambda item: bool(item.ref) and item.name == name and (not roles or item.role in roles)


def field(item: Item) -> bool:
    """Fields that take text."""
    return bool(item.ref) and item.role in FIELDS


def usable(item: Item) -> bool:
    """Elements that can be clicked although their role does not say so."""
    return bool(item.ref) and item.role in ("clickable", "generic")


SUBMIT = with_name("Submit")
