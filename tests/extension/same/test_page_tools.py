"""Tools that pages offer, in the user's own Chrome: the same tests."""

from tests.actions.test_page_tools import *  # noqa: F403 - all of them
