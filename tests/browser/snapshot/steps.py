"""Steps on a page, written as a user would say them: "click text=Save", "fill input=5"."""

from tabwright.browser.snapshot.observe import observe
from tabwright.browser.tab import Tab

# What is done, and the lines of the report.
Step = tuple[str, list[str]]


async def report_of(tab: Tab, step: str) -> list[str]:
    """Do one step; return the lines of its report."""
    verb, _, rest = step.partition(" ")
    target, _, value = rest.rpartition("=")
    actions = {
        "click": lambda: tab.element(rest).click(),
        "hover": lambda: tab.element(rest).hover(),
        "press": lambda: tab.keyboard.press(rest),
        "fill": lambda: tab.element(target).fill(value),
        "select": lambda: tab.element(target).select_option(value),
    }
    _, effects = await observe(tab, actions[verb])
    return str(effects).splitlines()
