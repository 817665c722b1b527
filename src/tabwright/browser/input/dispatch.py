"""Handing input events to Chrome and waiting until the page has taken them."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tabwright.browser.page.dialogs import DialogOpened
from tabwright.browser.snapshot.observe import require_observing
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import NotFound, PageFailed

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

Answer = asyncio.Future[Params]


async def require_ready(tab: "Tab") -> None:
    """Refuse input that could not arrive (the tab is closed, crashed, held by a dialog), or may not.

    Once this returns, the page observes what the input changes, if anything is to be observed.
    """
    await require_observing(tab)
    if tab.session.lost is not None:
        raise tab.session.lost
    tab.call_permissions.origin_guard.require()
    tab.require_responsive()


async def await_dispatched(
    tab: "Tab",
    answers: Sequence[Answer],
    *,
    session: CdpSession | None = None,
    stopped: int | None = None,
) -> None:
    """Wait for the answers to input events that were just started.

    An event whose own effect is a dialog, a closed tab or another document was delivered, though Chrome
    answers it late or never. `session` is that of the frame that handles it, when it is not the page's own;
    `stopped` the number of scripts stopped before, when it was not now that the events were started.

    Raises:
        PageFailed: the page answered the input with a script without end, which was stopped.
    """
    before = tab.watchdog.stopped_scripts if stopped is None else stopped
    try:
        with tab.watchdog.watch(session or tab.session):
            for answer in answers:
                await answer
    except DialogOpened:
        return
    except NotFound:
        if not tab.closed.is_set():
            raise
    except CdpError:
        if not tab.navigation.under_way and not tab.closed.is_set():
            raise
    if tab.watchdog.stopped_scripts > before:
        raise PageFailed(
            "The input started a script that held the page and was stopped.",
            hint="The page may be left half way; take a snapshot to see.",
        )
