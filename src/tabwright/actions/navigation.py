"""Going places: navigate, reload, back, forward, and waiting for a page."""

from typing import Literal

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.network.rules import parse_headers
from tabwright.browser.page.navigation import Navigated
from tabwright.browser.tab import Tab
from tabwright.fields import Timeout, WaitUntil
from tabwright.text import quote_line


class Page(Result):
    """Where the tab is now."""

    url: str = Field(description="Address of the page.")
    title: str = Field(description="Its title.")
    status: int | None = Field(None, description="HTTP status, where there is one.")
    status_text: str = Field("", description="The status in words.")
    download: str = Field("", description="Id of the download that the address turned out to be.")

    def __str__(self) -> str:
        if self.download:
            return f"The address is a download: {self.download}. The tab still shows {self.url}"
        status = f" ({self.status} {self.status_text})" if self.status else ""
        return f"Navigated to {self.url}{status}"


class SetOut(Page):
    """Where the tab still is, and where it is going."""

    bound_for: str = Field(description="Where it is going.")

    def __str__(self) -> str:
        return f"Set out for {self.bound_for}; the tab may still show {self.url}"


class Here(Page):
    """The page that the tab shows."""

    def __str__(self) -> str:
        status = f" ({self.status} {self.status_text})" if self.status else ""
        return f"{self.url} {quote_line(self.title)}{status}"


class Navigate(Args):
    """Arguments of `navigate`."""

    url: str = Field(
        min_length=1, max_length=100_000, description="Whole address, such as https://example.com/."
    )
    wait_until: Literal["load", "domcontentloaded", "networkidle", "commit", "none"] = Field(
        "load",
        description="How far the page must have got; networkidle = no request for 500 ms; none = not at all.",
    )
    timeout: Timeout = 30.0
    headers: list[str] = Field(
        [],
        max_length=100,
        description="Headers, each as Name: value, for requests to this address's origin from now on.",
    )


class Arrival(Args):
    """Arguments of what leads to a page without naming it."""

    wait_until: WaitUntil = "load"
    timeout: Timeout = 30.0


@action(Effect.ACT, group="Navigation", observed=False, idempotent=True, patient=True)
async def navigate(tab: Tab, args: Navigate) -> Page:
    """Go to a URL and wait until it is loaded."""
    if args.headers:
        await tab.context.interception.set_headers(args.url, parse_headers(args.headers))
    if args.wait_until == "none":
        await tab.navigation.set_out(args.url, timeout=args.timeout)
        return SetOut(url=tab.url, title="", bound_for=args.url)
    return await _page(tab, await tab.goto(args.url, wait_until=args.wait_until, timeout=args.timeout))


@action(Effect.ACT, group="Navigation", observed=False, patient=True)
async def reload(tab: Tab, args: Arrival) -> Page:
    """Load the page again."""
    return await _page(tab, await tab.navigation.reload(wait_until=args.wait_until, timeout=args.timeout))


@action(Effect.ACT, group="Navigation", observed=False, patient=True)
async def back(tab: Tab, args: Arrival) -> Page:
    """Go one page back in the tab's history."""
    return await _page(tab, await tab.navigation.back(wait_until=args.wait_until, timeout=args.timeout))


@action(Effect.ACT, group="Navigation", observed=False, patient=True)
async def forward(tab: Tab, args: Arrival) -> Page:
    """Go one page forward in the tab's history."""
    return await _page(tab, await tab.navigation.forward(wait_until=args.wait_until, timeout=args.timeout))


@action(Effect.READ, group="Navigation", patient=True)
async def wait_for_load(tab: Tab, args: Arrival) -> Here:
    """Wait until the page on its way is loaded."""
    await tab.navigation.wait(args.wait_until, timeout=args.timeout)
    return await _here(tab)


@action(Effect.ACT, group="Navigation", observed=False)
async def stop_loading(tab: Tab, args: Args) -> Here:
    """Stop a page from loading on."""
    await tab.navigation.stop()
    return await _here(tab)


@action(Effect.READ, group="Navigation")
async def get_page(tab: Tab, args: Args) -> Here:
    """Tell address, title and HTTP status of the page."""
    return await _here(tab)


async def _here(tab: Tab) -> Here:
    status, words = tab.navigation.status
    return Here(url=tab.url, title=await tab.title(), status=status, status_text=words)


async def _page(tab: Tab, arrived: Navigated) -> Page:
    return Page(
        url=arrived.url,
        title=await tab.title(),
        status=arrived.status,
        status_text=arrived.status_text,
        download=arrived.download.id if arrived.download else "",
    )
