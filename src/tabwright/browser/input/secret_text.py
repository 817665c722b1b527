"""Types secrets into a field by calls to its own document, never as input events of the browser.

Chrome sends input events to whatever has the focus when it handles them. A frame of another site can take the
focus at any time, and a navigation replaces the checked page by another. A call to the checked document
cannot be redirected: it fails once that document is gone. The page gets the events of keys and typed text;
those of keys are not trusted ones.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import anyio

from tabwright.browser.find.actionability import Ready, Requirements
from tabwright.browser.find.locate import fault_error
from tabwright.browser.input.dispatch import require_ready
from tabwright.browser.input.keyboard import MAX_KEY_PRESSES
from tabwright.browser.input.keys import key_for
from tabwright.browser.page.dialogs import DialogOpened
from tabwright.browser.page.frame import DocumentGone
from tabwright.browser.page.isolated_world import WORLD
from tabwright.cdp import Params
from tabwright.errors import Blocked, Internal, PageFailed, Stale, TabwrightError

if TYPE_CHECKING:
    from tabwright.browser.element import Element


async def fill_secret(element: "Element", args: Params, timeout: float) -> Ready:
    """Set a field, or append to it; return the facts that `fill` needs, with the text typed.

    Raises:
        Denied: its document has another origin.
        InvalidArgs: it is not a text field.
        Blocked: the page is in the way.
        Stale: the page removed the field or navigated away.
    """
    field = await _SecretField.hold(element, "field", timeout)
    return replace(field.ready, facts=await field.fill(args))


async def type_secret(element: "Element", text: str, *, delay: float, timeout: float) -> None:
    """Type at the end of a field, character by character; the rest is withheld once anything is wrong.

    Raises: as `fill_secret`; the message says how much was typed.
    """
    field = await _SecretField.hold(element, "control", timeout)
    characters = text.replace("\r\n", "\n")
    steps = list(characters) if len(characters) <= MAX_KEY_PRESSES else [characters]
    for at, step in enumerate(steps):
        if at:
            await anyio.sleep(delay)
        try:
            await field.type(step)
        except TabwrightError as error:
            if isinstance(error, DialogOpened):
                error.hint += " The field may have one character more."
            if at:
                error.message = f"Stopped after {at} of {len(steps)} characters: {error.message}"
            raise


class _SecretField:
    """A field of a document that may have the secret."""

    def __init__(self, element: "Element", ready: Ready) -> None:
        self.ready = ready
        self._element = element
        self._tab = element.tab
        self._permissions = element.tab.call_permissions
        self._key = self._permissions.origin_guard.require_world(ready.frame, WORLD)

    @classmethod
    async def hold(
        cls, element: "Element", retarget: Literal["field", "control"], timeout: float
    ) -> "_SecretField":
        """Wait until the field is ready. Its document stores which one it is, and gets the secret later."""
        how = Requirements("visible", retarget=retarget, operation="holdForSecret")
        return cls(element, await element.ready(how, timeout))

    async def fill(self, args: Params) -> Params:
        """Set its text."""
        return await self._call("fillSecret", args)

    async def type(self, character: str) -> None:
        """Type a character into it. Enter and Tab, which type nothing there, are pressed."""
        key = key_for(character)
        given = key and {"key": key.key, "code": key.code, "keyCode": key.key_code, "shift": key.shifted}
        facts = await self._call("typeSecret", {"text": character, "key": given})
        if "press" in facts:
            await self._press(facts["press"])

    async def _press(self, name: str) -> None:
        frame = self.ready.frame
        await self._tab.keyboard.press(name, session=frame.session)
        try:
            arrived = await frame.call_in(self._key, "keyArrived")
        except (DocumentGone, DialogOpened):
            return
        if not arrived:
            raise Blocked(
                f"{name} did not reach {self._element.label}: something else had the focus.",
                hint="Check the page, then press it again.",
            )

    async def _call(self, function: str, step: Params) -> Params:
        """Do one step in the document, which first checks that everything is as it was."""
        await require_ready(self._tab)
        guard = self._permissions.origin_guard
        rules = {"origins": sorted(guard.origins or ()), "hidden": self._permissions.hidden_fields_only}
        stopped = self._tab.watchdog.stopped_scripts
        try:
            facts: Params = await self.ready.frame.call_in(self._key, function, step, rules)
        except DocumentGone as gone:
            raise Stale(
                "The page navigated away.", hint="Check that it is the right page, then try again."
            ) from gone
        except Internal as error:
            if self._tab.watchdog.stopped_scripts == stopped:
                raise
            raise PageFailed(
                "The input started a script that blocked the page and was stopped.",
                hint="The page may be in an unfinished state; take a snapshot to check.",
            ) from error
        if facts.get("fault") == "other_origin":
            raise guard.refusal(facts["origin"])
        if "fault" in facts:
            raise await fault_error(self._tab, self._element.target, facts)
        return facts
