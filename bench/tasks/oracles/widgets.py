"""Tasks with date pickers, sliders, spinners, lists of suggestions and editors."""

import re

from bench.tasks.oracles.tests import SUBMIT, field, role, usable, with_name
from bench.tasks.page import NotSeenError, Page
from bench.tasks.screen import Item, Test

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


async def _pick_date(page: Page, opener: Item, date: tuple[str, ...]) -> None:
    month, day, year = map(int, date)
    await page.click(opener)
    for _ in range(14):
        shown = re.findall(rf"({'|'.join(_MONTHS)})\W+(\d{{4}})", page.screen.text.replace("\n", " "))
        if not shown:
            await page.look()
            shown = re.findall(rf"({'|'.join(_MONTHS)})\W+(\d{{4}})", page.screen.text.replace("\n", " "))
        if not shown:
            raise NotSeenError("the month")
        at = int(shown[-1][1]) * 12 + _MONTHS.index(shown[-1][0]) + 1
        if at == year * 12 + month:
            break
        arrow = with_name("Prev" if at > year * 12 + month else "Next")
        _forget_dates(page)
        await page.click(await page.one(arrow, -1))
    await page.click(await page.one(with_name(str(day), "link", "gridcell", "cell"), -1))


def _forget_dates(page: Page) -> None:
    """The days and the month of a calendar change with a click on its arrows."""
    months = "|".join(_MONTHS)
    page.screen.show(
        [item for item in page.screen.items if not re.fullmatch(rf"\d\d?|(?:{months})?\W*(?:\d{{4}})?", item.name)
         or item.role in ("textbox", "button")]
    )  # fmt: skip


async def _date(page: Page) -> None:
    await _pick_date(page, await page.one(field), page.goal_parts(r"(\d\d)/(\d\d)/(\d{4})"))
    await page.click(await page.one(SUBMIT))


async def _suggestion(page: Page) -> None:
    start, end = page.goal_parts(r'starts with "(.+?)"(?: and ends with "(.+?)")?')
    await page.fill(await page.one(field), start)
    fits = await page.one(
        lambda item: (
            bool(item.ref) and item.name.startswith(start) and item.name.endswith(end) and not field(item)
        )
    )
    await page.click(fits)
    await page.click(await page.one(SUBMIT))


def _suggested(text: str) -> Test:
    return lambda item: bool(item.ref) and text in item.name and not field(item)


async def _flight(page: Page) -> None:
    kind, start, end = page.goal_parts(r"the (\w+) one-way flight from: (.+?) to: (.+?) on")
    boxes = await page.all(field, 3)
    for box, text in zip(boxes, (start, end), strict=False):
        await page.fill(box, text)
        await page.click(await page.one(_suggested(text), -1))
    await _pick_date(page, boxes[2], page.goal_parts(r"(\d\d)/(\d\d)/(\d{4})"))
    await page.click(await page.one(with_name("Search", "button")))
    offers = await page.all(lambda item: item.role == "button" and "$" in item.name, 2)
    if "more change" in page.log[-1]:
        await page.look()
        offers = page.screen.matching(lambda item: item.role == "button" and "$" in item.name)
    items = page.screen.items
    if kind == "cheapest":
        best = min(offers, key=lambda offer: int(re.sub(r"\D", "", offer.name)))
    else:
        times = [item.name for item in items if re.fullmatch(r"\d+h \d+m", item.name)]
        if len(times) < len(offers):
            await page.look()
            offers = page.screen.matching(lambda item: item.role == "button" and "$" in item.name)
            times = [found[0] for item in page.screen.items if (found := re.search(r"\d+h \d+m", item.name))]
        minutes = [int(h) * 60 + int(m) for h, m in (re.findall(r"\d+", time) for time in times)]
        best = offers[minutes.index(min(minutes))]
    await page.click(best)


async def _move_slider(page: Page, handle: Item, number: int, at: int) -> None:
    """Presses arrow keys on the handle; the page shows the number."""
    steps = number - at
    for _ in range(abs(steps)):
        await page.press("ArrowRight" if steps > 0 else "ArrowLeft", handle)


def _handles(page: Page) -> list[tuple[Item, int]]:
    """The handle of each slider, and the number behind it."""
    found: list[tuple[Item, int]] = []
    handle: Item | None = None
    for item in page.screen.items:
        if (usable(item) and not item.name) or (item.role == "slider" and item.ref):
            handle = item
        elif handle and item.role == "text" and re.fullmatch(r"-?\d+", item.name):
            found.append((handle, int(item.name)))
            handle = None
    return found


async def _slider(page: Page) -> None:
    (number,) = page.goal_parts(r"Select (-?\d+) with")
    await page.look()
    handles = _handles(page)
    if not handles:
        raise NotSeenError("the slider")
    await _move_slider(page, handles[0][0], int(number), handles[0][1])
    if found := re.search(r"the (\d)\w\w checkbox", page.goal):
        await page.click(await page.one(role("checkbox"), int(found[1]) - 1))
    await page.click(await page.one(SUBMIT))


async def _sliders(page: Page) -> None:
    numbers = page.goal_parts(r"\[(\d+),(\d+),(\d+)\]")
    await page.look()
    handles = _handles(page)
    if len(handles) != 3:
        raise NotSeenError("three sliders")
    for (handle, at), number in zip(handles, numbers, strict=True):
        await _move_slider(page, handle, int(number), at)
    await page.click(await page.one(SUBMIT))


async def _spinner(page: Page) -> None:
    (number,) = page.goal_parts(r"Select (-?\d+) with")
    await page.fill(await page.one(role("spinbutton", "textbox")), number)
    await page.click(await page.one(SUBMIT))


async def _colour(page: Page) -> None:
    colour = await page.know(
        "document.querySelector('#query').textContent.match(/Select (\\w+) with/)"
        " ? ui_utils.colorNameToHex(document.querySelector('#query').textContent.match(/Select (\\w+) with/)[1])"
        " : '#' + [...getComputedStyle(document.querySelector('#query div, #query span, #query-color')).backgroundColor.matchAll(/\\d+/g)]"
        ".slice(0, 3).map(n => (+n[0]).toString(16).padStart(2, '0')).join('')"
    )
    await page.fill(await page.one(field), colour.removeprefix("#"))
    await page.press("Tab")
    await page.click(await page.one(SUBMIT))


async def _styled_dropdown(page: Page) -> None:
    choice, button = page.goal_parts(r'Choose (.+) from the dropdown.* "(\w+)"')
    await page.look()
    if boxes := page.screen.matching(role("combobox")):
        await page.select(boxes[0], choice)
    else:
        await page.click(await page.one(usable))
        await page.click(await page.one(lambda item: bool(item.ref) and item.name == choice))
    await page.click(await page.one(with_name(button, "button")))


async def _editor(page: Page) -> None:
    """Selects the whole text by keys; the style of a single word is not tried."""
    await page.look()
    box = await page.one(role("textbox"))
    await page.click(box)
    await page.press("Control+a", box)
    if "color" in page.goal:
        (colour,) = page.goal_parts(r"the color (\w+)")
        await page.click(
            await page.one(lambda item: usable(item) or (item.role == "button" and "color" in item))
        )
        await page.click(await page.one(lambda item: bool(item.ref) and colour in item))
    else:
        (style,) = page.goal_parts(r"the style (\w+)|everything (\w+)")[:1]
        style = style or page.goal_parts(r"everything (\w+)")[0]
        word = {"italics": "italic", "underlined": "underline"}.get(style, style)
        await page.click(await page.one(lambda item: item.role == "button" and word in item))
    await page.click(await page.one(SUBMIT))


ORACLES = {
    "book-flight": _flight,
    "book-flight-nodelay": _flight,
    "choose-date": _date,
    "choose-date-easy": _date,
    "choose-date-medium": _date,
    "choose-date-nodelay": _date,
    "form-sequence": _slider,
    "form-sequence-3": _styled_dropdown,
    "text-editor": _editor,
    "use-autocomplete": _suggestion,
    "use-autocomplete-nodelay": _suggestion,
    "use-colorwheel": _colour,
    "use-colorwheel-2": _colour,
    "use-slider": _slider,
    "use-slider-2": _sliders,
    "use-spinner": _spinner,
}
