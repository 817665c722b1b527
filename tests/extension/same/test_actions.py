"""Actions on a real page, in the person's own Chrome: the same tests."""

from tests.actions.test_actions import *  # noqa: F403 - all of them
