"""Functions and files stay small."""

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
LONGEST_FUNCTION = 60
LONGEST_FILE = 450


def test_no_function_is_longer_than_a_screen() -> None:
    assert [name for name, lines in functions() if lines > LONGEST_FUNCTION] == []


def test_no_file_is_too_long() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in SOURCE.rglob("*.py")}
    assert [str(path.relative_to(SOURCE)) for path, lines in lengths.items() if lines > LONGEST_FILE] == []


def functions() -> Iterator[tuple[str, int]]:
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
                place = f"{path.relative_to(SOURCE)}:{node.lineno} {node.name}"
                yield place, node.end_lineno - node.lineno + 1
