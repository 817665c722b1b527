"""Prints the test coverage, and fails if it is too low: covered.py REPORT."""

import json
import sys
from pathlib import Path

MINIMUM = {"lines": 85, "branches": 80}


def main(report: Path) -> int:
    """Print one line; return the exit code."""
    totals = json.loads(report.read_text())["totals"]
    ran = {
        "lines": 100 * totals["covered_lines"] / totals["num_statements"],
        "branches": 100 * totals["covered_branches"] / totals["num_branches"],
    }
    shares = ", ".join(f"{share:.1f} % of {kind} (at least {MINIMUM[kind]})" for kind, share in ran.items())
    print(f"The tests ran {shares}.")
    return int(any(share < MINIMUM[kind] for kind, share in ran.items()))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
