"""Keyboard and form actions."""

from typing import Annotated

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.actions.element_info import ElementArgs
from tabwright.browser.tab import Tab
from tabwright.fields import Seconds, Target, Timeout, Typed
from tabwright.results import Done
from tabwright.text import quote_line


class Filled(Result):
    """The value of a control."""

    target: str = Field(description="Role and name of the control.")
    value: str = Field(description="Its value now.")
    pending: str = Field("", description="What is still to be done, if it has the text but not the value.")
    note: str = Field("", description="What else became of it.")

    @property
    def stated_value(self) -> str | None:
        """Its value, unless something is still to be done."""
        return None if self.pending else self.value

    def __str__(self) -> str:
        if self.pending:
            held = f"contains {quote_line(self.value)}" if self.value else "is not set"
            return f"{self.target} {held}. {self.pending}"
        return f"{self.target} is now {quote_line(self.value)}.{f' {self.note}' if self.note else ''}"


class Fill(Args):
    """Arguments of `fill`."""

    target: Target
    value: Annotated[str, Typed()] = Field(
        max_length=10_000_000, description="Value; a date as 2026-05-31, a checkbox as true or false."
    )
    clear: bool = Field(True, description="Replace the old value; false appends.")
    timeout: Timeout = 5.0


class Type(Args):
    """Arguments of `type_text`."""

    text: Annotated[str, Typed()] = Field(max_length=100_000, description="Text to type, key by key.")
    target: str | None = Field(
        None, min_length=1, max_length=2_000, description="Element to type into; default: the focused one."
    )
    delay: Annotated[float, Seconds()] = Field(0, ge=0, le=5, description="Seconds between keys.")
    timeout: Timeout = 5.0


class Press(Args):
    """Arguments of `press`."""

    key: str = Field(min_length=1, max_length=100, description="Key or chord: Enter, Control+a, Shift+Tab.")
    target: str | None = Field(
        None, min_length=1, max_length=2_000, description="Element to press it on; default: the focused one."
    )
    timeout: Timeout = 5.0


class SelectOption(Args):
    """Arguments of `select_option`."""

    target: Target
    options: list[str] = Field(
        min_length=1, max_length=1_000, description="Labels, values or indices of the options."
    )
    timeout: Timeout = 5.0


@action(Effect.ACT, does=("type",), group="Forms", idempotent=True)
async def fill(tab: Tab, args: Fill) -> Filled:
    """Set a form control of any kind."""
    element = tab.element(args.target)
    filled = await element.fill_field(args.value, clear=args.clear, timeout=args.timeout, watch=True)
    return Filled(target=element.label, value=filled.value, pending=filled.pending, note=filled.note)


@action(Effect.ACT, does=("type", "press"), at="focus", group="Keyboard")
async def type_text(tab: Tab, args: Type) -> Done:
    """Type text with real key events."""
    if args.target is None:
        await tab.keyboard.type(args.text, delay=args.delay)
        return Done(deed="Typed into", target="the focused element")
    element = tab.element(args.target)
    await element.type(args.text, delay=args.delay, timeout=args.timeout)
    return Done(deed="Typed into", target=element.label)


@action(Effect.ACT, does=("press",), at="focus", group="Keyboard")
async def press(tab: Tab, args: Press) -> Done:
    """Press a key or a chord."""
    if args.target is None:
        await tab.keyboard.press(args.key)
        return Done(deed="Pressed", target=args.key)
    element = tab.element(args.target)
    await element.press(args.key, timeout=args.timeout)
    return Done(deed=f"Pressed {args.key} on", target=element.label)


@action(Effect.ACT, does=("type",), group="Forms", idempotent=True)
async def select_option(tab: Tab, args: SelectOption) -> Filled:
    """Select options of a list by label, value or index."""
    element = tab.element(args.target)
    labels = await element.select_option(*args.options, timeout=args.timeout, watch=True)
    return Filled(target=element.label, value=", ".join(labels))


@action(Effect.ACT, does=("press", "type"), group="Forms", idempotent=True)
async def check(tab: Tab, args: ElementArgs) -> Done:
    """Check a checkbox, radio button or switch."""
    element = tab.element(args.target)
    await element.check(timeout=args.timeout, watch=True)
    return Done(deed="Checked", target=element.label)


@action(Effect.ACT, does=("press", "type"), group="Forms", idempotent=True)
async def uncheck(tab: Tab, args: ElementArgs) -> Done:
    """Uncheck a checkbox or switch."""
    element = tab.element(args.target)
    await element.uncheck(timeout=args.timeout, watch=True)
    return Done(deed="Unchecked", target=element.label)


@action(Effect.ACT, does=("point",), group="Keyboard", idempotent=True)
async def focus(tab: Tab, args: ElementArgs) -> Done:
    """Focus an element."""
    element = tab.element(args.target)
    await element.focus(timeout=args.timeout)
    return Done(deed="Focused", target=element.label)
