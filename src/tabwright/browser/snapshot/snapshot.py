"""Snapshots: what is visible on a page, as a tree and as text, with refs to act on.

snapshot.js reads one frame per call; this module combines the frames.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
import orjson

from tabwright.browser.page.click_listeners import ClickListeners
from tabwright.browser.page.closed_shadow_roots import register_closed_roots
from tabwright.browser.page.element_internals import ElementInternals
from tabwright.browser.page.frame import DocumentGone
from tabwright.browser.page.isolated_world import reading_source
from tabwright.browser.snapshot.identity import describe_identity
from tabwright.browser.snapshot.nodes import TEXT, FrameNodes, Node, Reading, read
from tabwright.browser.snapshot.text import LineCache, Outline
from tabwright.cdp import CdpError
from tabwright.errors import Stale, TabwrightError
from tabwright.text import format_count

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.tab import Tab

_MAX_NODES = 100_000
# For answers that show the beginning of a page; elements without a row take time too.
_MAX_NODES_AT_START = 10_000
_MAX_VISITED_AT_START = 30_000
_MAX_FRAMES = 150
# Seconds. A frame stops reading well before the page counts as hung; all frames together get a little more.
_FRAME_TIMEOUT = 4.0
_TOTAL_TIMEOUT = 5.0
_CALL_TIMEOUT = 8.0
_MAX_SHADOW_ROUNDS = 4
_FRAME_ELEMENT = re.compile(r"\t(?:iframe|object|embed)\t\d")


@dataclass(slots=True)
class LeftOut:
    """Counts of what the snapshot does not show; hidden text is never quoted."""

    hidden_texts: int = 0
    hidden_characters: int = 0
    stripped_characters: int = 0
    unseen_controls: int = 0
    frames: int = 0
    truncated: bool = False
    deep: bool = False

    def __str__(self) -> str:
        return "; ".join(self._counts())

    def _counts(self) -> Iterable[str]:
        if self.hidden_texts:
            size = format_count(self.hidden_characters, "character")
            yield f"{format_count(self.hidden_texts, 'hidden text')} ({size})"
        if self.stripped_characters:
            yield format_count(self.stripped_characters, "invisible character")
        if self.unseen_controls:
            yield f"{format_count(self.unseen_controls, 'control')} out of sight"
        if self.frames:
            yield format_count(self.frames, "frame")
        if self.truncated:
            yield "the rest of the page, which is too large"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A page as a tree of nodes. `str()` is the text that an agent reads."""

    url: str
    """The URL of the page."""
    title: str
    """The title of the page."""
    nodes: tuple[Node, ...]
    """The nodes at the top of the tree."""
    left_out: LeftOut
    """Counts of what the snapshot does not show, such as hidden text."""
    identity: str = ""
    """A sentence about a page that is not an ordinary one, such as a login form."""
    around_article: str = ""
    """What is on the page besides the article, if only that was read."""
    readings: dict[str, Reading] = field(default_factory=dict, compare=False, repr=False)
    """Internal: what each frame returned, by frame id, so that an unchanged page is not parsed again."""
    unread: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
    """Internal: the frames that were not read whole, by id, and the number of the element to read on from."""
    line_cache: LineCache = field(default_factory=LineCache, compare=False, repr=False)
    """Internal: rendered lines, passed from one snapshot of a page to the next."""
    _texts: dict[tuple[bool, bool, int | None], str] = field(default_factory=dict, compare=False, repr=False)

    def __str__(self) -> str:
        return self.render()

    def walk(self) -> Iterable[Node]:
        """Yield every node in page order."""
        for node in self.nodes:
            yield from node.walk()

    def with_nodes(self, nodes: tuple[Node, ...]) -> "Snapshot":
        """Return the same page with other nodes, such as folded ones."""
        return replace(self, nodes=nodes, readings={}, _texts={})

    def render(
        self, *, interactive_only: bool = False, compact: bool = True, depth: int | None = None
    ) -> str:
        """Return the tree as text: one line per node, at most `depth` levels."""
        key = (interactive_only, compact, depth)
        if key not in self._texts:
            self._texts[key] = self._render(interactive_only=interactive_only, compact=compact, depth=depth)
        return self._texts[key]

    def _render(self, *, interactive_only: bool, compact: bool, depth: int | None) -> str:
        parts = urlsplit(self.url)
        origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
        outline = Outline(self.nodes, origin=origin, page=self.url, cache=self.line_cache)
        chosen = (
            outline.interactive_lines()
            if interactive_only
            else outline.compact_lines()
            if compact
            else outline.all_lines()
        )
        head = f"[Snapshot of {parts.netloc or self.url.partition(',')[0]}]"
        lines = list(chosen)
        # On the first line, which is not page text: the other lines count as text of the page.
        empty = "" if lines else "Nothing to act on." if interactive_only else "Nothing is shown."
        text = [" ".join(filter(None, [head, self.identity or empty]))]
        shown = lines if depth is None else [line for line in lines if line.depth < depth]
        text += [f"{'  ' * line.depth}- {line.text}" for line in shown]
        deeper = format_count(len(lines) - len(shown), "deeper line") if len(lines) > len(shown) else ""
        if left_out := "; ".join(filter(None, [deeper, str(self.left_out)])):
            text.append(f"[Left out: {left_out}]")
        return "\n".join(text)


async def take(
    tab: "Tab",
    *,
    root: str | None = None,
    frame: "Frame | None" = None,
    everything: bool = False,
    records: bool = False,
    start: bool = False,
) -> Snapshot:
    """Take a snapshot of the whole page, of one frame of it, or of the element that a ref names.

    With `start`, only the beginning of a large page is read, which is not the latest snapshot of it either.

    With `everything`, every visible element is a node with a ref. For `records`, it has cards and fields
    (js/snapshot/cards.js). Neither is the latest snapshot of the page.

    Raises:
        Stale: the ref's element is gone.
        NotFound: the ref is unknown.
    """
    number = None
    if root is not None:
        frame, number = await tab.refs.locate(root)
    async with tab.refs.snapshot_lock:
        reader = _SnapshotReader(tab, everything=everything, records=records, start=start)
        if number is not None or everything or records or frame not in (None, tab.main_frame):
            return await reader.read(frame or tab.main_frame, number)
        tab.refs.owners = {child: owner for child, owner in tab.refs.owners.items() if tab.frames.get(child)}
        taken = await reader.read(tab.main_frame, None)
        if start and taken.unread:
            return taken
        if (latest := tab.refs.latest) is None or latest.nodes is not taken.nodes or latest != taken:
            tab.refs.latest = latest = taken
        return latest


async def read_on(tab: "Tab", frame: "Frame", number: int, max_rows: int) -> Snapshot:
    """Read the next part of a frame that was not read whole, from the element with this number on.

    The elements around it are left out, and refs are not recorded: most of them are never used.

    Raises:
        Stale: that element is gone.
    """
    async with tab.refs.snapshot_lock:
        return await _SnapshotReader(tab, begin=number, max_rows=max_rows).read(frame, None)


async def read_text(tab: "Tab", frame: "Frame", *, root: str | None = None) -> Snapshot:
    """Read the article of a frame, else all its text, or the text inside the element that a ref names.

    The tree has what Markdown has, and no refs.
    """
    number = None
    if root is not None:
        frame, number = await tab.refs.locate(root)
    async with tab.refs.snapshot_lock:
        return await _SnapshotReader(tab, reading=True).read(frame, number)


class _SnapshotReader:
    """Reads one snapshot, frame after frame, because all refs come from one counter."""

    def __init__(
        self,
        tab: "Tab",
        *,
        everything: bool = False,
        records: bool = False,
        reading: bool = False,
        start: bool = False,
        begin: int = 0,
        max_rows: int = 0,
    ) -> None:
        self._tab = tab
        self._everything = everything
        self._records = records
        self._reading = reading
        self._start = start
        # Only for the first frame that is read; the frames in it are read from their start.
        self._begin = begin
        self._max_rows = max_rows or (_MAX_NODES_AT_START if start else _MAX_NODES)
        self._unread: dict[str, int] = {}
        self._left_out = LeftOut()
        self._frames = 0
        self._readings: dict[str, Reading] = {}
        self._deadline = anyio.current_time() + _TOTAL_TIMEOUT

    async def read(self, frame: "Frame", root: int | None) -> Snapshot:
        facts, nodes = await self._read_frame(frame, root)
        latest = self._tab.refs.latest
        cache = latest.line_cache if latest and not self._everything else LineCache()
        whole = root is None and frame is self._tab.main_frame
        status = self._tab.navigation.status if whole else (None, "")
        identity = describe_identity(facts["identity"], status)
        return Snapshot(
            facts["url"],
            facts["title"],
            nodes,
            self._left_out,
            identity,
            around_article=facts.get("aroundArticle", ""),
            readings=self._readings,
            unread=self._unread,
            line_cache=cache,
        )

    async def _read_frame(self, frame: "Frame", root: int | None) -> tuple[dict[str, Any], tuple[Node, ...]]:
        self._frames += 1
        listeners = self._tab.component(ClickListeners)
        internals = self._tab.component(ElementInternals)
        begin, self._begin = self._begin, 0
        asked = None
        if not begin:  # else it was done for the first part, and takes time for each element of the page
            await internals.refresh(frame)
            asked = listeners.ask_ahead(frame)
            if asked is None:
                await listeners.update(frame)
        facts, rows = await self._call_script(frame, root, begin)
        if asked is not None and await listeners.update(frame, asked):
            facts, rows = await self._call_script(frame, root, begin)
        for _ in range(_MAX_SHADOW_ROUNDS):
            if not facts["suspects"] or not await register_closed_roots(frame):
                break
            facts, rows = await self._call_script(frame, root, begin)
        if facts["shadow"] and await listeners.update(frame, has_shadow=True):
            facts, rows = await self._call_script(frame, root, begin)
        if facts["custom"] and await internals.update(frame):
            facts, rows = await self._call_script(frame, root, begin)
        self._add_left_out(facts)
        if number := facts.get("next"):
            self._unread[frame.id] = number
        nodes = self._parse(frame, rows, await self._read_children(frame, rows))
        if not self._reading and not begin:
            cut = self._start and frame.id in self._unread
            self._tab.refs.record(frame, nodes, whole=root is None and not self._everything and not cut)
        return facts, nodes

    def _parse(self, frame: "Frame", rows: str, frames: FrameNodes) -> tuple[Node, ...]:
        latest = self._tab.refs.latest
        reusable = latest is not None and not (self._everything or self._records or self._reading)
        before = latest.readings.get(frame.id) if latest and reusable else None
        self._readings[frame.id] = reading = read(rows, frames, before or Reading())
        return reading.nodes

    async def _call_script(
        self, frame: "Frame", root: int | None, begin: int = 0
    ) -> tuple[dict[str, Any], str]:
        left = max(0.05, min(_FRAME_TIMEOUT, self._deadline - anyio.current_time()))
        options = {"root": root, "maxNodes": self._max_rows, "budgetMs": left * 1000}
        if begin:
            options["from"] = begin
        if self._start:
            options["maxVisited"] = _MAX_VISITED_AT_START
        if self._reading:
            answer = await self._call_reader(
                frame, {**options, "article": self._frames == 1 and root is None}
            )
        else:
            options |= {"everything": self._everything, "records": self._records}
            answer = await self._tab.refs.call(frame, "snapshot", options, hang_timeout=_CALL_TIMEOUT)
        head, _, rows = answer.partition("\n")
        facts = orjson.loads(head)
        if root is None and not self._reading:
            frame.mark_walked()
        if "gone" in facts:
            raise Stale(
                f"@e{root or begin} is no longer on the page.",
                hint="Take a snapshot, then use a ref from it.",
            )
        return facts, rows

    async def _call_reader(self, frame: "Frame", options: dict[str, Any]) -> str:
        """Call the scripts of `read`, which are sent along: few documents need them."""
        try:
            world = await frame.world()
            frame.session.post("Runtime.evaluate", expression=reading_source(), contextId=world)
            answer: str = await self._tab.refs.call_here(
                frame, "readPage", options, hang_timeout=_CALL_TIMEOUT
            )
        except DocumentGone as gone:
            raise Stale("The page navigated away.", hint="Wait for it to load, then try again.") from gone
        return answer

    def _add_left_out(self, facts: dict[str, Any]) -> None:
        self._left_out.hidden_texts += facts["hidden"]["nodes"]
        self._left_out.hidden_characters += facts["hidden"]["characters"]
        self._left_out.stripped_characters += facts["stripped"]
        self._left_out.unseen_controls += facts["controls"]
        self._left_out.truncated |= facts["truncated"]
        self._left_out.deep |= facts.get("deep", False)

    async def _read_children(self, frame: "Frame", rows: str) -> dict[int, tuple[Node, ...]]:
        """Read the frames whose elements are in the rows."""
        frames: dict[int, tuple[Node, ...]] = {}
        for child in tuple(frame.children) if _FRAME_ELEMENT.search(rows) else ():
            if self._frames >= _MAX_FRAMES or anyio.current_time() > self._deadline:
                self._left_out.frames += 1
            elif (number := await self._owner_number(child)) and _holds_frame(rows, number):
                frames[number] = await self._read_child(child)
        return frames

    async def _read_child(self, child: "Frame") -> tuple[Node, ...]:
        try:
            return (await self._read_frame(child, None))[1]
        except (CdpError, TabwrightError) as error:
            self._tab.require_responsive()
            reason = error.message if isinstance(error, TabwrightError) else "it was removed."
            return (Node(TEXT, f"This frame cannot be read: {reason}", 0, 0, {}, ()),)

    async def _owner_number(self, child: "Frame") -> int:
        """Return the ref number of a frame's element, 0 if the frame is gone.

        A frame keeps its element as long as it exists.
        """
        refs, parent = self._tab.refs, child.parent
        assert parent is not None
        try:
            world = await parent.world()
            if (known := refs.owners.get(child.id)) and known[0] == world:
                return known[1]
            number = int(await refs.call(parent, "refOf", await child.owner()))
        except (CdpError, DocumentGone):
            return 0
        refs.owners[child.id] = (world, number)
        return number


def _holds_frame(rows: str, number: int) -> bool:
    """Whether the rows contain that frame element; a regex per number would have to be compiled."""
    return any(f"\t{kind}\t{number}\t" in rows for kind in ("iframe", "object", "embed"))
