"""Refs (`@e7`): the counter that numbers elements, the frame of each, and healing of replaced ones.

A number names one node for its whole life and is never used twice in a tab. When the node is gone, the ref
heals only if exactly one element of the same page has its fingerprint: role, name and place.
"""

import itertools
from collections import Counter
from collections.abc import Awaitable, Callable, Container, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio

from tabwright.browser.find.selector import REF
from tabwright.browser.snapshot.nodes import TEXT, Node, words
from tabwright.errors import InvalidArgs, NotFound, Stale
from tabwright.text import quote

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.snapshot.snapshot import Snapshot
    from tabwright.browser.tab import Tab

# Roles of the parts of a page that tell similar elements apart.
_PLACES = words("""
    alertdialog article banner complementary contentinfo dialog figure form grid group list listitem
    main menu menubar navigation radiogroup region row search table tablist tabpanel toolbar tree
    treegrid treeitem
""")
_ITEMS = words("article listitem row treeitem")
# Elements that the page no longer shows.
_MAX_REMEMBERED = 2_000
_MAX_NAME_LENGTH = 200

Place = tuple[tuple[str, str], ...]


class Fingerprint(NamedTuple):
    """What identifies an element after it was replaced."""

    document: str
    role: str
    name: str
    place: Place


class Sighting(NamedTuple):
    """An element as a snapshot saw it. Only the hash of its fingerprint is stored: a third of the memory."""

    frame_id: str
    role: str
    name: str
    fingerprint: int
    unique: bool


class Scene:
    """What the last snapshot saw of one frame; computed on first use."""

    def __init__(self, frame: "Frame", nodes: tuple[Node, ...]) -> None:
        self.nodes = nodes
        self.document = document_of(frame.url)
        self._frame_id = frame.id

    @cached_property
    def sightings(self) -> dict[int, Sighting]:
        """The elements by their numbers."""
        return dict(sightings(self._frame_id, self.document, self.nodes))

    def first(self, among: Container[int] | None = None) -> dict[int, Sighting]:
        """Return the first elements, or the first of `among`: answers show the beginning of a long page."""
        wanted = (item for item in self.sightings.items() if among is None or item[0] in among)
        return dict(itertools.islice(wanted, _MAX_REMEMBERED))


def parse(ref: str) -> int:
    """Return the number of a ref.

    Raises:
        InvalidArgs: it does not look like a ref.
    """
    found = REF.fullmatch(ref.strip())
    if found is None:
        raise InvalidArgs(f"{ref!r} is not a ref.", hint="A ref looks like @e7; take a snapshot to get one.")
    return int(found[1])


class Refs:
    """The refs of one tab."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._scenes: dict[str, Scene] = {}
        self._past: dict[int, Sighting] = {}
        self._frames: dict[int, str] = {}
        # The next free number; see `call`.
        self.next = 1
        self._counting = anyio.Lock()
        self._first = 1
        # The last snapshot of the whole page; per frame, the world and the number of its <iframe> element.
        self.latest: Snapshot | None = None
        self.owners: dict[str, tuple[int, int]] = {}
        # Held while a snapshot is taken: it replaces the scenes as a whole.
        self.snapshot_lock = anyio.Lock()

    async def call(self, frame: "Frame", function: str, *args: Any, hang_timeout: float | None = None) -> Any:
        """As `Frame.call`, for a function that may number elements.

        All frames share one counter, so only one call at a time may count on from it.
        """
        return await self._count(frame.call, function, args, hang_timeout)

    async def call_here(
        self, frame: "Frame", function: str, *args: Any, hang_timeout: float | None = None
    ) -> Any:
        """As `call`, in the current document only; see `Frame.call_here`."""
        return await self._count(frame.call_here, function, args, hang_timeout)

    async def _count(
        self,
        call: Callable[..., Awaitable[Any]],
        function: str,
        args: tuple[Any, ...],
        hang_timeout: float | None,
    ) -> Any:
        async with self._counting:
            result, next_number = await call(
                "countFrom", self.next, function, *args, hang_timeout=hang_timeout
            )
            self.next = max(self.next, next_number)
        return result

    def record(self, frame: "Frame", nodes: tuple[Node, ...], *, whole: bool = False) -> None:
        """Remember the elements of one frame's snapshot.

        A snapshot of a part does not show where on the page it is, so it does not replace what is known.
        """
        if not whole:
            seen = sightings(frame.id, document_of(frame.url), nodes)
            self._remember({number: one for number, one in seen if self._sighting(number) is None})
            return
        before = self._scenes.get(frame.id)
        if before is not None and before.nodes is nodes and before.document == document_of(frame.url):
            return  # the page has not changed
        self._scenes[frame.id] = Scene(frame, nodes)
        for known in tuple(self._scenes):
            if not self._tab.frames.get(known):
                self._remember(self._scenes.pop(known).first())
        if before is not None and (gone := vanished(before.nodes, nodes)):
            self._remember(before.first(gone))

    def _remember(self, seen: dict[int, Sighting]) -> None:
        """Store elements that are no longer in a scene, up to a limit."""
        for number in seen:
            self._past.pop(number, None)  # so that it is dropped last
        self._past.update(seen)
        for number in tuple(self._past)[: max(0, len(self._past) - max(_MAX_REMEMBERED, len(seen)))]:
            del self._past[number]

    def _sighting(self, number: int) -> Sighting | None:
        for scene in self._scenes.values():
            if number in scene.sightings:
                return scene.sightings[number]
        return self._past.get(number)

    def give(self, frame: "Frame", number: int) -> None:
        """Remember the frame of a number that was given without a snapshot."""
        self._frames[number] = frame.id
        self.next = max(self.next, number + 1)

    def begin_at(self, number: int) -> None:
        """Number from here on: lower numbers belong to a page of an earlier browser."""
        self.next = self._first = number

    def frame_of(self, ref: str) -> tuple["Frame", int]:
        """Return the frame of a ref and its number, without a call to the page.

        Raises:
            InvalidArgs: it does not look like a ref.
            NotFound: no element ever had it.
            Stale: its frame or its browser is gone.
        """
        number = parse(ref)
        sighting = self._sighting(number)
        frame_id = sighting.frame_id if sighting else self._frames.get(number)
        if frame_id is None:
            raise self._unknown_error(number)
        frame = self._tab.frames.get(frame_id)
        if frame is None:
            raise Stale(f"The frame of @e{number} is gone.", hint="Take a snapshot, then use a ref from it.")
        return frame, number

    def label(self, number: int) -> str:
        """Return role and name of an element as last seen, "" if it never was."""
        sighting = self._sighting(number)
        if sighting is None:
            return ""
        return f"{sighting.role} {quote(sighting.name)}" if sighting.name else sighting.role

    async def locate(self, ref: str) -> tuple["Frame", int]:
        """Return the frame of a ref's element and its number there; heal the ref if the element was replaced.

        Raises:
            Stale: the element is gone, and it is not clear which one replaced it.
        """
        frame, number = self.frame_of(ref)
        if await frame.call("isAlive", number):
            return frame, number
        return await self.heal(ref)

    async def heal(self, ref: str) -> tuple["Frame", int]:
        """Let a ref name the one element that replaced its own.

        Raises:
            Stale: there is none, or more than one.
        """
        frame, number = self.frame_of(ref)
        lost = self._sighting(number)
        if lost is None:
            raise Stale(
                f"@e{number} is not on this page any more.", hint="Take a snapshot, then use a ref from it."
            )
        await self._tab.snapshot(whole=True)
        candidates = [
            (self._tab.frames.get(seen.frame_id), candidate)
            for scene in self._scenes.values()
            for candidate, seen in scene.sightings.items()
            if candidate != number and seen.fingerprint == lost.fingerprint
        ]
        alive = [
            (where, candidate)
            for where, candidate in candidates
            if where and await where.call("isAlive", candidate)
        ]
        if len(alive) != 1 or not lost.unique:
            raise self._lost_error(number, lost, len(alive))
        [(frame, replacement)] = alive
        await frame.call("replaceNode", number, replacement)
        self._remember({number: lost._replace(frame_id=frame.id)})
        return frame, number

    def _unknown_error(self, number: int) -> NotFound | Stale:
        if number < self._first:
            return Stale(
                f"@e{number} is from before the session was restored.",
                hint="Take a snapshot, then use a ref from it.",
            )
        if number < self.next:
            return NotFound(f"@e{number} is too old.", hint="Take a snapshot, then use a ref from it.")
        latest = f"the latest is @e{self.next - 1}" if self.next > 1 else "no snapshot has been taken yet"
        return NotFound(f"Unknown ref @e{number}; {latest}.", hint="Take a snapshot, then use a ref from it.")

    def _lost_error(self, number: int, lost: Sighting, replacements: int) -> Stale:
        label = f"{lost.role} {quote(lost.name)}"
        fact = f"@e{number} ({label}) is not on this page any more"
        if replacements or not lost.unique:
            fact += ", and several similar elements could have replaced it"
        return Stale(f"{fact}.", hint="Take a snapshot, then use a ref from it.")


def document_of(url: str) -> str:
    """Return a URL without query and fragment: documents that share it count as the same page."""
    return url.partition("#")[0].partition("?")[0]


def vanished(before: tuple[Node, ...], now: tuple[Node, ...]) -> set[int]:
    """Return the numbers of nodes that disappeared; branches that both trees share are skipped."""
    old: set[int] = set()
    new: set[int] = set()
    waiting = [(before, now)]
    while waiting:
        ours, theirs = _differing(*waiting.pop())
        if len(ours) == len(theirs) == 1:
            old.add(ours[0].number)
            new.add(theirs[0].number)
            waiting.append((ours[0].children, theirs[0].children))
        else:
            old.update(node.number for top in ours for node in top.walk())
            new.update(node.number for top in theirs for node in top.walk())
    return old - new - {0}


def _differing(one: tuple[Node, ...], other: tuple[Node, ...]) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
    """Drop what two rows of siblings have in common at the start and at the end."""
    most, begin, end = min(len(one), len(other)), 0, 0
    while begin < most and one[begin] is other[begin]:
        begin += 1
    while end < most - begin and one[-1 - end] is other[-1 - end]:
        end += 1
    return one[begin : len(one) - end], other[begin : len(other) - end]


def sightings(frame_id: str, document: str, nodes: tuple[Node, ...]) -> Iterator[tuple[int, Sighting]]:
    """Yield a sighting for every numbered node of a frame."""
    found = [(node, hash(fingerprint)) for node, fingerprint in fingerprints(document, nodes)]
    often = Counter(fingerprint for _, fingerprint in found)
    for node, fingerprint in found:
        name = node.name[:_MAX_NAME_LENGTH]
        yield node.number, Sighting(frame_id, node.role, name, fingerprint, often[fingerprint] == 1)


def fingerprints(document: str, nodes: tuple[Node, ...]) -> Iterator[tuple[Node, Fingerprint]]:
    """Yield the numbered nodes of a frame with their fingerprints."""
    for node, place in _with_places(nodes):
        yield node, Fingerprint(document, node.role, node.name, place)


def _with_places(nodes: tuple[Node, ...]) -> Iterator[tuple[Node, Place]]:
    """Yield the numbered nodes with their place: the page parts around them and the heading above."""
    heading: tuple[str, str] = ("heading", "")
    waiting: list[tuple[Node, Place]] = [(node, ()) for node in reversed(nodes)]
    while waiting:
        node, place = waiting.pop()
        if node.number:
            yield node, (*place, heading)
        if node.role == "heading":
            heading = ("heading", node.name)
        if node.role == "iframe":
            continue
        inner = (*place, (node.role, node.name or _first_text(node))) if node.role in _PLACES else place
        waiting.extend((child, inner) for child in reversed(node.children))


def _first_text(node: Node) -> str:
    """Return the first text of a list item, which tells it apart from the others."""
    if node.role not in _ITEMS:
        return ""
    return next(
        (
            inner.name[:60]
            for inner in node.walk()
            if inner.name and (inner.role == TEXT or inner is not node)
        ),
        "",
    )
