"""Navigation: navigate, reload, back, forward, and waiting for a page to load."""

from typing import Literal

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.network.rules import parse_headers
from tabwright.browser.page.navigation import Navigated
from tabwright.browser.snapshot.identity import read_identity
from tabwright.browser.tab import Tab
from tabwright.fields import Timeout, Url, WaitUntil
from tabwright.text import quote_line


class Page(Result):
    """Where the tab is now."""

    url: str = Field(description="URL of the page.")
    title: str = Field(description="Its title.")
    status: int | None = Field(None, description="HTTP status, if any.")
    status_text: str = Field("", description="Text of the status.")
    download: str = Field("", description="Id of the download, if the URL is one.")
    note: str = Field("", description="What the page is, if it is not an ordinary one.")
    still_loading: str = Field("", description="What the page was not waited for, such as 1 image of a host.")

    def __str__(self) -> str:
        if self.download:
            return f"The address is a download: {self.download}. The tab still shows {self.url}"
        status = f" ({self.status} {self.status_text})" if self.status else ""
        missing = f"\nStill loading {self.still_loading}." if self.still_loading else ""
        return f"Navigated to {self.url}{status}{f'. {self.note}' if self.note else ''}{missing}"


class NavigationStarted(Page):
    """A navigation that was started but not awaited."""

    bound_for: str = Field(description="The URL that is loading.")

    def __str__(self) -> str:
        return f"Started loading {self.bound_for}; the tab may still show {self.url}"


class CurrentPage(Page):
    """The page that the tab shows."""

    def __str__(self) -> str:
        status = f" ({self.status} {self.status_text})" if self.status else ""
        return f"{self.url} {quote_line(self.title)}{status}{f'. {self.note}' if self.note else ''}"


class Navigate(Args):
    """Arguments of `navigate`."""

    url: Url = Field(description="URL, such as https://example.com/.", json_schema_extra={"format": "uri"})
    wait_until: Literal["load", "domcontentloaded", "networkidle", "commit", "none"] = Field(
        "load",
        description="What to wait for; networkidle = no request for 500 ms; none = nothing. By default load, "
        "but at most 5 s for images and scripts once the document is there.",
    )
    timeout: Timeout = 30.0
    headers: list[str] = Field(
        [],
        max_length=100,
        description="Headers, each as Name: value, sent to this URL's origin from now on.",
    )


class Reload(Args):
    """Arguments of a navigation without a URL."""

    wait_until: WaitUntil = Field(
        "load",
        description="What to wait for; networkidle = no request for 500 ms. By default load, but at most 5 s "
        "for images and scripts once the document is there.",
    )
    timeout: Timeout = 30.0


class LoadArgs(Args):
    """Arguments of `wait_for_load`."""

    wait_until: WaitUntil = "load"
    timeout: Timeout = 30.0


@action(Effect.ACT, does=("navigate",), group="Navigation", observed=False, idempotent=True, patient=True)
async def navigate(tab: Tab, args: Navigate) -> Page:
    """Go to a URL and wait until it is loaded."""
    if args.headers:
        await tab.context.interception.set_headers(args.url, parse_headers(args.headers))
    if args.wait_until == "none":
        await tab.navigation.start(args.url, timeout=args.timeout)
        return NavigationStarted(url=tab.url, title="", bound_for=args.url)
    return await _navigated_page(
        tab, await tab.goto(args.url, wait_until=args.explicit("wait_until"), timeout=args.timeout)
    )


@action(Effect.ACT, does=("navigate",), group="Navigation", observed=False, patient=True)
async def reload(tab: Tab, args: Reload) -> Page:
    """Reload the page."""
    return await _navigated_page(
        tab, await tab.navigation.reload(wait_until=args.explicit("wait_until"), timeout=args.timeout)
    )


@action(Effect.ACT, does=("navigate",), group="Navigation", observed=False, patient=True)
async def back(tab: Tab, args: Reload) -> Page:
    """Go one page back in the tab's history."""
    return await _navigated_page(
        tab, await tab.navigation.back(wait_until=args.explicit("wait_until"), timeout=args.timeout)
    )


@action(Effect.ACT, does=("navigate",), group="Navigation", observed=False, patient=True)
async def forward(tab: Tab, args: Reload) -> Page:
    """Go one page forward in the tab's history."""
    return await _navigated_page(
        tab, await tab.navigation.forward(wait_until=args.explicit("wait_until"), timeout=args.timeout)
    )


@action(Effect.READ, does=("look",), group="Navigation", patient=True)
async def wait_for_load(tab: Tab, args: LoadArgs) -> CurrentPage:
    """Wait until the page has loaded."""
    await tab.navigation.wait(args.wait_until, timeout=args.timeout)
    return await _current_page(tab)


@action(Effect.ACT, does=("navigate",), group="Navigation", observed=False)
async def stop_loading(tab: Tab, args: Args) -> CurrentPage:
    """Stop loading the page."""
    await tab.navigation.stop()
    return await _current_page(tab)


@action(Effect.READ, does=("look",), group="Navigation")
async def get_page(tab: Tab, args: Args) -> CurrentPage:
    """Return the URL, title and HTTP status of the page."""
    return await _current_page(tab)


async def _current_page(tab: Tab) -> CurrentPage:
    status, text = tab.navigation.status
    title, note = await read_identity(tab)
    return CurrentPage(url=tab.url, title=title, note=note, status=status, status_text=text)


async def _navigated_page(tab: Tab, navigated: Navigated) -> Page:
    title, note = await read_identity(tab)
    return Page(
        url=navigated.url,
        title=title,
        note=note,
        status=navigated.status,
        status_text=navigated.status_text,
        download=navigated.download.id if navigated.download else "",
        still_loading=navigated.still_loading,
    )
