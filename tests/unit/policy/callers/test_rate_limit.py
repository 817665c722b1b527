"""The rate limit, with a clock that the test controls."""

import pytest

from tabwright.errors import Denied
from tabwright.policy.callers.rate_limit import RateLimit


def test_a_caller_above_its_rate_learns_when_to_try_again() -> None:
    now = 0.0
    limit = RateLimit(2, 3, clock=lambda: now)
    for _ in range(3):
        limit.take("ada")
    with pytest.raises(Denied) as caught:
        limit.take("ada")
    assert str(caught.value) == "ada makes more calls than 2 a second. Try again in 0.5 s."
    limit.take("grace")
    now = 0.5
    limit.take("ada")
