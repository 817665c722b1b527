"""Tasks that are solved by clicks on named things."""

import re

import anyio

from bench.tasks.oracles.tests import SUBMIT, role, usable, with_name
from bench.tasks.page import NotSeenError, Page
from bench.tasks.screen import Item


async def _in_order(page: Page) -> None:
    numbers = await page.all(lambda item: bool(item.ref) and item.name.isdigit(), 5)
    await page.click(min(numbers, key=lambda item: int(item.name)))
    # Now each number is covered; the covers have the same order.
    for cover in await page.all(lambda item: usable(item) and "rectangle" in item, 4):
        await page.click(cover)


async def _named_in_goal(page: Page) -> None:
    (name,) = page.goal_parts(r'"(.+?)"')
    await page.click(await page.one(with_name(name)))


async def _delayed(page: Page) -> None:
    (seconds,) = page.goal_parts(r"wait (\d+) seconds")
    await page.click(await page.one(with_name("ONE")))
    await anyio.sleep(int(seconds) + 0.3)
    await page.click(await page.one(with_name("TWO")))


async def _sequence(page: Page) -> None:
    await page.click(await page.one(with_name("ONE")))
    await page.click(await page.one(with_name("TWO")))


async def _button_one(page: Page) -> None:
    await page.click(await page.one(with_name("ONE")))


async def _only_button(page: Page) -> None:
    await page.click(await page.one(role("button")))


async def _close_dialog(page: Page) -> None:
    await page.click(await page.one(with_name("Close", "button")))


async def _dialog_button(page: Page) -> None:
    (name,) = page.goal_parts(r'"(.+?)"')
    await page.click(await page.one(with_name("Close" if name == "x" else name, "button")))


async def _tab(page: Page) -> None:
    (name,) = page.goal_parts(r"(Tab #\d)")
    await page.click(await page.one(with_name(name)))


async def _link_in_tabs(page: Page) -> None:
    """Opens each tab or section until the link is there."""
    (name,) = page.goal_parts(r'link "(.+?)"')
    await page.look()
    tabs = await page.all(role("tab"))
    for tab in ["", *tabs]:
        if isinstance(tab, Item):
            if "selected" in tab.facts.split(", ") or tab.facts.startswith("(selected"):
                continue
            await page.click(tab)
        found = page.screen.matching(lambda item: bool(item.ref) and item.name == name and item.role != "tab")
        if not found and "more change" in page.log[-1]:
            found = await page.all(lambda item: bool(item.ref) and item.name == name and item.role != "tab")
        if found:
            return await page.click(found[-1])
    raise NotSeenError(f"no link {name}")


async def _collapsible(page: Page) -> None:
    section = await page.one(lambda item: bool(item.ref) and "Section" in item.name)
    await page.click(section)
    await page.click(await page.one(SUBMIT, -1))


async def _menu_by_hover(page: Page) -> None:
    path = page.goal.removeprefix("Select ").split(">")
    for at, name in enumerate(path):
        item = await page.one(with_name(name))
        if at == len(path) - 1:
            await page.click(item)
        else:
            await page.hover(item)


async def _menu_button(page: Page) -> None:
    await page.click(await page.one(with_name("Menu")))
    if found := re.search(r'labeled "(.+?)"', page.goal):
        name = found[1]
    else:
        icon = "document.querySelector('#query span').className"
        name = await page.know(f"Object.keys(PROBLEM_SET).find(k => {icon}.includes(PROBLEM_SET[k]))")
    if name in ("Prev", "Stop", "Play", "Next"):
        await page.hover(await page.one(with_name("Playback")))
    await page.click(await page.one(with_name(name)))


async def _pie(page: Page) -> None:
    (name,) = page.goal_parts(r'"(.+?)"')
    await page.click(await page.one(lambda item: bool(item.ref) and item.name == "+"))
    await page.click(await page.one(with_name(name), -1))


async def _coloured(page: Page) -> None:
    boxes = (
        "[...document.querySelectorAll('#area *')].filter(e => e.dataset.color || e.className === 'color')"
    )
    wanted = "document.querySelector('#query *')"
    same = f"getComputedStyle(e).backgroundColor === getComputedStyle({wanted}).backgroundColor"
    nth, count = (await page.know(f"{boxes}.findIndex(e => {same}) + ',' + {boxes}.length")).split(",")
    await page.click((await page.all(usable, int(count)))[-int(count) :][int(nth)])


async def _shades(page: Page) -> None:
    (colour,) = page.goal_parts(r"shades of (\w+)")
    known = await page.know("[...document.querySelectorAll('#area span')].map(e => e.dataset.color).join()")
    boxes = await page.all(usable, 12)
    for box, own in zip(boxes, known.split(","), strict=True):
        if own == colour:
            await page.click(box)
    await page.click(await page.one(SUBMIT))


async def _widget(page: Page) -> None:
    (kind,) = page.goal_parts(r'"(\w+)"')
    roles = {"text": "textbox", "textarea": "textbox"}
    wanted = roles.get(kind, kind)

    def fits(item: Item) -> bool:
        multiline = "multiline" in item.facts
        return (
            item.role == wanted
            and bool(item.ref)
            and (wanted != "textbox" or multiline == (kind == "textarea"))
        )

    await page.click(await page.one(fits))


_SHAPES = "[...document.querySelectorAll('#area_svg > *')]"


async def _shape(page: Page) -> None:
    """The oracle knows which shape it is, and clicks the one at that position."""
    await page.look()
    shapes = await page.all(usable)
    count = int(await page.know(f"{_SHAPES}.length"))
    if len(shapes) != count:
        raise NotSeenError(f"{len(shapes)} of {count} shapes")
    nth = await page.know(_WANTED_SHAPE.replace("GOAL", repr(page.goal.removeprefix("Click on a "))))
    await page.click(shapes[int(nth)])


# Colour, size and kind as the page itself describes them.
_WANTED_SHAPE = """(() => { const words = GOAL.split(' '); const kinds = {circle: 'circle', rect: 'rectangle', polygon: 'triangle'};
 return [...document.querySelectorAll('#area_svg > *')].findIndex(e => { const kind = kinds[e.tagName] || e.textContent;
 const size = Number(e.getAttribute('r') * 2 || e.getAttribute('width') || parseFloat(getComputedStyle(e).fontSize));
 const box = e.getBoundingClientRect(); const large = (e.tagName === 'text' ? size >= 18 : Math.max(box.width, box.height) >= 15);
 const colour = e.getAttribute('fill'); const letter = /^[a-z]$/i.test(kind), digit = /^[0-9]$/.test(kind);
 return words.every(w => w === kind || w === colour || (w === 'large' && large) || (w === 'small' && !large) || w === 'item'
   || (w === 'letter' && letter) || (w === 'digit' && digit) || (w === 'shape' && !letter && !digit)) }) })()"""


async def _identify(page: Page) -> None:
    shape = await page.one(usable)
    kind = "Letter" if shape.name.isalpha() else "Number" if shape.name.isdigit() else ""
    if not kind:
        kinds = {"circle": "Circle", "rectangle": "Rectangle", "polygon": "Triangle"}
        kind = next((kinds[word] for word in kinds if word in shape.facts), "")
    await page.click(await page.one(with_name(kind, "button")))


async def _number_button(page: Page) -> None:
    """Count what the page draws; the oracle knows the number."""
    shapes = "[...document.querySelectorAll('#area_svg > *')]"
    await page.look()
    answer = await page.know(_COUNT.replace("SHAPES", shapes).replace("GOAL", repr(page.goal)))
    await page.click(await page.one(with_name(answer, "button")))


_COUNT = """(() => { const words = GOAL.match(/How many (.*)s are there/)[1].split(' '); const kinds = {circle: 'circle', rect: 'rectangle', polygon: 'triangle'};
 return SHAPES.filter(e => { const kind = kinds[e.tagName] || e.textContent; const box = e.getBoundingClientRect();
 const size = parseFloat(getComputedStyle(e).fontSize); const large = e.tagName === 'text' ? size >= 18 : Math.max(box.width, box.height) >= 15;
 const colour = e.getAttribute('fill'); const letter = /^[a-z]$/i.test(kind), digit = /^[0-9]$/.test(kind);
 return words.every(w => w === kind || w === colour || (w === 'large' && large) || (w === 'small' && !large) || w === 'item'
   || (w === 'letter' && letter) || (w === 'digit' && digit) || (w === 'shape' && !letter && !digit)) }).length })()"""


async def _grid(page: Page) -> None:
    x, y = page.goal_parts(r"\((-?\d),(-?\d)\)")
    dots = await page.all(usable, 25)
    nth = await page.know(
        "(() => { const dots = [...document.querySelectorAll('#area circle, svg circle')]; const of = e => [+e.getAttribute('cx'), +e.getAttribute('cy')];"
        " const xs = [...new Set(dots.map(e => of(e)[0]))].sort((a, b) => a - b), ys = [...new Set(dots.map(e => of(e)[1]))].sort((a, b) => b - a);"
        f" return dots.findIndex(e => xs.indexOf(of(e)[0]) - 2 === {x} && ys.indexOf(of(e)[1]) - 2 === {y}) }})()"
    )
    await page.click(dots[int(nth)])


async def _tic_tac_toe(page: Page) -> None:
    """Plays by what the reports show of the other's moves."""
    cells = await page.all(usable, 9)
    board = [""] * 9
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    for _ in range(5):
        gaps: list[int] = []
        for mark in ("X", "O"):
            gaps = [
                next(at for at in line if not board[at])
                for line in lines
                if [board[at] for at in line].count(mark) == 2 and any(not board[at] for at in line)
            ]
            if gaps:
                break
        free = [at for at in (4, 0, 8, 2, 6, 1, 3, 5, 7) if not board[at]]
        move = gaps[0] if gaps else free[0]
        await page.click(cells[move])
        board[move] = "X"
        if "START" in page.log[-1]:
            return
        marks = await page.know("gameState.join()")
        board = [{"1": "X", "-1": "O"}.get(mark, "") for mark in marks.split(",")]


ORACLES = {
    "ascending-numbers": _in_order,
    "button-delay": _delayed,
    "click-button": _named_in_goal,
    "click-button-sequence": _sequence,
    "click-collapsible": _collapsible,
    "click-collapsible-nodelay": _collapsible,
    "click-collapsible-2": _link_in_tabs,
    "click-collapsible-2-nodelay": _link_in_tabs,
    "click-color": _coloured,
    "click-dialog": _close_dialog,
    "click-dialog-2": _dialog_button,
    "click-link": _named_in_goal,
    "click-menu": _menu_by_hover,
    "click-menu-2": _menu_button,
    "click-pie": _pie,
    "click-pie-nodelay": _pie,
    "click-shades": _shades,
    "click-shape": _shape,
    "click-tab": _tab,
    "click-tab-2": _link_in_tabs,
    "click-tab-2-easy": _link_in_tabs,
    "click-tab-2-medium": _link_in_tabs,
    "click-tab-2-hard": _link_in_tabs,
    "click-test": _only_button,
    "click-test-2": _button_one,
    "click-test-transfer": _button_one,
    "click-widget": _widget,
    "count-shape": _number_button,
    "grid-coordinate": _grid,
    "identify-shape": _identify,
    "tic-tac-toe": _tic_tac_toe,
    "unicode-test": _named_in_goal,
}
