"""Reading single elements: text, value, attribute, HTML, box, state."""

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.find.locate import count_matches
from tabwright.browser.find.selector import parse_target
from tabwright.browser.tab import Tab
from tabwright.fields import Target, Timeout
from tabwright.text import format_count


class ElementArgs(Args):
    """Arguments that name an element."""

    target: Target
    timeout: Timeout = 5.0


class GetAttribute(Args):
    """Arguments of `get_attribute`."""

    target: Target
    name: str = Field(min_length=1, max_length=200, description="Name of the attribute.")
    timeout: Timeout = 5.0


class GetHtml(ElementArgs):
    """Arguments of `get_html`."""

    inside: bool = Field(False, description="Only its inner HTML.")


class CountElements(Args):
    """Arguments of `count_elements`."""

    target: Target


class GetStyles(ElementArgs):
    """Arguments of `get_styles`."""

    names: list[str] = Field([], max_length=200, description="Only these, such as color; default: all.")


class Count(Result):
    """A number of elements."""

    count: int = Field(description="Number of matching elements.")

    def __str__(self) -> str:
        return str(self.count)


class Styles(Result):
    """Computed styles."""

    own_lines = 0

    styles: dict[str, str] = Field(description="The styles by name.")

    def __str__(self) -> str:
        return "\n".join(f"{name}: {value}" for name, value in self.styles.items())


class Content(Result):
    """A text read from an element."""

    own_lines = 0

    value: str | None = Field(description="The text; null if there is none.")

    def __str__(self) -> str:
        return "No value." if self.value is None else self.value


class VisibleContent(Content):
    """The visible text of an element."""

    hidden: int = Field(0, description="Number of hidden texts that were left out.")

    def __str__(self) -> str:
        left_out = f"[Left out: {format_count(self.hidden, 'hidden text')}]" if self.hidden else ""
        return "\n".join(part for part in (self.value, left_out) if part)


class ExactContent(Content):
    """A value or source that is read exactly."""

    exact = True


class ElementBox(Result):
    """Where an element is."""

    x: float = Field(description="CSS pixels from the left of the viewport.")
    y: float = Field(description="CSS pixels from the top of the viewport.")
    width: float = Field(description="Width in CSS pixels.")
    height: float = Field(description="Height in CSS pixels.")

    def __str__(self) -> str:
        return f"{self.width:g} x {self.height:g} at {self.x:g}, {self.y:g}"


class State(Result):
    """The state of an element."""

    visible: bool = Field(description="Whether it is visible.")
    enabled: bool = Field(description="Whether it is enabled.")
    editable: bool = Field(description="Whether its value can be changed.")
    checked: bool | None = Field(description="Whether it is checked; null if it cannot be.")
    focused: bool = Field(description="Whether it has the focus.")

    def __str__(self) -> str:
        return ", ".join(f"{name}: {str(value).lower()}" for name, value in self if value is not None)


@action(Effect.READ, does=("look",), group="Elements")
async def get_text(tab: Tab, args: ElementArgs) -> VisibleContent:
    """Read the visible text of an element."""
    found = await tab.element(args.target).visible_text(timeout=args.timeout)
    return VisibleContent(value=found.text, hidden=found.hidden)


@action(Effect.READ, does=("look",), group="Elements")
async def get_value(tab: Tab, args: ElementArgs) -> ExactContent:
    """Read the value of a form control."""
    return ExactContent(value=await tab.element(args.target).value(timeout=args.timeout))


@action(Effect.READ, does=("look",), group="Elements")
async def get_html(tab: Tab, args: GetHtml) -> ExactContent:
    """Read the HTML of an element."""
    return ExactContent(value=await tab.element(args.target).html(inside=args.inside, timeout=args.timeout))


@action(Effect.READ, does=("look",), group="Elements")
async def get_styles(tab: Tab, args: GetStyles) -> Styles:
    """Read the computed styles of an element."""
    styles = await tab.element(args.target).styles(timeout=args.timeout)
    return Styles(styles={name: styles.get(name, "") for name in args.names or styles})


@action(Effect.READ, does=("look",), group="Elements")
async def count_elements(tab: Tab, args: CountElements) -> Count:
    """Count the elements that a target matches, hidden ones too."""
    return Count(count=await count_matches(tab, parse_target(args.target)))


@action(Effect.READ, does=("look",), group="Elements")
async def get_attribute(tab: Tab, args: GetAttribute) -> ExactContent:
    """Read an attribute of an element."""
    return ExactContent(value=await tab.element(args.target).attribute(args.name, timeout=args.timeout))


@action(Effect.READ, does=("look",), group="Elements")
async def get_box(tab: Tab, args: ElementArgs) -> ElementBox:
    """Return an element's box in the viewport."""
    box = await tab.element(args.target).box(timeout=args.timeout)
    return ElementBox(x=box.x, y=box.y, width=box.width, height=box.height)


@action(Effect.READ, does=("look",), group="Elements")
async def get_state(tab: Tab, args: ElementArgs) -> State:
    """Return whether an element is visible, enabled, editable, checked, focused."""
    state = await tab.element(args.target).state(timeout=args.timeout)
    return State(
        visible=state.visible,
        enabled=state.enabled,
        editable=state.editable,
        checked=state.checked,
        focused=state.focused,
    )
