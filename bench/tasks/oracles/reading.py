"""Tasks that are solved by reading, and typing the answer."""

import itertools
import re

from bench.tasks.oracles.tests import SUBMIT, field, usable, with_name
from bench.tasks.page import NotSeenError, Page


async def _answer(page: Page, text: str, nth: int = -1) -> None:
    await page.fill((await page.all(field))[nth], text)
    await page.click(await page.one(SUBMIT))


async def _word(page: Page) -> None:
    (nth,) = page.goal_parts(r"the (\d+)")
    await page.look()
    texts = [
        item.name
        for item in page.screen.items
        if item.role in ("text", "paragraph") and item.name != page.goal
    ]
    paragraph = next(text for text in texts if len(text.split()) >= 4 and not text.startswith("Find the"))
    await _answer(page, re.sub(r"[^\w]", "", paragraph.split()[int(nth) - 1]))


async def _last_word(page: Page) -> None:
    await page.look()
    boxes = await page.all(field)
    nth = next(nth for nth, box in enumerate(boxes) if not box.value)
    await _answer(page, next(box.value for box in boxes if box.value).split()[-1], nth)


async def _cell(page: Page) -> None:
    (label,) = page.goal_parts(r"value of (.+) into")
    await page.look()
    await _answer(page, _value_beside(page, label))


async def _cells(page: Page) -> None:
    await page.look()
    items = list(page.screen.items)
    for at, item in enumerate(items):
        if field(item):
            label = (item.name or next(each.name for each in reversed(items[:at]) if each.name)).rstrip(": ")
            await page.fill(item, _value_beside(page, label))
    await page.click(await page.one(SUBMIT))


def _value_beside(page: Page, label: str) -> str:
    names = [item.name for item in page.screen.items if item.name and item.role != "row"]
    for name, following in itertools.pairwise(names):
        if name == label:
            return following
    raise NotSeenError(label)


async def _arithmetic(page: Page) -> None:
    await page.look()
    found = re.search(r"(-?\d+) *([x+-]) *(-?\d+) *=", page.screen.text)
    if not found:
        raise NotSeenError("the problem")
    one, other = int(found[1]), int(found[3])
    await _answer(page, str({"x": one * other, "+": one + other, "-": one - other}[found[2]]))


async def _algebra(page: Page) -> None:
    await page.look()
    text = page.screen.text
    if found := re.search(r"x *([+-]) *(\d+) *= *(-?\d+)", text):
        sign, part, total = found[1], int(found[2]), int(found[3])
        answer = total - part if sign == "+" else total + part
    elif found := re.search(r"(\d+) *([+-]) *x *= *(-?\d+)", text):
        part, sign, total = int(found[1]), found[2], int(found[3])
        answer = total - part if sign == "+" else part - total
    else:
        raise NotSeenError("the problem")
    await _answer(page, str(answer))


async def _transform(page: Page) -> None:
    await page.look()
    texts = [item.name for item in page.screen.items if item.role in ("text", "image") and item.name]
    at = next(nth for nth, text in enumerate(texts) if text.startswith("Type the text"))
    await _answer(page, texts[at + 1].replace(" ", ""))


async def _blocks(page: Page) -> None:
    await page.look()
    await _answer(page, await page.know("document.querySelectorAll('.addition-block').length"))


async def _greatest(page: Page) -> None:
    """Turns each card, and the greatest one again."""
    cards = await page.all(usable, 3)
    values = []
    for card in cards:
        await page.click(card)
        shown = [item for item in page.screen.items if item.ref == card.ref]
        found = re.search(r"-?\d+", shown[0].name if shown else "")
        if not found:
            found = re.search(r'[+~] (?:@e\d+: \w+ )?"(-?\d+)"', page.log[-1])
        if not found:
            await page.look()
            found = re.search(r"^(\d+)$", page.screen.text, re.MULTILINE)
        values.append(int(re.sub(r"[^-\d]", "", found[0].split(":")[-1]) if found else -1))
    best = max(range(len(values)), key=values.__getitem__)
    if best != len(values) - 1:
        await page.click(cards[best])
    await page.click(await page.one(SUBMIT))


async def _stock(page: Page) -> None:
    (limit,) = page.goal_parts(r"less than \$([\d.]+?)\.?$")
    await page.look()
    button = await page.one(with_name("Buy", "button"))
    for _ in range(60):
        found = re.search(
            r"\$([\d.]+)", "\n".join(i.name for i in page.screen.items if "less than" not in i.name)
        )
        if found and float(found[1]) <= float(limit):
            return await page.click(button)
        page.acted = False
        await page.look()
    raise NotSeenError("the price")


ORACLES = {
    "find-greatest": _greatest,
    "find-word": _word,
    "read-table": _cell,
    "read-table-2": _cells,
    "scroll-text": _last_word,
    "simple-algebra": _algebra,
    "simple-arithmetic": _arithmetic,
    "stock-market": _stock,
    "text-transform": _transform,
    "visual-addition": _blocks,
}
