"""Tasks that are solved by filling in fields."""

import re

from bench.tasks.oracles.tests import SUBMIT, field, role, with_name
from bench.tasks.page import Page
from bench.tasks.screen import Item


async def _copy(page: Page) -> None:
    await page.look()
    boxes = await page.all(field, 2)
    nth = int(page.goal_parts(r"the (\d)")[0]) if re.search(r"the \d", page.goal) else 1
    texts = [box for box in boxes if box.value]
    await page.press("Control+a", texts[nth - 1])
    await page.press("Control+c", texts[nth - 1])
    await page.press("Control+v", next(box for box in boxes if not box.value))
    await page.click(await page.one(SUBMIT))


async def _date(page: Page) -> None:
    month, day, year = page.goal_parts(r"(\d\d)/(\d\d)/(\d{4})")
    await page.fill(await page.one(field), f"{year}-{month}-{day}")
    await page.click(await page.one(SUBMIT))


async def _time(page: Page) -> None:
    hour, minute, half = page.goal_parts(r"(\d+):(\d\d) (AM|PM)")
    number = int(hour) % 12 + (12 if half == "PM" else 0)
    await page.fill(await page.one(field), f"{number:02}:{minute}")
    await page.click(await page.one(SUBMIT))


async def _password(page: Page) -> None:
    (text,) = page.goal_parts(r'"(.+?)"')
    for box in await page.all(role("textbox"), 2):
        await page.fill(box, text)
    await page.click(await page.one(SUBMIT))


async def _text(page: Page) -> None:
    (text,) = page.goal_parts(r'"(.+?)"')
    text = text.upper() if "upper case" in page.goal else text.lower() if "lower case" in page.goal else text
    await page.fill(await page.one(field), text)
    await page.click(await page.one(SUBMIT))


async def _login(page: Page) -> None:
    user, password = page.goal_parts(r'username "(.+?)" and the password "(.+?)"')
    for nth, text in enumerate((user, password)):
        await _close_popup(page)
        box = (await page.all(field, 2))[nth]
        await page.fill(box, text)
        await _close_popup(page)
        if "popup" in page.log[-1].lower():
            await page.fill(box, text)
    await _close_popup(page)
    await page.click(await page.one(lambda item: item.role == "button" and item.name in ("Login", "OK")))


async def _close_popup(page: Page) -> None:
    """Cancels what may ask to log in elsewhere."""
    if not page.log:
        await page.look()
    if found := page.screen.matching(with_name("Cancel", "button")):
        await page.click(found[0])


async def _focus(page: Page) -> None:
    found = re.search(r"the (\d)", page.goal)
    await page.click(await page.one(field, int(found[1]) - 1 if found else 0))


async def _sequence(page: Page) -> None:
    nth, text, box = page.goal_parts(r'the (\d)\w\w radio .* "(\d+)" into the (\d)')
    await page.click(await page.one(role("radio"), int(nth) - 1))
    await page.fill(await page.one(field, int(box) - 1), text)
    await page.click(await page.one(SUBMIT))


async def _movies(page: Page) -> None:
    genre, director, year = page.goal_parts(r"for (.+) movies directed by (.+) from year (\d+)")
    await page.look()
    label = ""
    for item in list(page.screen.items):
        if item.role in ("text", "cell", "StaticText", "heading"):
            label = item.name or label
        elif field(item):
            words = f"{label} {item.name} {item.facts}".lower()
            text = genre if "genre" in words else director if "director" in words else year
            await page.fill(item, text)
            label = ""
    await page.click(await page.one(lambda item: bool(item.ref) and item.name in ("Search", "Submit")))


async def _guess(page: Page) -> None:
    low, high = 0, 9
    for _ in range(5):
        middle = (low + high) // 2
        await page.fill(await page.one(field), str(middle))
        await page.click(await page.one(SUBMIT))
        answer = page.log[-1]
        if "than" not in answer and "START" not in answer:
            await page.look()
            answer = page.screen.text
        if "higher than" in answer:
            low = middle + 1
        elif "lower than" in answer:
            high = middle - 1
        else:
            return


async def _generate(page: Page) -> None:
    for _ in range(20):
        await page.click(await page.one(with_name("Generate", "button")))
        if not (numbers := _numbers(page.log[-1])):
            await page.look()
            numbers = [int(item.name) for item in page.screen.items if re.fullmatch(r"-?\d+", item.name)]
        if numbers and _fits(page.goal, numbers[0]):
            break
    await page.click(await page.one(SUBMIT))


def _numbers(report: str) -> list[int]:
    return [int(number) for number in re.findall(r'^[+~] "(-?\d+)"', report, re.MULTILINE)]


def _fits(goal: str, number: int) -> bool:
    if found := re.search(r"(greater|less) than (\d+)", goal):
        return number > int(found[2]) if found[1] == "greater" else number < int(found[2])
    return bool(number % 2) == ("odd" in goal)


async def _agreement(page: Page) -> None:
    if found := re.search(r'name "(.+?)" then press "(\w+)"', page.goal):
        area = (await page.all(field, 2))[0]
        await page.scroll(area, "down")
        await page.fill((await page.all(field, 2))[1], found[1])
        await page.click(await page.one(with_name(found[2], "button")))
    else:
        (name,) = page.goal_parts(r"the (\w+) button")
        await page.click(await page.one(with_name(name.capitalize(), "button")))


async def _scroll(page: Page) -> None:
    (end,) = page.goal_parts(r"to the (\w+) of")
    await page.scroll(await page.one(field), "down" if end == "bottom" else "up")
    await page.click(await page.one(SUBMIT))


async def _terminal(page: Page) -> None:
    await page.look()
    await page.click(
        await page.one(lambda item: (bool(item.ref) and "Welcome" in item) or item.name == "terminal")
    )
    boxes = page.screen.matching(field)
    await _command(page, boxes, "ls")
    names = await page.know("currentFiles.join(' ')")
    if names.split()[0] not in page.log[-1]:
        await page.look()
    extension = found[1] if (found := re.search(r"extension (\.\S+)", page.goal)) else ""
    fits = [name for name in names.split() if (name.endswith(extension) if extension else "." not in name)]
    await _command(page, page.screen.matching(field), f"rm {fits[0]}")


async def _command(page: Page, boxes: list[Item], text: str) -> None:
    await page.type(boxes[0] if boxes else None, text)
    await page.press("Enter")


ORACLES = {
    "copy-paste": _copy,
    "copy-paste-2": _copy,
    "enter-date": _date,
    "enter-password": _password,
    "enter-text": _text,
    "enter-text-2": _text,
    "enter-text-dynamic": _text,
    "enter-time": _time,
    "focus-text": _focus,
    "focus-text-2": _focus,
    "form-sequence-2": _sequence,
    "generate-number": _generate,
    "guess-number": _guess,
    "login-user": _login,
    "login-user-popup": _login,
    "multi-layouts": _movies,
    "multi-orderings": _movies,
    "scroll-text-2": _scroll,
    "sign-agreement": _agreement,
    "terminal": _terminal,
}
