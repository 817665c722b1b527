"""Plain English: the habits that made the code hard to read do not come back.

HOUSE rules that a machine can check: words that hide what a thing is, and participles as function names.
Everything else is for the reviewer, who reads each sentence aloud.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = sorted(path for name in ("src", "tests", "bench", "scripts") for path in (ROOT / name).rglob("*.py"))
SCRIPTS = sorted(
    path for path in (ROOT / "src").rglob("*") if path.suffix in (".js", ".html", ".css", ".json", ".md")
)
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / ".github").rglob("*.md")])

# Stilted phrases, with what to write instead.
PHRASES = {
    r"\b(?:told|untold)\b": "reported, sent, rendered: whichever it is",
    r"(?<![Tt]here )\b(?:is|are) no (?!longer\b|more\b|less\b|fewer\b|later\b|earlier\b|other\b)[a-z]": "is not a …",
    r"\bcannot be had\b": "is not available, is in use",
    r"\b(?:whoever|whomever|whosoever)\b": "the caller, the client, the user",
    r"\bin the place of\b": "instead of",
    r"\bof (?:our|its|their) own\b(?! (?:code|accord))": "our own …, its own …",
    r"\bare to be\b": "must be, should be",
    r"\ba person's leave\b": "approval",
    r"\bas it were\b": "(leave it out)",
    r"\bhas (?:it|them) not\b": "does not have",
    r"\bknows not\b": "does not know",
}
# Participles that once named functions. A function is an imperative verb.
PARTICIPLES = frozenset(
    [
        "acted",
        "amended",
        "asked",
        "begun",
        "called",
        "carried",
        "christened",
        "confined",
        "counted",
        "delivered",
        "described",
        "dressed",
        "enclosed",
        "examined",
        "filled",
        "fitted",
        "folded",
        "gathered",
        "given",
        "headed",
        "held",
        "hoisted",
        "joined",
        "judged",
        "kept",
        "lent",
        "listed",
        "looked",
        "made",
        "masked",
        "named",
        "offered",
        "ordered",
        "painted",
        "parted",
        "parted",
        "patterned",
        "pinned",
        "placed",
        "put_back",
        "quoted",
        "redacted",
        "refused",
        "requested",
        "said",
        "seen",
        "sent",
        "settled",
        "shortened",
        "shown",
        "stored",
        "taken",
        "told",
        "toured",
        "tried",
        "typed",
        "unpacked",
        "validated",
        "walked",
        "watched",
        "wished",
        "worked",
        "written",
    ]
)
NAMES = frozenset({"told", "untold", "telling", "lent", "astray", "farewell", "mourn", "christened"})


def test_no_name_hides_what_a_thing_is() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in PYTHON
        for line, name in names_in(path)
        if name.strip("_") in NAMES
    ]
    assert found == []


def test_no_function_is_named_by_a_participle() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in PYTHON
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.strip("_") in PARTICIPLES
        and not is_property(node)
    ]
    assert found == []


@pytest.mark.parametrize("phrase", PHRASES)
def test_no_stilted_phrase(phrase: str) -> None:
    pattern = re.compile(phrase)
    found = [
        f"{path.relative_to(ROOT)}:{number} {line.strip()[:100]}"
        for path in [*PYTHON, *SCRIPTS, *DOCUMENTS]
        if path != Path(__file__)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == [], f"Write: {PHRASES[phrase]}"


def names_in(path: Path) -> Iterator[tuple[int, str]]:
    """Yield every name that a file defines or uses, with its line."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.Name):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute):
            yield node.lineno, node.attr
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg


def is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
