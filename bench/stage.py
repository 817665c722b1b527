"""Tells what is going on, beside the tables that are the output."""

import sys


def say(stage: str) -> None:
    """Print a line for the person who waits."""
    print(f"bench: {stage}", file=sys.stderr, flush=True)
