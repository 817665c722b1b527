"""Declaring actions: everything is derived from the function, and a wrong signature is refused."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from pydantic import Field

from tabwright.action import Args, Catalog, Effect, Result, action
from tabwright.actions import CATALOG
from tabwright.browser.tab import Tab
from tabwright.errors import NotFound
from tabwright.schema import schema_of
from tabwright.sessions.session import Session


class Spoken(Result):
    text: str


class Say(Args):
    text: str = Field(description="What to say.")
    loud: bool = Field(False, description="Louder.")
    language: str | None = Field(None, description="Which language.")


@action(Effect.ACT, does=("press",), group="Speech")
async def say(tab: Tab, args: Say) -> Spoken:
    """Say something."""
    return Spoken(text=args.text)


def test_an_action_is_derived_from_its_function() -> None:
    assert (say.name, say.summary, say.works_on, say.args, say.result) == (
        "say",
        "Say something.",
        Tab,
        Say,
        Spoken,
    )
    assert (say.effect, say.observed, say.idempotent, say.group) == (
        Effect.ACT,
        True,
        False,
        "Speech",
    )


def test_reading_is_idempotent_and_not_observed() -> None:
    @action(Effect.READ, does=("look",), group="Speech")
    async def look(session: Session, args: Args) -> Spoken:
        """Look."""
        return Spoken(text="")

    assert (look.observed, look.idempotent, look.works_on) == (False, True, Session)


def test_the_schema_is_flat_without_titles_and_nulls() -> None:
    assert schema_of(Say) == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "What to say."},
            "loud": {"type": "boolean", "default": False, "description": "Louder."},
            "language": {"type": "string", "description": "Which language."},
        },
        "additionalProperties": False,
        "required": ["text"],
    }


def test_a_function_of_another_shape_is_refused() -> None:
    async def wrong(tab: Tab) -> Spoken:
        """Be wrong."""
        return Spoken(text="")

    with pytest.raises(TypeError, match=r"wrong must take \(Tab, Session or Caller, an Args\)"):
        action(Effect.READ, does=("look",), group="Speech")(cast("Any", wrong))


def test_a_function_without_a_docstring_is_refused() -> None:
    async def silent(tab: Tab, args: Args) -> Spoken:
        return Spoken(text="")

    with pytest.raises(TypeError, match="silent has no docstring"):
        action(Effect.READ, does=("look",), group="Speech")(silent)


def test_an_action_that_declares_nothing_that_it_does_is_refused() -> None:
    async def idle(tab: Tab, args: Args) -> Spoken:
        """Say nothing."""
        return Spoken(text="")

    with pytest.raises(TypeError, match="idle must declare what it does"):
        action(Effect.READ, does=(), group="Speech")(idle)


def test_two_actions_of_one_name_are_refused() -> None:
    @action(Effect.READ, does=("look",), group="Speech")
    async def say(tab: Tab, args: Args) -> Spoken:
        """Say nothing."""
        return Spoken(text="")

    with pytest.raises(TypeError, match="Two actions are called say"):
        Catalog(cast("Any", SimpleNamespace(one=globals()["say"])), cast("Any", SimpleNamespace(two=say)))


def test_an_unknown_action_is_reported_with_similar_names() -> None:
    with pytest.raises(NotFound) as caught:
        CATALOG["clik"]
    assert caught.value.message.startswith("Unknown action clik; similar: click")


# The page decides the arguments of its tools, and the caller the fields to extract.
NESTED = (("call_page_tool", "arguments"), ("extract_fields", "fields"))


@pytest.mark.parametrize("known", CATALOG, ids=lambda known: known.name)
def test_every_argument_is_described_and_flat(known: Any) -> None:
    for name, field in schema_of(known.args)["properties"].items():
        assert field.get("description"), f"{known.name}.{name} is not described"
        flat = field.get("type") in ("string", "integer", "number", "boolean", "array")
        assert flat or (known.name, name) in NESTED, f"{known.name}.{name}"
        assert "$ref" not in str(field)
