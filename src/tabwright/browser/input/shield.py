"""Keeps the input of a call that a person approved to what they approved, in all frames of the tab.

shield.js judges every trusted event where it arrives: between aiming and the event, the page may move or
replace anything, also from a frame of another site.
"""

import asyncio
import itertools
import json
import logging
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING

import anyio

from tabwright.browser.call_permissions import current_permissions
from tabwright.browser.find.approved import Approved, changed_since_approval
from tabwright.browser.page.frame import DocumentGone
from tabwright.browser.page.isolated_world import WORLD, script
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.errors import Stale, TabwrightError

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.tab import Tab

log = logging.getLogger(__name__)

_BINDING = "__tabwrightInput"
# Seconds for the frames to report what became of the last events.
_FINISH_TIMEOUT = 2.0


class InputShield:
    """The shield of a tab: it exists in every document, and is armed while an approved call runs."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._numbers = itertools.count(1)
        self._armed = 0
        # What arms new documents, by session.
        self._scripts: dict[CdpSession, asyncio.Future[Params]] = {}
        # What the input of the running call met: "" for what was approved.
        self._met: list[str] = []

    def attach(self, session: CdpSession) -> None:
        """Create our world in every document of a session, with the shield as its first script."""
        session.on("Runtime.bindingCalled", self._on_binding)
        session.post(
            "Page.addScriptToEvaluateOnNewDocument",
            source=script("standalone/shield.js"),
            worldName=WORLD,
            runImmediately=True,
        )
        if self._armed:
            self._arm_new_documents(session)

    @property
    def approved(self) -> Approved | None:
        """What a person approved for the running call, if it needs that."""
        permissions = current_permissions()
        approved = permissions.approved if permissions is not None else None
        return approved if approved is not None and approved.tab is self._tab else None

    def new_approval(self) -> Approved:
        """Return an approval that holds nothing yet."""
        return Approved(self._tab, next(self._numbers))

    def release(self, approved: Approved) -> None:
        """Forget an approval that was not given, or was used."""
        for frame in self._tab.frames:
            self._post(frame, f"globalThis.tabwrightShield?.disarm({approved.number})")

    @asynccontextmanager
    async def guard(self, approved: Approved) -> AsyncIterator[None]:
        """Keep input to what was approved, while the block runs.

        Raises:
            Stale: it has changed since; input for anything else was withheld.
        """
        approved.require_unchanged()
        if approved.dialog is not None:  # the page gets no input, and answers nothing
            yield
            return
        self._met = []
        try:
            await self._arm(approved.number)
            approved.require_unchanged()
            yield
        except TabwrightError as error:
            if other := await self._collect():
                raise changed_since_approval("target", other) from error
            raise
        else:
            if other := await self._collect():
                raise changed_since_approval("target", other)
        finally:
            self._armed = 0
            for session, added in self._scripts.items():
                added.add_done_callback(partial(_remove_script, session))
            self._scripts = {}
            self.release(approved)

    async def _arm(self, number: int) -> None:
        """Arm the documents that exist, and those to come before them."""
        self._tab.require_responsive()
        self._armed = number
        for session in {frame.session for frame in self._tab.frames}:
            self._arm_new_documents(session)
        for added in tuple(self._scripts.values()):
            with suppress(CdpError, Stale):  # the frame is gone
                await added
        await self._evaluate(f"{script('standalone/shield.js')}\n{self._arming}")

    def _arm_new_documents(self, session: CdpSession) -> None:
        session.post("Runtime.addBinding", name=_BINDING, executionContextName=WORLD)
        added = session.start("Page.addScriptToEvaluateOnNewDocument", source=self._arming, worldName=WORLD)
        added.add_done_callback(_ignore_failure)
        self._scripts[session] = added

    @property
    def _arming(self) -> str:
        return f"tabwrightShield.arm({self._armed});"

    async def _collect(self) -> str:
        """Return what the input would have met instead of what was approved; "" for nothing."""
        with suppress(TabwrightError), anyio.move_on_after(_FINISH_TIMEOUT):
            await self._evaluate("0")  # its answers come after all reports
        return next(filter(None, self._met), "")

    async def _evaluate(self, expression: str) -> None:
        """Evaluate an expression in our world of all frames; those that are going away are left out.

        Raises:
            TabwrightError: a page or frame cannot answer.
        """
        failures: list[TabwrightError] = []

        async def evaluate(frame: "Frame") -> None:
            try:
                await frame.ask("Runtime.evaluate", expression=expression, contextId=await frame.world())
            except (CdpError, DocumentGone, Stale) as gone:
                log.debug("a frame is going away: %s", gone)
            except TabwrightError as failure:
                failures.append(failure)

        async with anyio.create_task_group() as group:
            for frame in self._tab.frames:
                group.start_soon(evaluate, frame)
        if failures:
            raise failures[0]

    def _on_binding(self, event: Params) -> None:
        if event["name"] == _BINDING:
            number, other = json.loads(event["payload"])
            if number == self._armed:
                self._met.append(str(other))

    def _post(self, frame: "Frame", expression: str) -> None:
        if (context := frame.contexts.get(WORLD)) is not None and frame.session.lost is None:
            frame.session.post("Runtime.evaluate", expression=expression, contextId=context)


def guard_input(tab: "Tab | None", approved: Approved | None) -> AbstractAsyncContextManager[None]:
    """Keep the input of a call to what was approved, if it needed approval for something in a tab.

    Raises:
        Stale: it was approved for another tab.
    """
    if approved is None:
        return nullcontext()
    if tab is not approved.tab:
        raise changed_since_approval("tab")
    if tab.declared is not None:  # it gets no input from us; the approval is for its tool
        return nullcontext()
    return tab.shield.guard(approved)


def _ignore_failure(added: "asyncio.Future[Params]") -> None:
    if not added.cancelled():
        added.exception()


def _remove_script(session: CdpSession, added: "asyncio.Future[Params]") -> None:
    if not added.cancelled() and added.exception() is None and session.lost is None:
        identifier = added.result()["identifier"]
        session.post("Page.removeScriptToEvaluateOnNewDocument", identifier=identifier)
