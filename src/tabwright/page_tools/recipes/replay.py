"""Doing a recorded sequence again: each element found by the first of its locators that names just one."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import quote

import anyio

from tabwright.browser.element import Element
from tabwright.browser.find.locate import wait_for_change
from tabwright.browser.snapshot.observe import observe_anew
from tabwright.browser.tab import Tab
from tabwright.errors import InvalidArgs, NotFound, Stale, TabwrightError
from tabwright.page_tools.recipes.model import PLACE, Recorded, Step
from tabwright.page_tools.run.results import said, told_since
from tabwright.page_tools.run.settle import settled
from tabwright.page_tools.tool import Outcome
from tabwright.text import format_count

_PATIENCE = 5.0
# What may set off something that the next step stands on.
_STIRRING = frozenset({"click", "press", "select", "check", "uncheck", "type"})


async def replay(tab: Tab, recorded: Recorded, given: Mapping[str, str]) -> Outcome:
    """Do all steps in order.

    Raises:
        TabwrightError: naming the step that could not be done, and what was done before it.
    """
    defaults = {name: one.default for name, one in recorded.parameters.items() if one.default is not None}
    values, total = {**defaults, **given}, len(recorded.step)
    commits, done = tab.navigation.commits, list[str]()
    for number, step in enumerate(recorded.step[:-1], 1):
        with _told_of(recorded, number, done):
            async with settled(tab, wanted=step.do in _STIRRING):
                done.append(await _do(tab, step, values))
    with _told_of(recorded, total, done):
        elsewhere = tab.navigation.commits > commits
        words = await _end(tab, recorded, values, done, elsewhere=elsewhere)
    return Outcome(deed=f"Ran {recorded.name}: {format_count(total, 'step')}.", words=(*done, *words))


@contextmanager
def _told_of(recorded: Recorded, number: int, done: Sequence[str]) -> Iterator[None]:
    """Name the step in what goes wrong with it."""
    try:
        yield
    except TabwrightError as error:
        before = f" Done before it: {'; '.join(done)}." if done else " Nothing was done before it."
        where = f"step {number} of {len(recorded.step)} ({recorded.step[number - 1].do})"
        error.message = f"{recorded.name}: {where}: {error.message}{before}"
        raise


async def _end(
    tab: Tab, recorded: Recorded, values: Mapping[str, str], done: list[str], *, elsewhere: bool
) -> list[str]:
    """Do the last step; return what the page says and shows of it, where no report tells.

    `elsewhere` is whether the steps before it led to another document than the call began in.
    """
    step, commits = recorded.step[-1], tab.navigation.commits
    if elsewhere:
        await observe_anew(tab)
    before = await said(tab.main_frame)
    searches = recorded.name.startswith("search_") or any(" searchbox" in deed for deed in done)
    async with settled(tab, wanted=step.do in _STIRRING and (elsewhere or searches)):
        done.append(await _do(tab, step, values))
    if not searches and tab.navigation.commits == commits:
        return []
    return await told_since(tab.main_frame, before, searches=searches)


async def _do(tab: Tab, step: Step, values: Mapping[str, str]) -> str:
    """Do one step, and say what was done to what."""
    if step.do == "navigate":
        url = filled_in(step.url, {name: quote(value, safe="") for name, value in values.items()})
        return f"navigated to {(await tab.goto(url)).url}"
    if not step.target:
        await tab.keyboard.press(step.key)
        return f"pressed {step.key}"
    element = await found(tab, step.target)
    await _act(element, step, [filled_in(text, values) for text in step.value])
    return f"{step.do} {element.label}"


async def _act(element: Element, step: Step, texts: Sequence[str]) -> None:
    match step.do:
        case "click":
            await element.click(button=step.button, count=step.count)
        case "hover":
            await element.hover()
        case "fill" | "type":
            async with element.tab.lend(texts[0]) as text:
                await (element.fill(text) if step.do == "fill" else element.type(text))
        case "select":
            await element.select_option(*texts)
        case "press":
            await element.press(step.key)
        case "check":
            await element.check()
        case _:
            await element.uncheck()


def named(tab: Tab, locator: str) -> Element:
    """Return what a locator names; a name beside a role is meant as a whole, so that no other comes near."""
    element = tab.element(locator)
    steps = tuple({**step, "exact": True} if step["by"] == "role" else step for step in element.target.steps)
    element.target = replace(element.target, steps=steps)
    return element


async def found(tab: Tab, locators: Sequence[str]) -> Element:
    """Return the element that the first fitting locator names; it is waited for.

    Raises:
        Stale: none names just one element; the message says which were tried, the hint what is there.
    """
    deadline = anyio.current_time() + _PATIENCE
    while True:
        failures: list[TabwrightError] = []
        for locator in locators:
            try:
                return tab.element(await named(tab, locator).ref(timeout=0))
            except (NotFound, InvalidArgs, Stale) as error:
                failures.append(error)
        left = deadline - anyio.current_time()
        if left <= 0:
            raise _changed(locators, failures[0])
        await wait_for_change(tab, left)


def _changed(locators: Sequence[str], failure: TabwrightError) -> Stale:
    several = isinstance(failure, InvalidArgs)
    fact = "names several elements" if several else "is not on the page"
    others = f", nor is any of {', '.join(locators[1:])} clear" if len(locators) > 1 else ""
    return Stale(
        f"{locators[0]} {fact}{others}. The site has changed, or shows something else.",
        hint=f"{failure.hint} Then record it again, or correct the recipe.".strip(),
    )


def filled_in(text: str, values: Mapping[str, str]) -> str:
    """Put arguments in the place of their names; secrets stay named, for whoever lends them."""
    return PLACE.sub(lambda place: place[0] if place[1] else values[place[2]], text)
