"""Browsion's tools for going places, scrolling and waiting."""

from typing import Literal

from pydantic import Field

from tabwright.action import Effect
from tabwright.dialects.browsion.call import InBrowser, OnElement, Timeout, Tools


class Navigate(InBrowser):
    """Go to a URL. Tells the final URL and HTTP status; get_page_state then reads the page."""

    action = "navigate"
    url: str = Field(min_length=1, max_length=100_000)
    wait_until: Literal["load", "domcontentloaded", "networkidle", "none"] = "load"
    timeout_ms: Timeout = 15_000


class GoBack(InBrowser):
    """Go one page back in the tab's history."""

    action = "back"


class GoForward(InBrowser):
    """Go one page forward in the tab's history."""

    action = "forward"


class Reload(InBrowser):
    """Load the page again."""

    action = "reload"


class WaitForNavigation(InBrowser):
    """Wait until the page that is on its way is loaded. Acts wait for the page they lead to by themselves."""

    effect, action = Effect.READ, "wait_for_load"
    timeout_ms: Timeout = 15_000


class GetCurrentUrl(InBrowser):
    """Tell the address of the page, with its title."""

    effect, action = Effect.READ, "get_page"


class GetPageTitle(InBrowser):
    """Tell the title of the page, with its address."""

    effect, action = Effect.READ, "get_page"


class Scroll(InBrowser):
    """Scroll the page. Acts scroll to their element by themselves."""

    action, words = "scroll", {"amount": "pixels"}
    direction: Literal["up", "down", "left", "right"] = "down"
    amount: float = Field(500, ge=0, le=1_000_000, description="Pixels")


class ScrollElement(OnElement):
    """Scroll what an element shows, by pixels to the right and down; negative for left and up."""

    action = "scroll_by"
    delta_x: float = Field(0, ge=-1_000_000, le=1_000_000)
    delta_y: float = Field(0, ge=-1_000_000, le=1_000_000)


class ScrollIntoView(OnElement):
    """Scroll until an element is in view."""

    action = "scroll_into_view"


class WaitForElement(OnElement):
    """Wait until an element is visible."""

    effect, action = Effect.READ, "wait_for"
    timeout_ms: Timeout = 5_000


class WaitForText(InBrowser):
    """Wait until the page shows a text."""

    effect, action = Effect.READ, "wait_for_text"
    text: str = Field(min_length=1, max_length=2_000)
    timeout_ms: Timeout = 30_000


class WaitForUrl(InBrowser):
    """Wait until the address fits a pattern."""

    effect, action = Effect.READ, "wait_for_url"
    pattern: str = Field(min_length=1, max_length=2_000, description="* stands for anything")
    timeout_ms: Timeout = 30_000


class Wait(InBrowser):
    """Do nothing for a while; waiting for an element or text is better."""

    effect, action = Effect.READ, "pause"
    duration_ms: float = Field(gt=0, le=30_000)


NAVIGATION: Tools = {
    "navigate": Navigate,
    "go_back": GoBack,
    "go_forward": GoForward,
    "reload": Reload,
    "wait_for_navigation": WaitForNavigation,
    "get_current_url": GetCurrentUrl,
    "get_page_title": GetPageTitle,
}
SCROLLING_AND_WAITING: Tools = {
    "scroll": Scroll,
    "scroll_element": ScrollElement,
    "scroll_into_view": ScrollIntoView,
    "wait_for_element": WaitForElement,
    "wait_for_text": WaitForText,
    "wait_for_url": WaitForUrl,
    "wait": Wait,
}
