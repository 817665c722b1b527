"""Whether the processes of a browser were at work between two looks."""

import pytest

from tabwright.browser.work import Work


@pytest.mark.parametrize(
    ("later", "worked"),
    [
        (Work(10.0, 5), False),
        (Work(10.01, 5), False),  # what an idle page uses
        (Work(10.1, 5), True),
        (Work(10.0, 6), True),  # its program is still being read from the disk
    ],
)
def test_a_process_that_computes_or_waits_for_the_disk_is_at_work(later: Work, worked: bool) -> None:
    assert later.since(Work(10.0, 5)) is worked
