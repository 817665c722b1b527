"""What a caller writes to name an element, such as `@e7` or `text=…`."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tabwright.errors import InvalidArgs

_REF: Final = re.compile(r"@?e([1-9][0-9]{0,9})")
_ROLE: Final = re.compile(r"""([\w-]+)\s*(?:\[\s*name\s*=\s*(.+?)\s*\]|("[^"]*"|'[^']*'))?""", re.DOTALL)
_NTH: Final = re.compile(r"nth=(-?[0-9]{1,6})")
_LONGEST: Final = 20_000
HINT: Final = (
    'Write a ref (@e7), CSS, xpath=//…, text=…, role=button[name="Save"], label=…, placeholder=… or testid=….'
)

Step = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Target:
    """One target: the steps to follow in a frame, and which match to take when the caller chose one."""

    text: str
    steps: tuple[Step, ...]
    nth: int | None = None

    @property
    def ref(self) -> str | None:
        """The ref that it begins with, if it does."""
        return f"@e{self.steps[0]['number']}" if self.steps[0]["by"] == "ref" else None

    @property
    def only_ref(self) -> bool:
        """Whether it names one element for good, not a way to find one."""
        return self.ref is not None and len(self.steps) == 1

    def spec(self, nth: int | None = None) -> Step:
        """Return it as the scripts in the page take it."""
        return {"steps": self.steps, "nth": self.nth if nth is None else nth}


def parse_target(text: str) -> Target:
    """Read a target.

    Raises:
        InvalidArgs: it cannot be read; the message names the fault.
    """
    parts = [part.strip() for part in text.split(" >> ")]
    if not all(parts) or len(text) > _LONGEST:
        fault = "is too long" if len(text) > _LONGEST else "has an empty part" if text.strip() else "is empty"
        raise InvalidArgs(f"The target {fault}.", hint=HINT)
    steps = [_step(part) for part in parts]
    if any(step["by"] == "ref" for step in steps[1:]):
        raise InvalidArgs(f"In {text!r} a ref comes after another step.", hint="Begin with the ref.")
    last = steps[-1]
    if last["by"] != "nth":
        return Target(text, tuple(steps))
    if len(steps) == 1:
        raise InvalidArgs(f"{text!r} does not say of what.", hint=HINT)
    return Target(text, tuple(steps[:-1]), last["index"])


def _step(part: str) -> Step:
    if found := _REF.fullmatch(part):
        return {"by": "ref", "number": int(found[1])}
    if part in ("first", "last"):
        return {"by": "nth", "index": 0 if part == "first" else -1}
    if found := _NTH.fullmatch(part):
        return {"by": "nth", "index": int(found[1])}
    if part.startswith(("//", "(//", "..")):
        return {"by": "xpath", "value": part}
    kind, sign, value = part.partition("=")
    read = _READERS.get(kind.strip()) if sign else None
    if read is None:
        return {"by": "css", "value": part}
    if not value.strip():
        raise InvalidArgs(f"Nothing follows {kind}= in the target.", hint=HINT)
    return {"by": kind.strip()} | read(value.strip())


def _plain(value: str) -> Step:
    return {"value": value}


def _words(value: str) -> Step:
    inner = _unquoted(value)
    return {"value": inner, "exact": inner != value}


def _role(value: str) -> Step:
    found = _ROLE.fullmatch(value)
    if found is None:
        raise InvalidArgs(
            f"role={value} cannot be read.", hint='Write role=button, or role=button[name="Save"].'
        )
    written = found[2] or found[3]
    name = None if written is None else _unquoted(written)
    return {"value": found[1].lower(), "name": name, "exact": False}


def _unquoted(text: str) -> str:
    quoted = len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text


_READERS: Final[dict[str, Callable[[str], Step]]] = {
    "css": _plain,
    "xpath": _plain,
    "testid": _plain,
    "text": _words,
    "label": _words,
    "placeholder": _words,
    "alt": _words,
    "title": _words,
    "role": _role,
}
