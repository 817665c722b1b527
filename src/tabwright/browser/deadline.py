"""A deadline that ends in an error of ours, and what is left of one that several steps share."""

from collections.abc import Iterator
from contextlib import contextmanager

import anyio

from tabwright.errors import TimedOut


@contextmanager
def deadline(seconds: float, message: str, *, hint: str) -> Iterator[None]:
    """Raise `TimedOut` when the block takes longer."""
    try:
        with anyio.fail_after(seconds):
            yield
    except TimeoutError as error:
        raise TimedOut(message, hint=hint) from error


def left_until(moment: float) -> float:
    """Return the seconds until a moment of anyio's clock; none once it is over."""
    return max(0.0, moment - anyio.current_time())
