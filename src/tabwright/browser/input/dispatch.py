"""Sends input events to Chrome and waits until the page has handled them."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tabwright.browser.page.dialogs import DialogOpened
from tabwright.browser.snapshot.observe import require_observing
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import Denied, NotFound, PageFailed

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

Answer = asyncio.Future[Params]


async def require_ready(tab: "Tab") -> None:
    """Refuse input that cannot arrive (the tab is closed, crashed, blocked by a dialog) or is not allowed.

    When this returns, an observation of the tab has started, so that it sees what the input changes.
    """
    await require_observing(tab)
    if tab.session.lost is not None:
        raise tab.session.lost
    tab.call_permissions.origin_guard.require()
    tab.require_responsive()


async def require_ready_for_text(tab: "Tab") -> None:
    """As `require_ready`, for input events that carry text: in a call that names a secret, there are none.

    Raises:
        Denied: the call names a secret.
    """
    if tab.call_permissions.secrets:
        raise Denied(
            "A secret is not sent to whatever has the focus, which may be a frame of another site.",
            hint="Name the field to type it into.",
        )
    await require_ready(tab)


async def await_dispatched(
    tab: "Tab",
    answers: Sequence[Answer],
    *,
    session: CdpSession | None = None,
    stopped: int | None = None,
) -> None:
    """Wait for the answers to input events that were just sent.

    An event that opens a dialog, closes the tab or leads to another document was handled, though Chrome
    answers it late or never. `session` is that of the frame that handles the events, if it is not the tab's;
    `stopped` is the number of scripts stopped before they were sent, if that was earlier.

    Raises:
        PageFailed: the input started an endless script, which was stopped.
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
            "The input started a script that blocked the page and was stopped.",
            hint="The page may be in an unfinished state; take a snapshot to check.",
        )
