"""Prints the test coverage, and fails if it is too low: covered.py REPORT."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MINIMUM = {"lines": 85, "branches": 80, "functions": 85}


def main(report: Path) -> int:
    """Print one line; return the exit code."""
    content = json.loads(report.read_text())
    totals, functions = content["totals"], list(_functions(content))
    ran = {
        "lines": 100 * totals["covered_lines"] / totals["num_statements"],
        "branches": 100 * totals["covered_branches"] / totals["num_branches"],
        "functions": 100 * sum(functions) / len(functions),
    }
    shares = ", ".join(f"{share:.1f} % of {kind} (at least {MINIMUM[kind]})" for kind, share in ran.items())
    print(f"The tests ran {shares}.")
    return int(any(share < MINIMUM[kind] for kind, share in ran.items()))


def _functions(content: dict[str, Any]) -> Iterator[bool]:
    """Yield for each function whether a line of its body ran; "" is the code outside of functions."""
    for file in content["files"].values():
        for name, function in file["functions"].items():
            if name and function["summary"]["num_statements"]:
                yield function["summary"]["covered_lines"] > 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
