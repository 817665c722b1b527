"""Working in the user's own Chrome through the extension."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from tabwright.browser.browser import Browser
from tabwright.browser.gate import Gate
from tabwright.browser.link import Link
from tabwright.browser.parting import farewell
from tabwright.browser.relay import Relay
from tabwright.browser.seat import Seat
from tabwright.cdp import CdpError
from tabwright.errors import BrowserGone, TabwrightError

_PATIENCE = 20.0


@asynccontextmanager
async def joined_through(link: Link, seat: Seat, gate: Gate) -> AsyncIterator[Browser]:
    """Work in tabs of a linked Chrome while the block runs; they stay open when we leave.

    Raises:
        BrowserGone: it went away, or does not act like a browser.
    """
    relay = Relay(link, seat)
    with seat.taken():
        async with _joined(relay, link, seat, gate) as browser:
            yield browser


@asynccontextmanager
async def _joined(relay: Relay, link: Link, seat: Seat, gate: Gate) -> AsyncIterator[Browser]:
    async with Browser.over(relay, headless=False, gate=gate, seat=seat, lost=_interrupted) as browser:
        browser.address = f"extension:{link.name}"
        browser.fronted = relay.fronted
        browser.guards_cookies = True
        try:
            with anyio.fail_after(_PATIENCE):
                await browser.start()
                await browser.meet()
                browser.headless = "HeadlessChrome" in browser.version.user_agent
        except (TimeoutError, CdpError) as error:
            raise BrowserGone(
                f"The user's Chrome {link.name} does not answer.", hint="Ask the user to look at it."
            ) from error
        yield browser


def _interrupted(reason: str) -> TabwrightError:
    return farewell(reason) or BrowserGone(
        f"The connection to the user's Chrome was interrupted ({reason}); "
        "what the call had begun may have happened.",
        hint="Call again: the session goes on in its tabs as soon as that Chrome is back.",
    )
