"""How goals find an element in a snapshot."""

import pytest

from tests.components.driver import find

SNAPSHOT = """[Snapshot of 127.0.0.1]
- @e1: button "SAVE" (focused)
- @e2: combobox "Fruit" (collapsed)
  - "Pear"
- @e3: combobox "Size" = "Large"
- @e4: table "People"
  - row: @e5: checkbox (unchecked) | "Grace" | @e6: textbox "Born" = "1906", @e7: button "Clear"
  - row
    - cell
      - @e8: checkbox (checked)
    - cell "Ada"
- "Plain text"
"""


@pytest.mark.parametrize(
    ("element", "ref"),
    [
        ('button "Save"', "e1"),
        ('combobox "Fruit" = "Pear"', "e2"),
        ('combobox "Fruit" = "Apple"', "nothing"),
        ('combobox "Size" = "Large"', "e3"),
        ('combobox "Size" = "Lar*"', "e3"),
        ('row with "Grace" / checkbox', "e5"),
        ('row with "Grace" / button "Clear"', "e7"),
        ('row with "Ada" / checkbox', "e8"),
        ('row with "Ada" / checkbox (checked*', "e8"),
        ('row with "Grace" / checkbox (checked*', "nothing"),
        ('* "Born"', "e6"),
        ("*Plain*", None),
        ('table "People" / button "Save"', "nothing"),
    ],
)
def test_an_element_is_found_as_a_goal_writes_it(element: str, ref: str | None) -> None:
    line = find(SNAPSHOT, element)
    assert (line.ref if line else "nothing") == ref
