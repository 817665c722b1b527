"""The corpus: our own pages, and the tools expected of each, written by hand.

`tests/pages/<name>/page.html` is served with the files next to it; `{{self}}` in it is its origin, `{{other}}`
another of the same server. `expected.toml` says what must be offered (`tool`), what may be (`optional`: patterns
of names), what must not (`never`: parts of names and keys), and the same for what the page becomes `after` some
calls (`later`).
"""

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from tests.web import Request, Response, Web

FOLDER = Path(__file__).parents[1] / "pages"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/expected.toml"))
_CITIES = ("Lima", "Lisbon", "Lille", "London", "Lyon", "Oslo")


@dataclass(frozen=True, kw_only=True)
class Call:
    """One call of a tool, and its expected effect.

    `sees` and `unseen` are texts on the page, `values` the values of fields, `says` texts of the answer or
    the error, `silent` texts in neither. `fails` names the expected errors; `either` leaves open whether
    our schema or the page rejects them. `alternatives` are arguments for a tool that takes an index instead of a name.
    """

    arguments: dict[str, Any] = field(default_factory=dict)
    alternatives: Sequence[dict[str, Any]] = ()
    before: Sequence[dict[str, Any]] = ()
    sees: Sequence[str] = ()
    unseen: Sequence[str] = ()
    says: Sequence[str] = ()
    silent: Sequence[str] = ()
    url: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    fails: str = ""
    either: bool = False


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One parameter: the best key, equally good keys, and what its schema must contain."""

    key: str
    also: tuple[str, ...]
    at: str  # text of the page that identifies it by its description, whatever its key
    may: tuple[str, ...]  # what its schema may also contain
    facts: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A tool that must or may be listed."""

    names: tuple[str, ...]
    at: str
    parameters: tuple[Parameter, ...]
    optional_parameters: tuple[str, ...]
    calls: tuple[Call, ...]
    optional: bool


@dataclass(frozen=True, kw_only=True)
class State:
    """The tools of a page after some calls, or at first."""

    after: tuple[dict[str, Any], ...]
    tools: tuple[Tool, ...]
    optional: tuple[str, ...]
    never: tuple[str, ...]
    most: int


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page of the corpus."""

    name: str
    kind: str
    files: tuple[str, ...]
    states: tuple[State, ...]

    def tool(self, name: str) -> Tool:
        """Return the tool with this best name, in any state."""
        return next(tool for state in self.states for tool in state.tools if tool.names[0] == name)


def load(name: str) -> Page:
    """Read the expectations for a page."""
    expectation = tomllib.loads((FOLDER / name / "expected.toml").read_text())
    states = tuple(_state(part) for part in (expectation, *expectation.get("later", ())))
    return Page(name=name, kind=expectation["kind"], files=tuple(expectation.get("files", ())), states=states)


def mount(web: Web, name: str) -> str:
    """Serve a page with its files; return its URL."""
    for path in (FOLDER / name).glob("*.html"):
        html = path.read_text().replace("{{other}}", web.other_site).replace("{{self}}", web.url)
        web.route(f"/{name}/{path.name}", partial(_answer, Response(html)))
    web.route("/sent", _echo_form)
    web.route("/suggest", _suggest_cities)
    return f"{web.url}/{name}/page.html"


def _state(expectation: dict[str, Any]) -> State:
    return State(
        after=tuple(expectation.get("after", ())),
        tools=tuple(_tool(tool) for tool in expectation.get("tool", ())),
        optional=tuple(expectation.get("optional", ())),
        never=tuple(expectation.get("never", ())),
        most=expectation.get("most", 20),
    )


def _tool(expectation: dict[str, Any]) -> Tool:
    names = expectation["name"]
    return Tool(
        names=(names,) if isinstance(names, str) else tuple(names),
        at=expectation.get("at", ""),
        parameters=tuple(_parameter(key, facts) for key, facts in expectation.get("parameters", {}).items()),
        optional_parameters=tuple(expectation.get("optional_parameters", ())),
        calls=tuple(Call(**call) for call in expectation.get("call", ())),
        optional=expectation.get("optional", False),
    )


def _parameter(key: str, expectation: dict[str, Any]) -> Parameter:
    return Parameter(
        key=key,
        also=tuple(expectation.get("also", ())),
        at=expectation.get("at", ""),
        may=tuple(expectation.get("may", ())),
        facts={name: value for name, value in expectation.items() if name not in {"also", "at", "may"}},
    )


def _answer(response: Response, _: Request) -> Response:
    return response


def _echo_form(request: Request) -> Response:
    """Return what a form submitted, one line per field."""
    kind = request.headers.get("content-type", "")
    fields = parse_qsl(request.query)
    fields += _parts(request) if "multipart" in kind else parse_qsl(request.body.decode())
    lines = "".join(f"<li>{name}: {value}</li>" for name, value in fields)
    return Response(f"<!doctype html><meta charset=utf-8><title>Received</title><ul>{lines}</ul>")


def _parts(request: Request) -> list[tuple[str, str]]:
    """Parse a multipart body; a file becomes its name."""
    boundary = request.headers["content-type"].partition("boundary=")[2]
    fields = []
    for part in request.body.decode("utf-8", "replace").split(f"--{boundary}")[1:-1]:
        head, _, value = part.partition("\r\n\r\n")
        quoted = head.split('"')
        fields.append((quoted[1], quoted[3] if "filename=" in head else value.strip()))
    return fields


def _suggest_cities(request: Request) -> Response:
    """Suggest cities, as a server behind a combobox does."""
    typed = dict(parse_qsl(request.query)).get("q", "").lower()
    found = [{"id": n, "name": city} for n, city in enumerate(_CITIES, 1) if city.lower().startswith(typed)]
    return Response(json.dumps(found if typed else []), headers={"content-type": "application/json"})
