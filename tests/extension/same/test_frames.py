"""Frames, in the person's own Chrome: the same tests."""

from tests.runner.test_frames import *  # noqa: F403 - all of them
