"""What an act did: settle after it, bounded and for a stated reason, and say what changed in a few lines."""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import anyio

from tabwright.browser.page.console import Message
from tabwright.browser.page.dialogs import DialogOpened
from tabwright.browser.page.frame import DocumentGone, Frame
from tabwright.browser.snapshot.effects_report import Change, Effects
from tabwright.browser.snapshot.nodes import Node, build
from tabwright.browser.snapshot.text import Outline
from tabwright.cdp import CdpError
from tabwright.errors import Denied, NotFound, PageFailed, Stale, TabwrightError, TimedOut
from tabwright.text import format_count, quote

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

T = TypeVar("T")

# In the page: quiet for 30 ms means done; when nothing stirs at all, 120 ms are given to a slow starter.
_PACE = {"quiet": 30, "first": 120, "most": 500}
_MOST_FRAMES = 5
_REQUESTS_PATIENCE = 2.0
_MOST_CHOSEN = 5


async def observe(tab: "Tab", act: Callable[[], Awaitable[T]], *, patience: float = 5.0) -> tuple[T, Effects]:
    """Perform `act`, let the page settle for at most `patience` seconds; return its result and effects.

    An act that fails raises as it would without observation. What a dialog holds up is told with its answer.
    """
    observation = _Observation(tab)
    await observation.begin()
    try:
        result = await act()
        return result, await observation.end(patience)
    finally:
        tab.component(_Held).watched = observation.watched if tab.dialogs.open else None


@dataclass(slots=True)
class _Watched:
    """What is watched for an act, and since when."""

    commits: int
    requests: int
    title: str = ""
    frames: list[Frame] = field(default_factory=list)


class _Held:
    """What the page goes on watching for the latest act of a tab, while a dialog holds that up."""

    def __init__(self, tab: "Tab") -> None:
        self.watched: _Watched | None = None


async def observe_anew(tab: "Tab") -> None:
    """Have the report of the act under way tell what changes in the document shown now, from here on.

    An act of several steps may come to its last page well before its end.
    """
    try:
        await _watch(tab)
    except (DialogOpened, PageFailed, Stale):
        return
    tab.observed = tab.main_frame.loader_id


async def _watch(tab: "Tab") -> str:
    """Watch the main frame, walked before so that new can be told from old; return its title."""
    about = await tab.main_frame.call("observe")
    if not about["walked"]:
        await tab.snapshot(whole=True)
        about = await tab.main_frame.call("observe")
    return str(about["title"])


class _Observation:
    """One act being watched: the state before, and the way to the state after."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._url = tab.url
        tab.observed = ""
        self.watched = _Watched(tab.navigation.commits, tab.traffic.begun)
        self._tabs = frozenset(tab.context.tabs)
        tab.context.arrivals.act()
        self._downloads = len(tab.context.downloads)
        self._messages = tab.console.count
        self._stopped = tab.watch.stopped
        self._dialog = tab.dialogs.open
        self._effects = Effects()

    async def begin(self) -> None:
        """Watch the main frame and the first few others; a page that cannot answer is not watched."""
        if self._dialog is not None:
            self._go_on(self._tab.component(_Held).watched)
            return
        try:
            self.watched.title = await _watch(self._tab)
            self.watched.frames.append(self._tab.main_frame)
            for frame in list(self._tab.frames)[1:_MOST_FRAMES]:
                await self._begin_in(frame)
        except (DialogOpened, PageFailed, Stale):
            return

    def _go_on(self, held: _Watched | None) -> None:
        """Go on with what is watched for the act that the open dialog holds up, in the same document only."""
        if held is not None and held.commits == self.watched.commits:
            self.watched = held

    async def _begin_in(self, frame: Frame) -> None:
        try:
            await frame.call_here("observe")
            self.watched.frames.append(frame)
        except (DocumentGone, CdpError, TabwrightError):
            return  # a frame that is on its way to another document has nothing to be watched

    async def end(self, patience: float) -> Effects:
        effects = self._effects
        try:
            with anyio.move_on_after(patience) as limit:
                await self._settle()
            if limit.cancelled_caught:
                effects.settled = "still loading"
            await self._describe_page()
        except DialogOpened:
            pass  # the dialog is told below
        except PageFailed as failure:
            effects.crashed = failure.message
        except NotFound:
            effects.closed = self._tab.closed.is_set()
        await self._describe_opened()
        self._describe_surroundings()
        return effects

    async def _settle(self) -> None:
        """Wait for what the act started: changes, a navigation, requests; then for quiet."""
        await self._quiet()
        if self._tab.navigation.under_way or self._tab.navigation.commits > self.watched.commits:
            await self._arrived()
        elif self._tab.traffic.begun > self.watched.requests:
            with anyio.move_on_after(_REQUESTS_PATIENCE) as limit:
                await self._tab.traffic.finished(self.watched.requests)
            if limit.cancelled_caught:
                waiting = format_count(len(self._tab.traffic.under_way), "request")
                self._effects.settled = f"{waiting} under way"
            await self._quiet()
            if self._tab.navigation.under_way:
                await self._arrived()

    async def _quiet(self) -> None:
        """Wait until no watched frame stirs, or the main one where none is watched.

        One that navigates away or vanishes is none of them any more.
        """

        async def quiet(frame: Frame) -> None:
            try:
                await frame.call_here("settled", _PACE)
            except (DocumentGone, CdpError, TabwrightError):
                return

        async with anyio.create_task_group() as group:
            for frame in self.watched.frames or (self._tab.main_frame,):
                group.start_soon(quiet, frame)
        self._tab.require_answering()

    async def _arrived(self) -> None:
        try:
            await self._tab.navigation.wait("load", timeout=60.0)  # the caller's patience ends it first
        except (Denied, PageFailed, TimedOut) as failure:
            self._tab.require_answering()
            self._effects.crashed = failure.message

    async def _describe_page(self) -> None:
        if self._tab.navigation.commits > self.watched.commits:
            status, words = self._tab.navigation.status
            shown = f" ({status} {words})".rstrip() if status else ""
            title = await self._tab.title()
            self._effects.navigated = f"{self._tab.url}{f' {quote(title)}' if title else ''}{shown}"
            if self._tab.observed == self._tab.main_frame.loader_id:
                await self._describe_frame(self._tab.main_frame)
            return
        self._effects.unwatched = self._tab.main_frame not in self.watched.frames
        while self.watched.frames:  # a report is made once, even if a dialog keeps it from us
            await self._describe_frame(self.watched.frames.pop(0))

    async def _describe_frame(self, frame: Frame) -> None:
        try:
            report = await self._tab.refs.call_here(frame, "effects")
        except (DocumentGone, CdpError, Stale):
            return
        if report is None:
            self._effects.changes.append(Change("~", f"frame {frame.key} now shows {frame.url}"))
            return
        if frame is self._tab.main_frame and report["title"] != self.watched.title:
            self._effects.title = report["title"]
        self._effects.more += report["more"]
        self._effects.changes += self._changes(frame, report)
        if report["focus"] and (nodes := self._nodes(frame, report["focus"])):
            self._effects.focus = self._outline(frame, nodes).describe(nodes[0], brief=True)

    def _changes(self, frame: Frame, report: dict[str, Any]) -> Iterable[Change]:
        for part in report["parts"]:
            nodes = self._nodes(frame, part["rows"])
            yield from self._part(frame, part["kind"], nodes, report["mark"])
        for number in report["gone"]:
            if label := self._tab.refs.label(number):
                yield Change("-", f"@e{number}: {label}")

    def _part(self, frame: Frame, kind: str, nodes: tuple[Node, ...], mark: int) -> Iterator[Change]:
        """Say what one touched element became: whole when new, else only what is new or itself changed."""
        nodes = tuple(map(_closed, nodes))
        if kind == "value" and nodes and nodes[0].role == "listbox":
            yield from self._choice(frame, nodes[0])
            return
        lines = list(self._outline(frame, nodes).compact())
        if kind == "added":
            yield from (Change("+", line.text) for line in lines)
            return
        fresh = [node for top in nodes for node in top.walk() if node.number >= mark]
        outline = self._outline(frame, nodes)
        yield from (Change("+", outline.describe(node, brief=True)) for node in fresh)
        old = [node for node in nodes if node not in fresh]
        if old and (kind in ("text", "value") or len(lines) <= 3):
            # A role alone says nothing of what changed inside it.
            telling = [line for line in lines if not line.text.isalpha()] or lines
            yield from (Change("~", line.text) for line in telling[:2])

    def _choice(self, frame: Frame, listbox: Node) -> Iterator[Change]:
        """Say what is selected in an open list now, which is all that its value is."""
        chosen = [node for node in listbox.walk() if node.role == "option" and "selected" in node.states]
        outline = self._outline(frame, (listbox,))
        for node in (listbox, *chosen[:_MOST_CHOSEN]):
            yield Change("~", outline.describe(node, brief=True))
        self._effects.more += len(chosen[_MOST_CHOSEN:])

    def _nodes(self, frame: Frame, answer: str) -> tuple[Node, ...]:
        nodes = build(answer.partition("\n")[2], {})
        self._tab.refs.record(frame, nodes)
        return nodes

    def _outline(self, frame: Frame, nodes: tuple[Node, ...]) -> Outline:
        parts = urlsplit(frame.url)
        return Outline(nodes, origin=f"{parts.scheme}://{parts.netloc}" if parts.netloc else "")

    async def _describe_opened(self) -> None:
        context = self._tab.context
        opened = [other for tab_id, other in context.tabs.items() if tab_id not in self._tabs]
        context.arrivals.report(opened)
        if self._tab.dialogs.open is None:  # which may hold up what the page opened
            await context.arrivals.shown(opened)
        self._effects.tabs = [f"{other.id} {other.url}".strip() for other in opened]

    def _describe_surroundings(self) -> None:
        tab, effects = self._tab, self._effects
        effects.stopped = tab.watch.stopped > self._stopped
        if tab.dialogs.open is not None and tab.dialogs.open is not self._dialog:
            effects.dialog = tab.dialogs.open
        if tab.url != self._url and not effects.navigated:
            effects.url = tab.url
        effects.downloads = [
            f"{found.id} {quote(found.name)} {found.state}"
            for found in list(tab.context.downloads)[self._downloads :]
        ]
        effects.errors = [
            str(message) for message in tab.console.errors(since=self._messages) if not self._told(message)
        ]

    def _told(self, message: Message) -> bool:
        """Whether an error says no more than the status of the page does, or is about its icon only."""
        of_page = message.url in (self._tab.url, f"{self._tab.url}/") or message.url.endswith("/favicon.ico")
        return of_page and message.text.startswith("Failed to load resource")


def _closed(node: Node) -> Node:
    """Leave out the options of a closed list: they are not on the page."""
    return node._replace(children=()) if node.role == "combobox" and _only_options(node) else node


def _only_options(node: Node) -> bool:
    return all(child.role == "option" for child in node.children)
