"""Observes a tab during an action: waits until the page settles, within bounds, and reports what changed.

How a report reads is up to `effects_report`; what a document notices of its changes, to effects.js.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import anyio

from tabwright.browser.page.click_listeners import ClickListeners
from tabwright.browser.page.console import Message
from tabwright.browser.page.dialogs import DialogOpened
from tabwright.browser.page.element_internals import ElementInternals
from tabwright.browser.page.frame import DocumentGone, Frame
from tabwright.browser.snapshot.changes import Change
from tabwright.browser.snapshot.effects_report import Effects, add_report
from tabwright.browser.snapshot.identity import read_identity
from tabwright.cdp import CdpError, Params
from tabwright.errors import Denied, Internal, NotFound, PageFailed, Stale, TabwrightError, TimedOut
from tabwright.text import format_count, quote

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

T = TypeVar("T")

_MAX_FRAMES = 5


class Pace(NamedTuple):
    """How long a page may take to settle."""

    # Milliseconds: the page is quiet after `quiet` without a change; it has `first` to begin, `most` in all.
    quiet: int
    first: int
    most: int
    # Milliseconds it has to begin if it is sure that nothing is under way. Short answers of the browser, such
    # as that of the clipboard, take less.
    least: int
    # Seconds: for requests that the action started, and for everything.
    requests: float
    total: float
    # Wait for quiet once more at the end, for the document that is read next.
    quiet_at_end: bool = False

    @property
    def in_page(self) -> Params:
        """What the scripts of the page need of it."""
        return {"quiet": self.quiet, "first": self.first, "most": self.most, "least": self.least}


_BRISK = Pace(quiet=30, first=120, most=500, least=40, requests=2.0, total=5.0)
# For actions whose result is read off the page right away.
THOROUGH = Pace(quiet=40, first=150, most=1_000, least=50, requests=3.0, total=8.0, quiet_at_end=True)


class Since(NamedTuple):
    """How many documents, requests and streams a tab has had when an action starts."""

    commits: int
    requests: int
    streams: int

    @classmethod
    def now(cls, tab: "Tab") -> "Since":
        """Count them now."""
        return cls(tab.navigation.commits, tab.traffic.started, tab.traffic.streamed)

    def is_local(self, tab: "Tab") -> bool:
        """Whether nothing outside the scripts of the page's frames can have been asked since then."""
        return self == Since.now(tab) and not tab.navigation.under_way and not tab.workers


class Settled(NamedTuple):
    """How settling ended."""

    # Why the page was not waited for any longer; "" when it has settled.
    unfinished: str = ""
    # Why the document that was waited for could not be shown.
    failure: str = ""
    # Whether a document was waited for after the page was quiet.
    loaded: bool = False


async def settle(
    tab: "Tab", since: Since, pace: Pace, until_quiet: Callable[[], Awaitable[None]] | None = None
) -> Settled:
    """Wait for what an action started: changes, a navigation, requests; never longer than the pace allows.

    `until_quiet` waits for changes, in the main frame unless given.
    """
    wait = until_quiet or (lambda: _until_main_frame_is_quiet(tab, pace))
    settled = Settled()
    with anyio.move_on_after(pace.total) as limit:
        await wait()
        settled = await _follow(tab, since, pace, wait)
        if pace.quiet_at_end:
            await wait()
    if limit.cancelled_caught and not settled.loaded:
        missing = tab.navigation.describe_missing()
        return Settled(f"still loading {missing}" if missing else "still loading")
    return settled


async def _follow(
    tab: "Tab", since: Since, pace: Pace, until_quiet: Callable[[], Awaitable[None]]
) -> Settled:
    """Wait for the navigation or the requests that an action started."""
    if tab.navigation.under_way or tab.navigation.commits > since.commits:
        return await _load(tab)
    if tab.traffic.started == since.requests:
        return Settled()
    unfinished = ""
    with anyio.move_on_after(pace.requests) as limit:
        await tab.traffic.wait_for_end(since.requests)
    if limit.cancelled_caught:
        unfinished = f"{format_count(len(tab.traffic.in_flight), 'request')} under way"
    if not pace.quiet_at_end:
        await until_quiet()
        if tab.navigation.under_way:
            return (await _load(tab))._replace(unfinished=unfinished)
    return Settled(unfinished)


async def _load(tab: "Tab") -> Settled:
    try:
        loaded = await tab.navigation.wait(timeout=60.0)  # the pace allows less
    except (Denied, PageFailed, TimedOut) as failure:
        tab.require_responsive()
        return Settled(failure=failure.message, loaded=True)
    missing = loaded.still_loading
    return Settled(f"still loading {missing}" if missing else "", loaded=True)


async def _until_main_frame_is_quiet(tab: "Tab", pace: Pace) -> None:
    if tab.dialogs.open is None and not tab.closed.is_set():
        with suppress(Stale):
            await tab.main_frame.call("waitUntilQuiet", pace.in_page, hang_timeout=pace.total)


async def observe(
    tab: "Tab", action: Callable[[], Awaitable[T]], *, patience: float = _BRISK.total
) -> tuple[T, Effects]:
    """Perform `action`, let the page settle for at most `patience` seconds; return its result and effects.

    An action that fails raises as it would without observation. What a dialog holds up is reported with the
    answer to the dialog.
    """
    current = tab.component(_Current)
    around, observation = current.observation, _Observation(tab)
    await observation.start()
    current.observation = observation
    try:
        result = await action()
        return result, await observation.finish(_BRISK._replace(total=patience))
    finally:
        current.observation = around
        current.held_up = observation.watched if tab.dialogs.open else None


async def require_observing(tab: "Tab") -> None:
    """Wait until the observation under way, if any, has started in the page: before input is sent to it."""
    if (observation := tab.component(_Current).observation) is not None:
        await observation.started()


async def observe_anew(tab: "Tab") -> None:
    """Observe the document shown now, from now on, for the report of the action under way.

    An action of several steps may reach its last page well before its end.
    """
    try:
        await _start_in_main_frame(tab)
    except (DialogOpened, PageFailed, Stale):
        return
    tab.observed_document = tab.main_frame.loader_id


async def _start_in_main_frame(tab: "Tab") -> str:
    """Observe the main frame, walked before so that new elements differ from old ones; return its title."""
    started = await tab.main_frame.call("startObserving")
    if not started["walked"]:
        await tab.snapshot(whole=True)
        started = await tab.main_frame.call("startObserving")
    return str(started["title"])


@dataclass(slots=True)
class _Watched:
    """The frames that are observed for an action, and since when."""

    since: Since
    title: str = ""
    frames: list[Frame] = field(default_factory=list)


class _Current:
    """The observation of a tab that is under way, and what the page still observes while a dialog is open."""

    def __init__(self, tab: "Tab") -> None:
        self.observation: _Observation | None = None
        self.held_up: _Watched | None = None


class _Observation:
    """One observed action: the state before it, and the way to the state after."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._url = tab.url
        tab.observed_document = ""
        self.watched = _Watched(Since.now(tab))
        # Calls sent ahead of the action, and not yet answered.
        self._starting: list[tuple[Frame, asyncio.Future[Params]]] = []
        self._report: Params | None = None
        self._tabs = frozenset(tab.context.tabs)
        self._windows = tab.windows.count
        tab.context.new_tabs.start_action()
        self._downloads = len(tab.context.downloads)
        self._messages = tab.console.count
        self._stopped = tab.watchdog.stopped_scripts
        self._dialog = tab.dialogs.open
        self._effects = Effects()

    async def start(self) -> None:
        """Observe the main frame and the first few others; a page that cannot answer is not observed.

        If the page was walked before, the calls are sent and not waited for: Chrome handles the calls of a
        session in order, so they run before any call of the action. Input events take another path, so they
        wait for `started`.
        """
        if self._dialog is not None:
            self._continue(self._tab.component(_Current).held_up)
            return
        frames = list(self._tab.frames)[:_MAX_FRAMES]
        if self._tab.main_frame.walked and all(frame.known_world() is not None for frame in frames):
            calls = [(frame, frame.start("startObserving")) for frame in frames]
            self._starting = [(frame, call) for frame, call in calls if call is not None]
        else:
            await self._start_now()

    def _continue(self, held_up: _Watched | None) -> None:
        """Continue the observation that the open dialog holds up, in the same document only."""
        if held_up is not None and held_up.since.commits == self.watched.since.commits:
            self.watched = held_up

    async def _start_now(self) -> None:
        try:
            self.watched.title = await _start_in_main_frame(self._tab)
            self.watched.frames.append(self._tab.main_frame)
            for frame in list(self._tab.frames)[1:_MAX_FRAMES]:
                # A frame that is on its way to another document cannot be observed.
                with suppress(DocumentGone, CdpError, TabwrightError):
                    await frame.call_here("startObserving")
                    self.watched.frames.append(frame)
        except (DialogOpened, PageFailed, Stale):
            return

    async def started(self) -> None:
        """Wait until the frames are observed; where that failed, start again: nothing has happened yet."""
        if self._starting and not await self._collect():
            await self._start_now()

    async def _collect(self) -> bool:
        """Take the answers to the calls sent ahead; return False if the main frame may be asked again."""
        (main, first), *others = self._starting
        self._starting = []
        try:
            answer = await main.finish(first)
        except (DialogOpened, PageFailed, Stale):
            return True
        except (DocumentGone, CdpError, Internal):
            return False
        if not answer["walked"]:
            return False
        self.watched.title = answer["title"]
        self.watched.frames.append(main)
        for frame, call in others:
            with suppress(DocumentGone, CdpError, TabwrightError):
                await frame.finish(call)
                self.watched.frames.append(frame)
        return True

    async def finish(self, pace: Pace) -> Effects:
        """Let the page settle, then report what changed."""
        effects = self._effects
        try:
            if self._starting:
                await self._collect()
            settled = await settle(self._tab, self.watched.since, pace, lambda: self._until_quiet(pace))
            effects.unfinished, effects.crashed = settled.unfinished, settled.failure
            if settled.loaded or settled.unfinished:
                self._report = None  # the page may have changed since
            await self._describe_page()
        except DialogOpened:
            pass  # reported below
        except PageFailed as failure:
            effects.crashed = failure.message
        except NotFound:
            effects.closed = self._tab.closed.is_set()
        await self._describe_opened()
        self._describe_surroundings()
        return effects

    async def _until_quiet(self, pace: Pace) -> None:
        """Wait until no observed frame changes, or the main one where none is observed.

        A frame that navigates away or vanishes is not waited for.
        """
        self._report = None
        frames = self.watched.frames or [self._tab.main_frame]
        all_observed = len(self.watched.frames) == len(list(self._tab.frames))
        how = {**pace.in_page, "sure": all_observed and self.watched.since.is_local(self._tab)}

        async def until_quiet(frame: Frame) -> None:
            with suppress(DocumentGone, CdpError, TabwrightError):
                if self._may_report_at_once():
                    report = self._tab.refs.call_here(frame, "settleAndReport", how)
                    self._report = await report
                else:
                    await frame.call_here("settle", how)

        if len(frames) == 1:
            await until_quiet(frames[0])
        else:
            async with anyio.create_task_group() as group:
                for frame in frames:
                    group.start_soon(until_quiet, frame)
        self._tab.require_responsive()

    def _may_report_at_once(self) -> bool:
        """Whether the report may come with the answer that the page is quiet, which saves a round trip.

        Not with several frames: a report numbers elements, and only one frame at a time may. Not either when
        it is known that there is more to wait for.
        """
        tab, since = self._tab, self.watched.since
        return (
            self.watched.frames == [tab.main_frame]
            and not tab.component(ElementInternals).are_used(tab.main_frame)
            and not tab.navigation.under_way
            and tab.navigation.commits == since.commits
            and all(request.number <= since.requests for request in tab.traffic.in_flight.values())
        )

    async def _describe_page(self) -> None:
        tab, watched = self._tab, self.watched
        if tab.navigation.commits > watched.since.commits:
            status, reason = tab.navigation.status
            shown = f" ({status} {reason})".rstrip() if status else ""
            title, identity = await read_identity(tab)
            about = f". {identity}" if identity else ""
            self._effects.navigated = f"{tab.url}{f' {quote(title)}' if title else ''}{shown}{about}"
            if tab.observed_document == tab.main_frame.loader_id:
                await self._describe_frame(tab.main_frame)
            return
        self._effects.unobserved = tab.main_frame not in watched.frames
        if self._report is not None:
            frame = watched.frames.pop()
            report = await self._with_new_listeners(frame, self._report)
            frame.start("stopObserving")
            self._add_report(frame, report)
        while watched.frames:  # a report is made once, even if a dialog keeps it from us
            await self._describe_frame(watched.frames.pop(0))

    async def _with_new_listeners(self, frame: Frame, report: Params) -> Params:
        """Report again if what appeared listens to clicks, which the markup need not show."""
        appeared = report["hasNewElements"] or any(part["kind"] == "added" for part in report["parts"])
        if not appeared or not await self._find_listeners(frame):
            return report
        with suppress(DocumentGone, CdpError, Stale):
            return await self._tab.refs.call_here(frame, "reportAgain") or report
        return report

    async def _find_listeners(self, frame: Frame) -> bool:
        """Return whether there are new listeners; none are found in a frame that is gone."""
        with suppress(DialogOpened, Stale):
            return await self._tab.component(ClickListeners).update(frame)
        return False

    async def _describe_frame(self, frame: Frame) -> None:
        await self._find_listeners(frame)
        try:
            await self._tab.component(ElementInternals).refresh(frame)
            report = await self._tab.refs.call_here(frame, "reportEffects")
        except (DocumentGone, CdpError, Stale):
            return
        if report is None:
            self._effects.changes.append(Change("~", f"frame {frame.key} now shows {frame.url}"))
        else:
            self._add_report(frame, report)

    def _add_report(self, frame: Frame, report: dict[str, Any]) -> None:
        if frame is self._tab.main_frame and report["title"] != self.watched.title:
            self._effects.title = report["title"]
        add_report(self._effects, frame, report)

    async def _describe_opened(self) -> None:
        context = self._tab.context
        if self._tab.windows.count > self._windows and context.tabs.keys() <= self._tabs:
            await context.new_tabs.wait_for_announced(self._tabs)
        opened = [other for tab_id, other in context.tabs.items() if tab_id not in self._tabs]
        context.new_tabs.mark_reported(opened)
        if self._tab.dialogs.open is None:  # which may hold up what the page opened
            await context.new_tabs.wait_for_documents(opened)
        self._effects.closed_windows = context.new_tabs.describe_closed(others=bool(opened))
        self._effects.tabs = [f"{other.id} {other.url}".strip() for other in opened]

    def _describe_surroundings(self) -> None:
        tab, effects = self._tab, self._effects
        effects.stopped = tab.watchdog.stopped_scripts > self._stopped
        if tab.dialogs.open is not None and tab.dialogs.open is not self._dialog:
            effects.dialog = tab.dialogs.open
        if tab.url != self._url and not effects.navigated:
            effects.url = tab.url
        effects.downloads = [
            f"{found.id} {quote(found.name)} {found.state}"
            for found in list(tab.context.downloads)[self._downloads :]
        ]
        effects.errors = [
            str(message)
            for message in tab.console.errors(since=self._messages)
            if not self._is_redundant(message)
        ]

    def _is_redundant(self, message: Message) -> bool:
        """Whether an error only repeats the status of the page, or is about its icon."""
        of_page = message.url in (self._tab.url, f"{self._tab.url}/") or message.url.endswith("/favicon.ico")
        return of_page and message.text.startswith("Failed to load resource")
