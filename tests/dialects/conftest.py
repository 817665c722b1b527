"""The hub that the tests of doors share."""

from tests.doors.conftest import shared_hub

__all__ = ["shared_hub"]
