"""Parses selectors, the strings that name an element: `@e7`, CSS, `text=…`; `locate` finds the element."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tabwright.browser.find.playwright_selector import parse_css, rewrite_locator
from tabwright.errors import InvalidArgs

REF: Final = re.compile(r"@?e([1-9][0-9]{0,9})")
_ROLE: Final = re.compile(r"""([\w-]+)\s*(?:\[\s*name\s*=\s*(.+?)\s*\]|("[^"]*"|'[^']*'))?""", re.DOTALL)
_NTH: Final = re.compile(r"nth=(-?[0-9]{1,6})")
_MAX_LENGTH: Final = 20_000
HINT: Final = (
    'Write a ref (@e7), CSS, xpath=//…, text=…, role=button[name="Save"], label=…, placeholder=… or testid=….'
)

Step = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Target:
    """A parsed selector: the steps to follow in a frame, and which match to take if the caller chose one."""

    text: str
    steps: tuple[Step, ...]
    nth: int | None = None

    @property
    def ref(self) -> str | None:
        """The ref that it starts with, if any."""
        return f"@e{self.steps[0]['number']}" if self.steps[0]["by"] == "ref" else None

    @property
    def only_ref(self) -> bool:
        """Whether it is a ref and nothing else."""
        return self.ref is not None and len(self.steps) == 1

    def spec(self, nth: int | None = None) -> Step:
        """Return it in the form that the page scripts take."""
        return {"steps": self.steps, "nth": self.nth if nth is None else nth}


def parse_target(text: str) -> Target:
    """Parse a selector.

    Raises:
        InvalidArgs: it is malformed; the message says how.
    """
    parts = [rewrite_locator(part.strip()) for part in text.split(" >> ")]
    if not all(parts) or len(text) > _MAX_LENGTH:
        fault = (
            "is too long" if len(text) > _MAX_LENGTH else "has an empty part" if text.strip() else "is empty"
        )
        raise InvalidArgs(f"The target {fault}.", hint=HINT)
    steps = [step for part in parts for step in _parse_part(part)]
    if any(step["by"] == "ref" for step in steps[1:]):
        raise InvalidArgs(f"In {text!r} a ref follows another step.", hint="Start with the ref.")
    last = steps[-1]
    if last["by"] == "containing":
        last["innermost"] = True
    if last["by"] != "nth":
        return Target(text, tuple(steps))
    if len(steps) == 1:
        raise InvalidArgs(f"{text!r} needs a selector before it.", hint=HINT)
    return Target(text, tuple(steps[:-1]), last["index"])


def _parse_part(part: str) -> list[Step]:
    if _unquote(part) not in ("", part):
        return [{"by": "text", "value": _unquote(part), "exact": True}]
    step = _parse_step(part)
    return parse_css(step["value"]) if step["by"] == "css" else [step]


def _parse_step(part: str) -> Step:
    if found := REF.fullmatch(part):
        return {"by": "ref", "number": int(found[1])}
    if part in ("first", "last"):
        return {"by": "nth", "index": 0 if part == "first" else -1}
    if found := _NTH.fullmatch(part):
        return {"by": "nth", "index": int(found[1])}
    if part.startswith(("//", "(//", "..")):
        return {"by": "xpath", "value": part}
    kind, sign, value = part.partition("=")
    parse = _PARSERS.get(kind.strip()) if sign else None
    if parse is None:
        return {"by": "css", "value": part}
    if not value.strip():
        raise InvalidArgs(f"{kind}= has no value.", hint=HINT)
    return {"by": kind.strip()} | parse(value.strip())


def _parse_plain(value: str) -> Step:
    return {"value": value}


def _parse_text(value: str) -> Step:
    inner = _unquote(value)
    return {"value": inner, "exact": inner != value}


def _parse_role(value: str) -> Step:
    found = _ROLE.fullmatch(value)
    if found is None:
        raise InvalidArgs(
            f"role={value} is malformed.", hint='Write role=button, or role=button[name="Save"].'
        )
    written = found[2] or found[3]
    name = None if written is None else _unquote(written)
    return {"value": found[1].lower(), "name": name, "exact": False}


def _parse_id(value: str) -> Step:
    return {"by": "css", "value": f'[id="{_unquote(value)}"]'}


def _unquote(text: str) -> str:
    quoted = len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text


_PARSERS: Final[dict[str, Callable[[str], Step]]] = {
    "css": _parse_plain,
    "xpath": _parse_plain,
    "testid": _parse_plain,
    "data-testid": lambda value: {"by": "testid", "value": _unquote(value)},
    "id": _parse_id,
    "text": _parse_text,
    "label": _parse_text,
    "placeholder": _parse_text,
    "alt": _parse_text,
    "title": _parse_text,
    "role": _parse_role,
}
