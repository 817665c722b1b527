"""Looking at single elements: text, value, attribute, markup, box, state."""

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.find.locate import count_of
from tabwright.browser.find.selector import parse_target
from tabwright.browser.tab import Tab
from tabwright.fields import Target, Timeout


class Which(Args):
    """Arguments that name an element."""

    target: Target
    timeout: Timeout = 5.0


class WhichAttribute(Args):
    """Arguments of `get_attribute`."""

    target: Target
    name: str = Field(min_length=1, max_length=200, description="Name of the attribute.")
    timeout: Timeout = 5.0


class WhichMarkup(Which):
    """Arguments of `get_html`."""

    inside: bool = Field(False, description="Only what is inside of it.")


class Countable(Args):
    """Arguments of `count_elements`."""

    target: Target


class WhichStyles(Which):
    """Arguments of `get_styles`."""

    names: list[str] = Field([], max_length=200, description="Only these, such as color; all when not given.")


class Count(Result):
    """How many there are."""

    count: int = Field(description="How many elements match.")

    def __str__(self) -> str:
        return str(self.count)


class Styles(Result):
    """Computed styles."""

    own_lines = 0

    styles: dict[str, str] = Field(description="The styles by name.")

    def __str__(self) -> str:
        return "\n".join(f"{name}: {value}" for name, value in self.styles.items())


class Content(Result):
    """What was read off an element."""

    own_lines = 0

    value: str | None = Field(description="What was read; null when there is none.")

    def __str__(self) -> str:
        return "There is none." if self.value is None else self.value


class Place(Result):
    """Where an element is."""

    x: float = Field(description="CSS pixels from the left of the viewport.")
    y: float = Field(description="CSS pixels from the top of the viewport.")
    width: float = Field(description="Width in CSS pixels.")
    height: float = Field(description="Height in CSS pixels.")

    def __str__(self) -> str:
        return f"{self.width:g} x {self.height:g} at {self.x:g}, {self.y:g}"


class State(Result):
    """How an element is."""

    visible: bool = Field(description="Whether a person sees it.")
    enabled: bool = Field(description="Whether it can be used.")
    editable: bool = Field(description="Whether its value can be changed.")
    checked: bool | None = Field(description="Whether it is checked; null for what cannot be.")
    focused: bool = Field(description="Whether it has the keyboard.")

    def __str__(self) -> str:
        return ", ".join(f"{name}: {str(value).lower()}" for name, value in self if value is not None)


@action(Effect.READ, group="Elements")
async def get_text(tab: Tab, args: Which) -> Content:
    """Read the text that an element shows."""
    return Content(value=await tab.element(args.target).text(timeout=args.timeout))


@action(Effect.READ, group="Elements")
async def get_value(tab: Tab, args: Which) -> Content:
    """Read what a form control holds."""
    return Content(value=await tab.element(args.target).value(timeout=args.timeout))


@action(Effect.READ, group="Elements")
async def get_html(tab: Tab, args: WhichMarkup) -> Content:
    """Read the markup of an element."""
    return Content(value=await tab.element(args.target).html(inside=args.inside, timeout=args.timeout))


@action(Effect.READ, group="Elements")
async def get_styles(tab: Tab, args: WhichStyles) -> Styles:
    """Read the computed styles of an element."""
    styles = await tab.element(args.target).styles(timeout=args.timeout)
    return Styles(styles={name: styles.get(name, "") for name in args.names or styles})


@action(Effect.READ, group="Elements")
async def count_elements(tab: Tab, args: Countable) -> Count:
    """Count the elements that a target matches, hidden ones too."""
    return Count(count=await count_of(tab, parse_target(args.target)))


@action(Effect.READ, group="Elements")
async def get_attribute(tab: Tab, args: WhichAttribute) -> Content:
    """Read an attribute of an element."""
    return Content(value=await tab.element(args.target).attribute(args.name, timeout=args.timeout))


@action(Effect.READ, group="Elements")
async def get_box(tab: Tab, args: Which) -> Place:
    """Tell where an element is in the viewport."""
    box = await tab.element(args.target).box(timeout=args.timeout)
    return Place(x=box.x, y=box.y, width=box.width, height=box.height)


@action(Effect.READ, group="Elements")
async def get_state(tab: Tab, args: Which) -> State:
    """Tell whether an element is visible, enabled, editable, checked, focused."""
    state = await tab.element(args.target).state(timeout=args.timeout)
    return State(
        visible=state.visible,
        enabled=state.enabled,
        editable=state.editable,
        checked=state.checked,
        focused=state.focused,
    )
