"""Tools of a tab, in the user's own Chrome: the same tests."""

from tests.actions.test_small_actions import *  # noqa: F403 - all of them
