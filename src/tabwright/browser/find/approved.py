"""What a person approves of a call: elements of one document, held by its scripts as they were shown.

The scripts compare them again when an element is used (`actionability`) and at each input event (`shield`).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabwright.browser.page.isolated_world import WORLD
from tabwright.cdp import Params
from tabwright.errors import Stale

if TYPE_CHECKING:
    from tabwright.browser.page.dialogs import Dialog
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.tab import Tab


def changed_since_approval(what: str, now: str = "") -> Stale:
    """Return the error for an approval that does not hold any more; `now` is what is there instead."""
    instead = f": input would reach {now} and was withheld" if now else ""
    return Stale(
        f"The {what} changed since approval{instead}.",
        hint="Take a snapshot, then call again, which asks again.",
    )


@dataclass(frozen=True, slots=True)
class Shown:
    """An element as it is shown to a person: its role and name, and facts about it."""

    label: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Document:
    """The document that a frame shows."""

    frame: "Frame"
    loader_id: str
    context: int
    url: str

    @property
    def same(self) -> bool:
        """Whether the frame still shows it, at the same URL."""
        frame = self.frame
        now = (frame.loader_id, frame.contexts.get(WORLD), frame.url)
        return now == (self.loader_id, self.context, self.url)


class Approved:
    """What one call may act on: the document, and the elements that were shown."""

    def __init__(self, tab: "Tab", number: int) -> None:
        self.tab = tab
        self.number = number
        # What the page offers as a tool, or the open dialog, where the call is about that.
        self.tool = ""
        self.dialog: Dialog | None = None
        self._documents: list[_Document] = []

    async def bind_document(self, frame: "Frame | None" = None) -> None:
        """Bind it to the document of a frame; by default, of the tab."""
        frame = frame or self.tab.main_frame
        context = await frame.world()
        self._documents.append(_Document(frame, frame.loader_id, context, frame.url))

    def require_unchanged(self) -> None:
        """Check that the page is still the one that was shown.

        Raises:
            Stale: it is not.
        """
        if not all(document.same for document in self._documents):
            raise changed_since_approval("page")
        if self.tab.dialogs.open is not self.dialog and self.dialog is not None:
            raise changed_since_approval("dialog")

    def release(self) -> None:
        """Forget what was shown: the call was refused, or is over."""
        self.tab.shield.release(self)

    def require_tool(self, described: str) -> None:
        """Check that a page tool is still the one that was shown.

        Raises:
            Stale: it is not.
        """
        if self.tool and described != self.tool:
            raise changed_since_approval("page tool")

    async def show_at(self, x: float, y: float) -> Shown:
        """Hold the element at a point of the viewport, in whatever frame it is."""
        frame = self.tab.main_frame
        x, y = await frame.call("fromInputPoint", x, y)
        while (answer := await frame.call("showAt", self.number, x, y)) is None:
            for child in tuple(frame.children):
                inside = await frame.call("intoFrame", await child.owner(), x, y)
                if inside is not None:
                    frame, (x, y) = child, inside
                    break
            else:
                raise changed_since_approval("page")
        return describe(frame, answer)

    async def show_focused(self) -> Shown:
        """Hold the element that has the focus, in whatever frame it is."""
        frame = self.tab.main_frame
        while (answer := await frame.call("showFocused", self.number)) is None:
            for child in tuple(frame.children):
                if await frame.call("isFocused", await child.owner()):
                    frame = child
                    break
            else:
                raise changed_since_approval("page")
        return describe(frame, answer)

    async def extend(self, frame: "Frame", ref: int) -> Shown | None:
        """Hold one more element: a field of a page tool, an option of a list, what a recipe names."""
        answer = await frame.call("extendApproval", self.number, ref)
        return answer and describe(frame, answer)


def describe(frame: "Frame", answer: Params) -> Shown:
    """Return how an element of a frame is shown."""
    facts = _facts(answer["facts"])
    if frame.parent is not None:
        facts.append(f"in a frame of {frame.url}")
    return Shown(str(answer["label"]), tuple(facts))


def _facts(facts: dict[str, Any]) -> "list[str]":
    lines = {"link": "leads to {}", "form": "sends the form: {}", "submits": "Enter presses {}"}
    return [text.format(facts[name]) for name, text in lines.items() if name in facts]
