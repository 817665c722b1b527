"""Tasks that are solved by dragging one element onto another."""

from bench.tasks.oracles.tests import SUBMIT, role, usable, with_name
from bench.tasks.page import NotSeenError, Page
from bench.tasks.screen import Item


async def _box(page: Page) -> None:
    await page.drag(await page.one(with_name("s")), await page.one(with_name("L")))
    await page.click(await page.one(SUBMIT))


async def _in_list(page: Page) -> None:
    """To a place that the goal names; dropped on the item there."""
    name, place = page.goal_parts(r"Drag (\S+) (.+)\.")
    items = await page.all(role("listitem"))
    at = next((nth for nth, item in enumerate(items) if item.name == name), None)
    if at is None:
        raise NotSeenError(name)
    ends = {"to the top": 0, "to the bottom": len(items) - 1, "up by one position": at - 1}
    place_at = ends.get(place, at + 1)
    if found := page.goal.partition("to the ")[2].removesuffix("position."):
        digits = "".join(filter(str.isdigit, found))
        place_at = int(digits) - 1 if digits else place_at
    await page.drag(items[at], items[place_at])


_GRID = (
    *("top left", "top center", "top right", "center left", "center", "center right"),
    *("bottom left", "bottom center", "bottom right"),
)
_STEPS = {"up by one": -3, "down by one": 3, "left by one": -1, "right by one": 1}


async def _in_grid(page: Page) -> None:
    name, place = page.goal_parts(r"Drag (\S+) (?:to the )?(.+)\.")
    items = await page.all(role("listitem"), 9)
    at = next((nth for nth, item in enumerate(items) if item.name == name), None)
    if at is None:
        raise NotSeenError(name)
    to = at + _STEPS[place] if place in _STEPS else _GRID.index(place)
    await page.drag(items[at], items[to])


async def _sort(page: Page) -> None:
    """Inserts each number before the first that is greater, by what the list was and what was done."""
    items = await page.all(role("listitem"), 3)
    for nth, item in enumerate(sorted(items, key=lambda item: int(item.name))):
        if items[nth].ref != item.ref:
            await page.drag(item, items[nth])
            items.remove(item)
            items.insert(nth, item)
    await page.click(await page.one(SUBMIT))


async def _into_box(page: Page) -> None:
    """Drags the shapes of one kind into the box."""
    (kind,) = page.goal_parts(r"all (\w+) into")
    words = {"triangles": "polygon", "circles": "circle", "rectangles": "rectangle"}
    await page.look()
    box = await page.one(lambda item: bool(item.ref) and "rectangle" in item and not _is_draggable(item))
    for shape in page.screen.matching(lambda item: _is_draggable(item) and words[kind] in item):
        await page.drag(shape, box)
    await page.click(await page.one(SUBMIT))


def _is_draggable(item: Item) -> bool:
    return usable(item)


async def _event(page: Page) -> None:
    """Drags over the half hours of an event, names it and saves it."""
    length, unit, name, start = page.goal_parts(
        r'a ([\d.]+) (\w+) event named "(.+)", between (\d+(?:AM|PM))'
    )
    halves = int(float(length) / 30) if unit.startswith("min") else int(float(length) * 2)
    await page.look()
    items = page.screen.items
    label = next((nth for nth, item in enumerate(items) if item.name == start.lower()), None)
    if label is None:
        raise NotSeenError(start)
    free = await page.know(_FREE.replace("START", start.lower()).replace("HALVES", str(halves)))
    slots = [item for item in items[label:] if usable(item)]
    first = int(free)
    if halves == 1:
        await page.click(slots[first])
    else:
        await page.drag(slots[first], slots[first + halves - 1])
    await page.fill(await page.one(role("textbox")), name)
    await page.click(await page.one(with_name("Create", "button")))


# The first half hour after START where nothing is planned.
_FREE = """(() => { const label = [...document.querySelectorAll('.hour-label')].find(e => e.textContent.trim() === 'START');
 const all = [...document.querySelectorAll('.half-hour')]; const from = all.indexOf(label.parentNode.querySelector('.half-hour'));
 const boxes = [...document.querySelectorAll('.event')].map(e => e.getBoundingClientRect());
 const isFree = at => { const box = all[at].getBoundingClientRect(); return !boxes.some(b => b.top < box.bottom - 2 && b.bottom > box.top + 2) };
 for (let at = from; at < from + 8; at++) if ([...Array(HALVES).keys()].every(n => isFree(at + n))) return at - from; return 0 })()"""


ORACLES = {
    "daily-calendar": _event,
    "drag-box": _box,
    "drag-items": _in_list,
    "drag-items-grid": _in_grid,
    "drag-shapes": _into_box,
    "drag-sort-numbers": _sort,
}
