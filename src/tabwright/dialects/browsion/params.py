"""Arguments that several Browsion tools share."""

from typing import Annotated

from pydantic import AfterValidator, Field

from tabwright.dialects.alias import MS, REQUIRED, Param

_Ref = Annotated[
    str, Field(pattern=r"^@?e[1-9][0-9]{0,9}$"), AfterValidator(lambda ref: f"@{ref.lstrip('@')}")
]
SELECTOR = Param("selector", "target", 'CSS, @e5, text=…, role=button[name="…"], xpath=…', REQUIRED)
REF = Param("ref_id", "target", "Ref of get_page_state or get_ax_tree: e5", type=_Ref)


def timeout_ms(default: int) -> Param:
    """Return the param for a timeout with its default."""
    return Param("timeout_ms", "timeout", "Timeout", default, MS)
