"""Progress messages on stderr; the tables go to stdout."""

import sys


def report_progress(stage: str) -> None:
    """Print one line of progress."""
    print(f"bench: {stage}", file=sys.stderr, flush=True)
