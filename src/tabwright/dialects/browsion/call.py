"""What all calls of the Browsion tools share: whose browser they work in, and which words mean which."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from tabwright.call import Call
from tabwright.dialects.tool_call import Bounds, ToolCall

Words = Mapping[str, str]

# What the catalogue calls the same thing; `_ms` becomes seconds.
_WORDS: Words = {
    "selector": "target",
    "ref_id": "target",
    "timeout_ms": "timeout",
    "delay_ms": "delay",
    "duration_ms": "seconds",
    "url_pattern": "pattern",
    "target_id": "id",
    "storage_type": "kind",
}

Selector = Annotated[
    str, Field(min_length=1, max_length=2_000, description='CSS, @e5, text=…, role=button[name="…"], xpath=…')
]
Ref = Annotated[
    str,
    Field(pattern=r"^@?e[1-9][0-9]{0,9}$", description="Ref of get_page_state or get_ax_tree: e5"),
    AfterValidator(lambda ref: f"@{ref.lstrip('@')}"),
]
Timeout = Annotated[float, Field(gt=0, le=600_000, description="Most to wait")]
Profile = Annotated[
    str | None,
    Field(min_length=1, max_length=100, description="Profile; your own session if omitted"),
]


class Renamed(ToolCall):
    """A call that means one action, by other words."""

    action: ClassVar[str]
    # What else it may mean, as its arguments say.
    also: ClassVar[str] = ""
    words: ClassVar[Words] = MappingProxyType({})

    def request(self, bounds: Bounds) -> Call:
        return self.of(self.action, **self.arguments())

    def arguments(self) -> dict[str, Any]:
        """What was given, in the catalogue's words."""
        given = {}
        for name, value in self:
            word = self.words.get(name) or _WORDS.get(name, name)
            given[word] = value / 1000 if name.endswith("_ms") and value is not None else value
        return given


class InBrowser(Renamed):
    """A call that works in the browser of a profile, or in the caller's own session."""

    profile_id: Profile = None

    @property
    def place(self) -> str | None:
        return self.profile_id

    def arguments(self) -> dict[str, Any]:
        given = super().arguments()
        del given["profile_id"]
        return given


class OnElement(InBrowser):
    """A call on one element."""

    selector: Selector


Tools = dict[str, type[Renamed]]
