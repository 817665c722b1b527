"""The snapshot: what a person sees on the page, as a tree first and text second, with refs to act by.

The walk itself is snapshot.js, one call per frame; here the frames are put together.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
import orjson

from tabwright.browser.page.closed_shadow_roots import register_closed_roots
from tabwright.browser.page.frame import DocumentGone
from tabwright.browser.snapshot.nodes import TEXT, Inside, Node, Reading, read
from tabwright.browser.snapshot.text import Outline, Told
from tabwright.cdp import CdpError
from tabwright.errors import Stale, TabwrightError
from tabwright.text import format_count

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.tab import Tab

MOST_NODES = 100_000
MOST_FRAMES = 150
# The walk stops itself well before the page counts as stuck; all frames together get a little more.
_WALK_SECONDS = 4.0
_ALL_SECONDS = 5.0
_PATIENCE = 8.0
_ROUNDS = 4
_OWNERS = re.compile(r"\t(?:iframe|object|embed)\t\d")


@dataclass(slots=True)
class LeftOut:
    """What the snapshot does not show, and why: counted, never quoted."""

    hidden_texts: int = 0
    hidden_characters: int = 0
    stripped_characters: int = 0
    frames: int = 0
    truncated: bool = False

    def __str__(self) -> str:
        return "; ".join(self._facts())

    def _facts(self) -> Iterable[str]:
        if self.hidden_texts:
            size = format_count(self.hidden_characters, "character")
            yield f"{format_count(self.hidden_texts, 'hidden text')} ({size})"
        if self.stripped_characters:
            yield format_count(self.stripped_characters, "invisible character")
        if self.frames:
            yield format_count(self.frames, "frame")
        if self.truncated:
            yield "the rest of the page, which is too large"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A page as a tree of nodes. `str()` gives the text an agent reads."""

    url: str
    title: str
    nodes: tuple[Node, ...]
    left_out: LeftOut
    # By frame and by way of writing: a page that did not change is neither read nor written again.
    readings: dict[str, Reading] = field(default_factory=dict, compare=False, repr=False)
    # Handed on from one snapshot of a page to the next.
    told: Told = field(default_factory=Told, compare=False, repr=False)
    _texts: dict[tuple[bool, bool, int | None], str] = field(default_factory=dict, compare=False, repr=False)

    def __str__(self) -> str:
        return self.render()

    def walk(self) -> Iterable[Node]:
        """Yield every node in the order of the page."""
        for node in self.nodes:
            yield from node.walk()

    def with_nodes(self, nodes: tuple[Node, ...]) -> "Snapshot":
        """Return the same page with other nodes: folded, filtered."""
        return replace(self, nodes=nodes, readings={}, _texts={})

    def render(
        self, *, interactive_only: bool = False, compact: bool = True, depth: int | None = None
    ) -> str:
        """Write the tree as text: one line per thing, `depth` levels of it at most."""
        way = (interactive_only, compact, depth)
        if way not in self._texts:
            self._texts[way] = self._write(interactive_only=interactive_only, compact=compact, depth=depth)
        return self._texts[way]

    def _write(self, *, interactive_only: bool, compact: bool, depth: int | None) -> str:
        parts = urlsplit(self.url)
        origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
        outline = Outline(self.nodes, origin=origin, told=self.told)
        lines = (
            outline.interactive() if interactive_only else outline.compact() if compact else outline.whole()
        )
        head = f"[Snapshot of {parts.netloc or self.url.partition(',')[0]}]"
        told = list(lines)
        # On the first line, which is ours: the others count as words of the page.
        empty = "" if told else " Nothing to act on." if interactive_only else " Nothing is shown."
        text = [f"{head}{empty}"]
        shown = told if depth is None else [line for line in told if line.depth < depth]
        text += [f"{'  ' * line.depth}- {line.text}" for line in shown]
        deeper = format_count(len(told) - len(shown), "deeper line") if len(told) > len(shown) else ""
        if left_out := "; ".join(filter(None, [deeper, str(self.left_out)])):
            text.append(f"[Left out: {left_out}]")
        return "\n".join(text)


async def take(tab: "Tab", *, root: str | None = None, frame: "Frame | None" = None) -> Snapshot:
    """Take a snapshot of the whole page, of one frame of it, or of the element that a ref names.

    Raises:
        Stale: the ref's element is gone.
        NotFound: the ref was never given out.
    """
    if root is None and frame not in (None, tab.main_frame):
        async with tab.refs.snapshot_lock:
            return await _Taking(tab).take(frame, None)
    if root is None:
        async with tab.refs.snapshot_lock:
            tab.refs.owners = {
                child: owner for child, owner in tab.refs.owners.items() if tab.frames.get(child)
            }
            taken = await _Taking(tab).take(tab.main_frame, None)
            if (latest := tab.refs.latest) is None or latest.nodes is not taken.nodes or latest != taken:
                tab.refs.latest = latest = taken
            return latest
    frame, number = await tab.refs.locate(root)
    async with tab.refs.snapshot_lock:
        return await _Taking(tab).take(frame, number)


class _Taking:
    """One snapshot being taken, frame after frame, since the refs of all come from one counter."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._left_out = LeftOut()
        self._frames = 0
        self._readings: dict[str, Reading] = {}
        self._deadline = anyio.current_time() + _ALL_SECONDS

    async def take(self, frame: "Frame", root: int | None) -> Snapshot:
        facts, nodes = await self._frame(frame, root)
        latest = self._tab.refs.latest
        told = latest.told if latest else Told()
        return Snapshot(facts["url"], facts["title"], nodes, self._left_out, self._readings, told)

    async def _frame(self, frame: "Frame", root: int | None) -> tuple[dict[str, Any], tuple[Node, ...]]:
        self._frames += 1
        facts, rows = await self._walk(frame, root)
        for _ in range(_ROUNDS):
            if not facts["suspects"] or not await register_closed_roots(frame):
                break
            facts, rows = await self._walk(frame, root)
        self._note(facts)
        nodes = self._read(frame, rows, await self._children(frame, rows))
        self._tab.refs.record(frame, nodes, whole=root is None)
        return facts, nodes

    def _read(self, frame: "Frame", rows: str, inside: Inside) -> tuple[Node, ...]:
        latest = self._tab.refs.latest
        before = latest.readings.get(frame.id) if latest else None
        self._readings[frame.id] = reading = read(rows, inside, before or Reading())
        return reading.nodes

    async def _walk(self, frame: "Frame", root: int | None) -> tuple[dict[str, Any], str]:
        left = max(0.05, min(_WALK_SECONDS, self._deadline - anyio.current_time()))
        options = {"root": root, "maxNodes": MOST_NODES, "budgetMs": left * 1000}
        answer: str = await self._tab.refs.call(frame, "snapshot", options, hang_timeout=_PATIENCE)
        head, _, rows = answer.partition("\n")
        facts = orjson.loads(head)
        if root is None:
            frame.mark_walked()
        if "gone" in facts:
            raise Stale(
                f"@e{root} is not on this page any more.", hint="Take a snapshot, then use a ref from it."
            )
        return facts, rows

    def _note(self, facts: dict[str, Any]) -> None:
        self._left_out.hidden_texts += facts["hidden"]["nodes"]
        self._left_out.hidden_characters += facts["hidden"]["characters"]
        self._left_out.stripped_characters += facts["stripped"]
        self._left_out.truncated |= facts["truncated"]

    async def _children(self, frame: "Frame", rows: str) -> dict[int, tuple[Node, ...]]:
        """Walk the frames whose elements are in the rows."""
        inside: dict[int, tuple[Node, ...]] = {}
        for child in tuple(frame.children) if _OWNERS.search(rows) else ():
            if self._frames >= MOST_FRAMES or anyio.current_time() > self._deadline:
                self._left_out.frames += 1
            elif (number := await self._owner(child)) and _holds_frame(rows, number):
                inside[number] = await self._child(child)
        return inside

    async def _child(self, child: "Frame") -> tuple[Node, ...]:
        try:
            return (await self._frame(child, None))[1]
        except (CdpError, TabwrightError) as error:
            self._tab.require_responsive()
            reason = error.message if isinstance(error, TabwrightError) else "it went away."
            return (Node(TEXT, f"This frame cannot be read: {reason}", 0, 0, {}, ()),)

    async def _owner(self, child: "Frame") -> int:
        """Return the number of the element that holds a frame, 0 when the frame is gone.

        A frame has the same element as long as it lives.
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
    """Whether the element of that number is there; a pattern for each number would have to be compiled."""
    return any(f"\t{kind}\t{number}\t" in rows for kind in ("iframe", "object", "embed"))
