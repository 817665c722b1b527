"""Tools of a tab, in the person's own Chrome: the same tests."""

from tests.runner.test_tab_tools import *  # noqa: F403 - all of them
