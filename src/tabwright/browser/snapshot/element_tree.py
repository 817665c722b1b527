"""The rendered elements of a page with what a person could notice of each, for comparing two states of it."""

from dataclasses import dataclass, field

from tabwright.browser.page.frame import DocumentGone, Frame
from tabwright.browser.page.isolated_world import script
from tabwright.cdp import Params
from tabwright.errors import Stale
from tabwright.text import quote_line

MAX_ELEMENTS = 5_000
# Role and name say nothing about these; their tag does.
_PLAIN_ROLES = ("", "generic", "none", "presentation")


@dataclass(eq=False)
class PageElement:
    """One element: `style` holds values by property, `identity` what its author called it."""

    tag: str
    role: str
    name: str
    identity: str
    text: str
    value: str
    attributes: dict[str, str]
    style: dict[str, str]
    parent: "PageElement | None" = None
    children: "list[PageElement]" = field(default_factory=list)
    # Of the element and everything inside it: a hash without styles, the words, and the first text.
    content: int = 0
    words: frozenset[str] = frozenset()
    first_text: str = ""

    @property
    def label(self) -> str:
        """Role and name, or the tag and what it begins with."""
        name = self.name or self.first_text
        kind = self.tag if self.role in _PLAIN_ROLES else self.role
        return f"{kind} {quote_line(name, 60)}" if name else kind

    def summarize(self) -> None:
        """Derive what depends on the elements inside it; theirs must be known."""
        children = self.children
        attributes = tuple(self.attributes.items())
        inside = tuple(child.content for child in children)
        self.content = hash((self.tag, self.identity, self.text, self.value, attributes, inside))
        self.words = frozenset(f"{self.text} {self.name}".split()).union(*(child.words for child in children))
        self.first_text = self.text or next((child.first_text for child in children if child.first_text), "")


@dataclass(frozen=True)
class ElementTree:
    """The elements of a page at one time."""

    url: str
    elements: list[PageElement]
    left_out: int

    @property
    def root(self) -> PageElement:
        """The body."""
        return self.elements[0]


async def capture_elements(frame: Frame) -> ElementTree:
    """Return the elements of a frame's document.

    Raises:
        Stale: it navigated away meanwhile.
    """
    try:
        world = await frame.world()
        frame.session.post(
            "Runtime.evaluate", expression=script("standalone/element_tree.js"), contextId=world
        )
        answer: Params = await frame.call_here("elementTree", {"most": MAX_ELEMENTS})
    except DocumentGone as gone:
        raise Stale("The page navigated away.", hint="Wait for it to load, then try again.") from gone
    return parse_elements(frame.url, answer)


def parse_elements(url: str, answer: Params) -> ElementTree:
    """Build the tree that the page's script listed."""
    elements: list[PageElement] = []
    for facts in answer["elements"]:
        above = facts.pop("parent")
        parent = elements[above] if above >= 0 else None
        style = dict(zip(answer["styles"], facts.pop("style"), strict=True))
        element = PageElement(**facts, style=style, parent=parent)
        if parent is not None:
            parent.children.append(element)
        elements.append(element)
    for element in reversed(elements):  # parents come before what is inside them
        element.summarize()
    return ElementTree(url, elements, answer["left_out"])
