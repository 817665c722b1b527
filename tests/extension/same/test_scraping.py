"""Reading by CSS, in the user's own Chrome: the same tests, whose arguments contain nulls."""

from tests.actions import test_css_extract as there

test_values_are_read_by_css_as_shown = there.test_values_are_read_by_css_as_shown
test_numbers_are_parsed_in_any_notation = there.test_numbers_are_parsed_in_any_notation
