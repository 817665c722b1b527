"""Frames, in the user's own Chrome: the same tests."""

from tests.actions.test_frames import *  # noqa: F403 - all of them
