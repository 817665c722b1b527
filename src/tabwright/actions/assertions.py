"""Assertions: they wait for a condition, report the evidence, and fail with what was seen instead."""

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.find.assertions import Assertions
from tabwright.browser.tab import Tab
from tabwright.fields import HttpStatus, Pattern, Target, Timeout


class AssertVisible(Args):
    """Arguments of `assert_visible`."""

    target: Target
    hidden: bool = Field(False, description="Assert that it is hidden or absent instead.")
    timeout: Timeout = 5.0


class AssertText(Args):
    """Arguments of `assert_text`."""

    text: str = Field(min_length=1, max_length=10_000, description="Expected text; white space is folded.")
    target: Target = "body"
    exact: bool = Field(False, description="Compare the whole text of the element.")
    absent: bool = Field(False, description="Assert that the text is not there instead.")
    timeout: Timeout = 5.0


class AssertValue(Args):
    """Arguments of `assert_value`."""

    target: Target
    value: str = Field(max_length=100_000, description="Expected value of the form control.")
    timeout: Timeout = 5.0


class AssertUrl(Args):
    """Arguments of `assert_url`."""

    pattern: Pattern
    timeout: Timeout = 5.0


class AssertCount(Args):
    """Arguments of `assert_count`."""

    target: Target
    count: int = Field(ge=0, le=1_000_000, description="Expected number of matching elements.")
    or_more: bool = Field(False, description="Accept more than that, too.")
    timeout: Timeout = 5.0


class AssertNoConsoleErrors(Args):
    """Arguments of `assert_no_console_errors`."""

    ignore: list[str] = Field(
        [], max_length=100, description="Ignore errors that contain one of these texts, such as favicon.ico."
    )


class AssertRequest(Args):
    """Arguments of `assert_request`."""

    pattern: Pattern
    method: str | None = Field(None, min_length=1, max_length=20, description="Expected HTTP method.")
    status: HttpStatus | None = Field(None, description="Expected HTTP status: 200, 2xx, 400-499.")
    timeout: Timeout = 5.0


class Held(Result):
    """An assertion that held."""

    evidence: str = Field(description="What was seen.")

    def __str__(self) -> str:
        return f"OK: {self.evidence}."


@action(Effect.READ, does=("look",), group="Assertions", patient=True)
async def assert_visible(tab: Tab, args: AssertVisible) -> Held:
    """Assert that an element is visible, or hidden."""
    held = await Assertions(tab).visible(args.target, hidden=args.hidden, timeout=args.timeout)
    return Held(evidence=held)


@action(Effect.READ, does=("look",), group="Assertions", patient=True)
async def assert_text(tab: Tab, args: AssertText) -> Held:
    """Assert that the page or an element shows a text."""
    held = await Assertions(tab).text(
        args.text, args.target, exact=args.exact, absent=args.absent, timeout=args.timeout
    )
    return Held(evidence=held)


@action(Effect.READ, does=("look",), group="Assertions", patient=True)
async def assert_value(tab: Tab, args: AssertValue) -> Held:
    """Assert the value of a form control."""
    return Held(evidence=await Assertions(tab).value(args.target, args.value, timeout=args.timeout))


@action(Effect.READ, does=("look",), group="Assertions", patient=True)
async def assert_url(tab: Tab, args: AssertUrl) -> Held:
    """Assert that the URL matches a pattern."""
    return Held(evidence=await Assertions(tab).url(args.pattern, timeout=args.timeout))


@action(Effect.READ, does=("look",), group="Assertions", patient=True)
async def assert_count(tab: Tab, args: AssertCount) -> Held:
    """Assert how many elements match, hidden ones included."""
    most = None if args.or_more else args.count
    return Held(evidence=await Assertions(tab).count(args.target, args.count, most, timeout=args.timeout))


@action(Effect.READ, does=("look",), group="Assertions")
async def assert_no_console_errors(tab: Tab, args: AssertNoConsoleErrors) -> Held:
    """Assert that this page logged no errors and threw no exceptions so far."""
    return Held(evidence=await Assertions(tab).no_console_errors(args.ignore))


@action(Effect.READ, does=("read_data",), group="Assertions", patient=True)
async def assert_request(tab: Tab, args: AssertRequest) -> Held:
    """Assert that the page sent a request, with this method and status."""
    held = await Assertions(tab).request(args.pattern, args.method, args.status, timeout=args.timeout)
    return Held(evidence=held)
