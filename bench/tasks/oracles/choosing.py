"""Tasks that are solved by choosing from what is offered."""

import re

from bench.tasks.oracles.tests import SUBMIT, role, usable, with_name
from bench.tasks.page import NotSeenError, Page
from bench.tasks.screen import Item


async def _checkboxes(page: Page) -> None:
    (names,) = page.goal_parts(r"Select (.+) and click")
    await page.look()
    for name in [] if names == "nothing" else names.split(", "):
        await page.click(await page.one(with_name(name, "checkbox")))
    await page.click(await page.one(SUBMIT))


async def _similar(page: Page) -> None:
    await page.look()
    boxes = await page.all(role("checkbox"))
    (asked,) = page.goal_parts(r"similar to (.+) and click")
    for box in boxes:
        known = (
            f"SYNONYMS.some(s => s.includes({box.name!r}) && s.some(w => {asked.split(', ')!r}.includes(w)))"
        )
        if await page.know(known) == "true":
            await page.click(box)
    await page.click(await page.one(SUBMIT))


async def _option(page: Page) -> None:
    (name,) = page.goal_parts(r"Select (.+) and click")
    await page.click(await page.one(with_name(name, "radio")))
    await page.click(await page.one(SUBMIT))


async def _list(page: Page) -> None:
    (name,) = page.goal_parts(r"Select (.+) from the list")
    await page.select(await page.one(role("combobox")), name)
    await page.click(await page.one(SUBMIT))


async def _scroll_list(page: Page) -> None:
    (names,) = page.goal_parts(r"Select (.+) from the scroll list")
    listbox = await page.one(role("listbox"))
    await page.select_many(listbox, names.split(", "))
    await page.click(await page.one(SUBMIT))


async def _odd_or_even(page: Page) -> None:
    await page.look()
    items = page.screen.items
    for at, item in enumerate(items):
        if item.role == "button" and item.name == "Odd":
            number = next(each for each in items[at:] if re.fullmatch(r"-?\d+", each.name))
            name = "Odd" if int(number.name) % 2 else "Even"
            await page.click(next(each for each in items[at:] if each.ref and each.name == name))
    await page.click(await page.one(SUBMIT))


async def _digit(page: Page) -> None:
    """Checks the boxes of a digit, which the oracle knows."""
    (digit,) = page.goal_parts(r'number "(\d)"')
    boxes = await page.all(role("checkbox"), 28)
    known = await page.know(f"PATTERNS[{digit}].flat().join('')")
    for box, wanted in zip(boxes, known, strict=True):
        if wanted == "1":
            await page.click(box)
    await page.click(await page.one(SUBMIT))


async def _ticket(page: Page) -> None:
    await page.look()
    offers = []
    for button in page.screen.matching(role("button")):
        price = re.search(r"\$([\d.,]+)", button.name)
        at = page.screen.items.index(button)
        times = [m for i in page.screen.items[:at] if (m := re.search(r"(\d+)h (\d+)m", i.name))]
        if price and times:
            offers.append(
                (float(price[1].replace(",", "")), int(times[-1][1]) * 60 + int(times[-1][2]), button)
            )
    best = max if re.search("longest|most expensive", page.goal) else min
    if not offers:
        raise NotSeenError("offers")
    by_time = "duration" in page.goal
    await page.click(best(offers, key=lambda offer: offer[1] if by_time else offer[0])[2])


async def _food(page: Page) -> None:
    await page.look()
    dishes = _dishes(page.screen.items)
    if found := re.search(r"one of each item: (.+)", page.goal):
        chosen = [dishes[name][0] for name in found[1].split(", ")]
    else:
        count, kind = page.goal_parts(r"Order (\d+) items that are (.+)")
        fitting = [plus for plus, kinds in dishes.values() if kind in kinds]
        chosen = [fitting[at % len(fitting)] for at in range(int(count))]
    for plus in chosen:
        await page.click(plus)
    await page.click(await page.one(with_name("Order!")))


def _dishes(items: list[Item]) -> dict[str, tuple[Item, list[str]]]:
    """By its name: what adds a dish, and its icons."""
    dishes, name, kinds = {}, "", list[str]()
    for item in items:
        if item.role == "text" and len(item.name) > 3:
            name, kinds = item.name, []
        elif item.role in ("image", "img"):
            kinds.append(item.name)
        elif item.ref and item.name == "+":
            dishes[name] = (item, kinds)
    return dishes


async def _posts(page: Page) -> None:
    """Presses a button of all posts of one user, of some, or of the first."""
    await page.look()
    user, button = (
        page.goal_parts(r"user (@\w+), click on the \"(.+?)\"") if "For the user" in page.goal else ("", "")
    )
    if not user:
        button, user = page.goal_parts(r'"(\w+)" button on .*? by (@\w+)')
    most = re.search(r"on (\d+) post", page.goal)
    posts = _posts_of(page.screen.items, user)
    for controls in posts[: int(most[1]) if most else (1 if "For the user" in page.goal else 99)]:
        await _press_in_post(page, controls, button, user)
    if "Submit" in page.goal:
        await page.click(await page.one(SUBMIT))


def _posts_of(items: list[Item], user: str) -> list[list[Item]]:
    posts: list[list[Item]] = []
    mine = False
    for item in items:
        if (
            item.role == "text"
            and (found := re.search(r"(?<!user )@\w+", item.name))
            and "Click" not in item.name
        ):
            mine = found[0] == user
            if mine:
                posts.append([])
        elif mine and usable(item):
            posts[-1].append(item)
    return posts


_ORDER = ("Reply", "Retweet", "Like")


async def _press_in_post(page: Page, controls: list[Item], button: str, user: str) -> None:
    if len(controls) < 4:
        raise NotSeenError(f"{len(controls)} of 4 controls in a post")
    if button in _ORDER:
        await page.click(controls[_ORDER.index(button)])
    elif button == "Share":
        await page.click(controls[3])
    else:
        await page.click(controls[3])
        name = f"{button} {user}" if button in ("Mute", "Block") else button
        await page.click(await page.one(with_name(name), -1))


async def _phone_book(page: Page) -> None:
    name, kind = page.goal_parts(r"Find (.+?) in the .* click on their (.+)\.")
    label = {"phone number": "Phone", "email": "Email", "address": "Address"}[kind]
    await page.look()
    for _ in range(12):
        if any(item.role == "heading" and item.name == name for item in page.screen.items):
            break
        await page.click(await page.one(with_name(">"), -1))
    kinds = {"Phone": r"[\d-]+", "Email": r"\S+@\S+", "Address": r"\d+ .+"}
    fits = [item for item in page.screen.matching(role("link")) if re.fullmatch(kinds[label], item.name)]
    fits = [item for item in fits if not re.fullmatch(r"\d", item.name)]
    if fits:
        return await page.click(fits[-1])
    raise NotSeenError(label)


async def _results(page: Page) -> None:
    (text, nth) = page.goal_parts(r'enter "(.+?)".* the (\d+)')
    await page.fill(await page.one(role("textbox", "searchbox")), text)
    await page.click(await page.one(with_name("Search", "button")))
    number = int(nth)
    while number > 3:
        await page.click(await page.one(with_name(">"), -1))
        number -= 3
    links = await page.all(lambda item: item.role == "link" and not re.fullmatch(r"[\d<>]+", item.name), 3)
    await page.click(links[-3:][number - 1] if len(links) >= 3 else links[number - 1])


async def _tree(page: Page) -> None:
    (name,) = page.goal_parts(r'"(.+?)"')
    await page.look()
    opened: set[str] = set()
    for _ in range(12):
        if found := page.screen.matching(lambda item: bool(item.ref) and item.name == name):
            return await page.click(found[-1])
        folders = page.screen.matching(
            lambda item: item.role == "clickable" and bool(item.name) and item.ref not in opened
        )
        if not folders:
            await page.look()
            folders = page.screen.matching(
                lambda item: usable(item) and bool(item.name) and item.ref not in opened
            )
        if not folders:
            break
        opened.add(folders[0].ref)
        await page.click(folders[0])
    raise NotSeenError(name)


ORACLES = {
    "buy-ticket": _ticket,
    "choose-list": _list,
    "click-checkboxes": _checkboxes,
    "click-checkboxes-large": _checkboxes,
    "click-checkboxes-transfer": _checkboxes,
    "click-checkboxes-soft": _similar,
    "click-option": _option,
    "click-scroll-list": _scroll_list,
    "navigate-tree": _tree,
    "number-checkboxes": _digit,
    "odd-or-even": _odd_or_even,
    "order-food": _food,
    "phone-book": _phone_book,
    "search-engine": _results,
    "social-media": _posts,
    "social-media-all": _posts,
    "social-media-some": _posts,
}
