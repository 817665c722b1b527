"""Replays a recorded sequence: each element is found by the first locator that matches exactly one."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import quote

import anyio

from tabwright.browser.element import Element
from tabwright.browser.find.locate import wait_for_change
from tabwright.browser.snapshot.observe import THOROUGH, Since, observe_anew, settle
from tabwright.browser.tab import Tab
from tabwright.errors import InvalidArgs, NotFound, Stale, TabwrightError
from tabwright.page_tools.recipes.model import PLACEHOLDER, RecordedSequence, Step
from tabwright.page_tools.run.results import read_alerts, read_new_messages
from tabwright.page_tools.tool import Outcome
from tabwright.text import format_count

_TIMEOUT = 5.0
# Steps that may change the page in a way that the next step depends on.
_MAY_CHANGE_PAGE = frozenset({"click", "press", "select", "check", "uncheck", "type"})


async def replay(tab: Tab, recorded: RecordedSequence, given: Mapping[str, str]) -> Outcome:
    """Run all steps in order.

    Raises:
        TabwrightError: a step failed; the message names it, and those done before it.
    """
    defaults = {name: one.default for name, one in recorded.parameters.items() if one.default is not None}
    values, total = {**defaults, **given}, len(recorded.step)
    commits, done = tab.navigation.commits, list[str]()
    for number, step in enumerate(recorded.step[:-1], 1):
        with _naming_failed_step(recorded, number, done):
            since = Since.now(tab)
            done.append(await _do(tab, step, values))
            if step.do in _MAY_CHANGE_PAGE:
                await settle(tab, since, THOROUGH)
    with _naming_failed_step(recorded, total, done):
        navigated = tab.navigation.commits > commits
        messages = await _run_last_step(tab, recorded, values, done, navigated=navigated)
    summary = f"Ran {recorded.name}: {format_count(total, 'step')}."
    return Outcome(summary=summary, page_lines=(*done, *messages))


@contextmanager
def _naming_failed_step(recorded: RecordedSequence, number: int, done: Sequence[str]) -> Iterator[None]:
    """Add the failed step to the message of an error."""
    try:
        yield
    except TabwrightError as error:
        before = f" Done before it: {'; '.join(done)}." if done else " Nothing was done before it."
        where = f"step {number} of {len(recorded.step)} ({recorded.step[number - 1].do})"
        error.message = f"{recorded.name}: {where}: {error.message}{before}"
        raise


async def _run_last_step(
    tab: Tab, recorded: RecordedSequence, values: Mapping[str, str], done: list[str], *, navigated: bool
) -> list[str]:
    """Run the last step; return the page's messages where the effect report does not cover them.

    `navigated`: whether the page has a different document than at the start of the call.
    """
    step, commits = recorded.step[-1], tab.navigation.commits
    if navigated:
        await observe_anew(tab)
    before = await read_alerts(tab.main_frame)
    searches = recorded.name.startswith("search_") or any(" searchbox" in one for one in done)
    since = Since.now(tab)
    done.append(await _do(tab, step, values))
    if step.do in _MAY_CHANGE_PAGE and (navigated or searches):
        await settle(tab, since, THOROUGH)
    if not searches and tab.navigation.commits == commits:
        return []
    return await read_new_messages(tab.main_frame, before, searches=searches)


async def _do(tab: Tab, step: Step, values: Mapping[str, str]) -> str:
    """Run one step; return what was done to which element."""
    if step.do == "navigate":
        url = substitute(step.url, {name: quote(value, safe="") for name, value in values.items()})
        return f"navigated to {(await tab.goto(url)).url}"
    approved = tab.shield.approved
    if not step.target:
        if approved is not None:
            await approved.show_focused()
        await tab.keyboard.press(step.key)
        return f"pressed {step.key}"
    element = await find_element(tab, step.target)
    if approved is not None:
        await approved.extend(*await tab.refs.locate(await element.ref()))
    await _perform(element, step, [substitute(text, values) for text in step.value])
    return f"{step.do} {element.label}"


async def _perform(element: Element, step: Step, texts: Sequence[str]) -> None:
    match step.do:
        case "click":
            await element.click(button=step.button, count=step.count)
        case "hover":
            await element.hover()
        case "fill" | "type":
            async with element.tab.call_permissions.fill_secrets(texts[0]) as text:
                await (element.fill(text) if step.do == "fill" else element.type(text))
        case "select":
            await element.select_option(*texts)
        case "press":
            await element.press(step.key)
        case "check":
            await element.check()
        case _:
            await element.uncheck()


def exact_element(tab: Tab, locator: str) -> Element:
    """Return the element of a locator; the name next to a role must match exactly."""
    element = tab.element(locator)
    steps = tuple({**step, "exact": True} if step["by"] == "role" else step for step in element.target.steps)
    element.target = replace(element.target, steps=steps)
    return element


async def find_element(tab: Tab, locators: Sequence[str]) -> Element:
    """Wait for and return the element of the first locator that matches exactly one.

    Raises:
        Stale: none does; the message names the locators, and the hint says what is there.
    """
    deadline = anyio.current_time() + _TIMEOUT
    while True:
        failures: list[TabwrightError] = []
        for locator in locators:
            try:
                return tab.element(await exact_element(tab, locator).ref(timeout=0))
            except (NotFound, InvalidArgs, Stale) as error:
                failures.append(error)
        left = deadline - anyio.current_time()
        if left <= 0:
            raise _not_found(locators, failures[0])
        await wait_for_change(tab, left)


def _not_found(locators: Sequence[str], failure: TabwrightError) -> Stale:
    several = isinstance(failure, InvalidArgs)
    fact = "matches several elements" if several else "is not on the page"
    others = f"; none of {', '.join(locators[1:])} matches exactly one either" if len(locators) > 1 else ""
    return Stale(
        f"{locators[0]} {fact}{others}. The site may have changed.",
        hint=f"{failure.hint} Then record it again, or correct the recipe.".strip(),
    )


def substitute(text: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders of parameters; those of secrets are replaced only while typing."""
    return PLACEHOLDER.sub(lambda match: match[0] if match[1] else values[match[2]], text)
