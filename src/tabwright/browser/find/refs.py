"""Refs: the names (`@e7`) by which an agent speaks of elements, and what happens when one was replaced.

A number names one node as long as it lives and is never given twice in a tab. When the node is gone, the ref
heals only where exactly one element of the same page has its fingerprint: role, name and place.
"""

import itertools
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Container, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio

from tabwright.browser.snapshot.nodes import TEXT, Node, words
from tabwright.errors import InvalidArgs, NotFound, Stale
from tabwright.text import quote

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame
    from tabwright.browser.snapshot.snapshot import Snapshot
    from tabwright.browser.tab import Tab

_REF = re.compile(r"@?e([1-9][0-9]{0,9})")
# What tells one part of a page from another.
_PLACES = words("""
    alertdialog article banner complementary contentinfo dialog figure form grid group list listitem
    main menu menubar navigation radiogroup region row search table tablist tabpanel toolbar tree
    treegrid treeitem
""")
_ITEMS = words("article listitem row treeitem")
# Of elements that the page does not show any more.
_MOST_REMEMBERED = 2_000
_LONGEST_NAME = 200

Place = tuple[tuple[str, str], ...]


class Fingerprint(NamedTuple):
    """What an element is recognised by after it was replaced."""

    document: str
    role: str
    name: str
    place: Place


class Sighting(NamedTuple):
    """An element as a snapshot saw it. Only the hash of its fingerprint is kept: a third of the room."""

    frame_id: str
    role: str
    name: str
    fingerprint: int
    unique: bool


class Scene:
    """What the last snapshot saw of one frame; worked out when it is asked for."""

    def __init__(self, frame: "Frame", nodes: tuple[Node, ...]) -> None:
        self.nodes = nodes
        self.document = document_of(frame.url)
        self._frame_id = frame.id

    @cached_property
    def sightings(self) -> dict[int, Sighting]:
        """The elements by their numbers."""
        return dict(sightings(self._frame_id, self.document, self.nodes))

    def beginning(self, among: Container[int] | None = None) -> dict[int, Sighting]:
        """Return its first elements, or the first of those: of a long page, answers show the beginning."""
        chosen = (item for item in self.sightings.items() if among is None or item[0] in among)
        return dict(itertools.islice(chosen, _MOST_REMEMBERED))


def parse(ref: str) -> int:
    """Return the number of a ref.

    Raises:
        InvalidArgs: it is not written as a ref.
    """
    found = _REF.fullmatch(ref.strip())
    if found is None:
        raise InvalidArgs(f"{ref!r} is not a ref.", hint="A ref is written @e7; take a snapshot to get one.")
    return int(found[1])


class Refs:
    """The refs of one tab."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._scenes: dict[str, Scene] = {}
        self._past: dict[int, Sighting] = {}
        self._frames: dict[int, str] = {}
        # Frames count on from here, one at a time; see `call`.
        self.next = 1
        self._counting = anyio.Lock()
        self._first = 1
        # The last snapshot of the whole page; by frame, the world and number of the element that holds it.
        self.latest: Snapshot | None = None
        self.owners: dict[str, tuple[int, int]] = {}
        # Held while a snapshot is taken: it replaces the scenes as a whole.
        self.snapshot_lock = anyio.Lock()

    async def call(self, frame: "Frame", function: str, *args: Any, hang_timeout: float | None = None) -> Any:
        """As `Frame.call`, for a function that may give numbers to elements.

        The numbers of all frames come from one counter: the frame counts on from it, while no other may.
        """
        return await self._count(frame.call, function, args, hang_timeout)

    async def call_here(
        self, frame: "Frame", function: str, *args: Any, hang_timeout: float | None = None
    ) -> Any:
        """As `call`, but put to the present document only; see `Frame.call_here`."""
        return await self._count(frame.call_here, function, args, hang_timeout)

    async def _count(
        self,
        call: Callable[..., Awaitable[Any]],
        function: str,
        args: tuple[Any, ...],
        hang_timeout: float | None,
    ) -> Any:
        async with self._counting:
            result, following = await call("countFrom", self.next, function, *args, hang_timeout=hang_timeout)
            self.next = max(self.next, following)
        return result

    def record(self, frame: "Frame", nodes: tuple[Node, ...], *, whole: bool = False) -> None:
        """Remember the elements of one frame's snapshot.

        A part of a page does not tell where on the page it is: what the whole has told stays.
        """
        if not whole:
            seen = sightings(frame.id, document_of(frame.url), nodes)
            self._remember({number: one for number, one in seen if self._sighting(number) is None})
            return
        before = self._scenes.get(frame.id)
        if before is not None and before.nodes is nodes and before.document == document_of(frame.url):
            return  # a page that did not change has nothing new to tell
        self._scenes[frame.id] = Scene(frame, nodes)
        for known in tuple(self._scenes):
            if not self._tab.frames.get(known):
                self._remember(self._scenes.pop(known).beginning())
        if before is not None and (gone := vanished(before.nodes, nodes)):
            self._remember(before.beginning(gone))

    def _remember(self, seen: dict[int, Sighting]) -> None:
        """Keep what was seen beyond its scene, for a while."""
        for number in seen:
            self._past.pop(number, None)  # the one seen last is the last to be forgotten
        self._past.update(seen)
        for number in tuple(self._past)[: max(0, len(self._past) - max(_MOST_REMEMBERED, len(seen)))]:
            del self._past[number]

    def _sighting(self, number: int) -> Sighting | None:
        for scene in self._scenes.values():
            if number in scene.sightings:
                return scene.sightings[number]
        return self._past.get(number)

    def give(self, frame: "Frame", number: int) -> None:
        """Remember that a number was given out in a frame without a snapshot."""
        self._frames[number] = frame.id
        self.next = max(self.next, number + 1)

    def begin_at(self, number: int) -> None:
        """Give out no number below: those belong to a page of an earlier browser."""
        self.next = self._first = number

    def frame_of(self, ref: str) -> tuple["Frame", int]:
        """Return the frame of a ref and its number, without asking the page.

        Raises:
            InvalidArgs: it is not written as a ref.
            NotFound: it was never given out.
            Stale: its frame is gone, or its browser.
        """
        number = parse(ref)
        sighting = self._sighting(number)
        frame_id = sighting.frame_id if sighting else self._frames.get(number)
        if frame_id is None:
            raise self._unknown(number)
        frame = self._tab.frames.get(frame_id)
        if frame is None:
            raise Stale(f"The frame of @e{number} is gone.", hint="Take a snapshot, then use a ref from it.")
        return frame, number

    def label(self, number: int) -> str:
        """Return role and name of an element as it was last seen, "" when it never was."""
        sighting = self._sighting(number)
        if sighting is None:
            return ""
        return f"{sighting.role} {quote(sighting.name)}" if sighting.name else sighting.role

    async def locate(self, ref: str) -> tuple["Frame", int]:
        """Return where a ref's element is now: the frame and the number that its world knows it by.

        Raises:
            Stale: the element is gone, and none or several could be what it has become.
        """
        frame, number = self.frame_of(ref)
        if await frame.call("isAlive", number):
            return frame, number
        return await self.heal(ref)

    async def heal(self, ref: str) -> tuple["Frame", int]:
        """Find the one element that took the place of a ref's element.

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
        heirs = [
            (self._tab.frames.get(seen.frame_id), heir)
            for scene in self._scenes.values()
            for heir, seen in scene.sightings.items()
            if heir != number and seen.fingerprint == lost.fingerprint
        ]
        living = [(where, heir) for where, heir in heirs if where and await where.call("isAlive", heir)]
        if len(living) != 1 or not lost.unique:
            raise self._lost(number, lost, len(living))
        [(frame, heir)] = living
        await frame.call("handOver", number, heir)
        self._remember({number: lost._replace(frame_id=frame.id)})
        return frame, number

    def _unknown(self, number: int) -> NotFound | Stale:
        if number < self._first:
            return Stale(
                f"@e{number} is from before the session came back.",
                hint="Take a snapshot, then use a ref from it.",
            )
        if number < self.next:
            return NotFound(f"@e{number} is too old.", hint="Take a snapshot, then use a ref from it.")
        newest = f"the newest ref is @e{self.next - 1}" if self.next > 1 else "no snapshot was taken yet"
        return NotFound(
            f"@e{number} was never given out; {newest}.", hint="Take a snapshot, then use a ref from it."
        )

    def _lost(self, number: int, lost: Sighting, heirs: int) -> Stale:
        label = f"{lost.role} {quote(lost.name)}"
        fact = f"@e{number} ({label}) is not on this page any more"
        if heirs or not lost.unique:
            fact += ", and which of several like it took its place is not clear"
        return Stale(f"{fact}.", hint="Take a snapshot, then use a ref from it.")


def document_of(url: str) -> str:
    """Return what makes two addresses the same document: all but query and fragment."""
    return url.partition("#")[0].partition("?")[0]


def vanished(before: tuple[Node, ...], now: tuple[Node, ...]) -> set[int]:
    """Return the numbers of nodes that are not there any more; branches that both share are passed over."""
    old: set[int] = set()
    new: set[int] = set()
    waiting = [(before, now)]
    while waiting:
        ours, theirs = _apart(*waiting.pop())
        if len(ours) == len(theirs) == 1:
            old.add(ours[0].number)
            new.add(theirs[0].number)
            waiting.append((ours[0].children, theirs[0].children))
        else:
            old.update(node.number for top in ours for node in top.walk())
            new.update(node.number for top in theirs for node in top.walk())
    return old - new - {0}


def _apart(one: tuple[Node, ...], other: tuple[Node, ...]) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
    """Leave out what two rows of siblings share at their beginnings and ends."""
    most, begin, end = min(len(one), len(other)), 0, 0
    while begin < most and one[begin] is other[begin]:
        begin += 1
    while end < most - begin and one[-1 - end] is other[-1 - end]:
        end += 1
    return one[begin : len(one) - end], other[begin : len(other) - end]


def sightings(frame_id: str, document: str, nodes: tuple[Node, ...]) -> Iterator[tuple[int, Sighting]]:
    """Yield the sighting of every node of a frame that has a number."""
    found = [(node, hash(fingerprint)) for node, fingerprint in fingerprints(document, nodes)]
    often = Counter(fingerprint for _, fingerprint in found)
    for node, fingerprint in found:
        name = node.name[:_LONGEST_NAME]
        yield node.number, Sighting(frame_id, node.role, name, fingerprint, often[fingerprint] == 1)


def fingerprints(document: str, nodes: tuple[Node, ...]) -> Iterator[tuple[Node, Fingerprint]]:
    """Yield the numbered nodes of a frame and what each is recognised by."""
    for node, place in _placed(nodes):
        yield node, Fingerprint(document, node.role, node.name, place)


def _placed(nodes: tuple[Node, ...]) -> Iterator[tuple[Node, Place]]:
    """Yield the numbered nodes with their place: the parts of the page around them and the heading above."""
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
        inner = (*place, (node.role, node.name or _gist(node))) if node.role in _PLACES else place
        waiting.extend((child, inner) for child in reversed(node.children))


def _gist(node: Node) -> str:
    """The first words of an item, which tell it from its neighbours."""
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
