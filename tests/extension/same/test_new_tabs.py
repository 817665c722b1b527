"""Tabs that pages open, in the user's own Chrome: the same tests."""

from tests.actions.test_new_tabs import *  # noqa: F403 - all of them
