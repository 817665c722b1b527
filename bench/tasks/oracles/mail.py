"""Tasks in a mailbox."""

import re

from bench.tasks.oracles.tests import field, usable
from bench.tasks.page import NotSeenError, Page
from bench.tasks.screen import Item


async def _mail(page: Page) -> None:
    await page.look()
    rows = _rows(page.screen.items)
    sender, recipient, text = _request(page.goal, list(rows))
    if sender not in rows:
        raise NotSeenError(f"mail by {sender}")
    row, icons = rows[sender]
    if re.search("trash|delete|rid of|remove|erase", page.goal, re.IGNORECASE):
        return await page.click(_icon(icons, "trash", 0))
    if re.search("star|important", page.goal):
        return await page.click(_icon(icons, "star", 1))
    await page.click(row)
    word = "Reply" if text else "Forward"
    await page.click(await page.one(lambda item: bool(item.ref) and item.name == word))
    boxes = await page.all(lambda item: field(item) and "search" not in item, 1)
    await page.fill(boxes[-1] if text else boxes[0], text or recipient)
    await page.click(await page.one(lambda item: usable(item) and "send" in item))
    return None


def _rows(items: list[Item]) -> dict[str, tuple[Item, list[Item]]]:
    """By the sender: the row of a mail, and the icons in it."""
    rows: dict[str, tuple[Item, list[Item]]] = {}
    row: Item | None = None
    sender = ""
    for item in items:
        if row and item.depth <= row.depth:
            row = None
        if row is None and usable(item) and not item.name and "looks like" not in item.facts:
            row, sender = item, ""
        elif row and item.role == "text" and not sender:
            sender = item.name
            rows[sender] = (row, [])
        elif row and sender and item.ref:
            rows[sender][1].append(item)
    return rows


def _icon(icons: list[Item], word: str, nth: int) -> Item:
    """The icon that looks like it, or the one at its place."""
    named = [icon for icon in icons if word in icon]
    if not named and len(icons) <= nth:
        raise NotSeenError(word)
    return named[0] if named else icons[nth]


def _request(goal: str, senders: list[str]) -> tuple[str, str, str]:
    """Sender, recipient and text, as far as the goal says."""
    quoted = re.search(r'"(.+)"', goal)
    names = [name for name in re.findall(r"[A-Z][\w-]*", goal) if name in senders]
    to = re.search(r"\bto ([A-Z][\w-]*)", goal)
    recipient = to[1] if to and not quoted else ""
    others = [name for name in names if name != recipient]
    if not recipient and len(others) > 1 and not quoted:
        recipient = others[1]
    return (others or names or [""])[0], recipient, quoted[1] if quoted else ""


_SUFFIXES = (
    "",
    "-delete",
    "-forward",
    "-forward-nl",
    "-forward-nl-turk",
    "-important",
    "-nl-turk",
    "-noscroll",
)
ORACLES = {f"email-inbox{suffix}": _mail for suffix in (*_SUFFIXES, "-reply", "-star-reply")}
