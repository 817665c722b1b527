"""Actions on a real page, in the user's own Chrome: the same tests."""

from tests.actions.test_actions import *  # noqa: F403 - all of them
