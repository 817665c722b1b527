"""Goals on Material Web: controls inside shadow roots, with roles that only the browser knows."""

from tests.components.goals import click, fill, goal

GOALS = [
    goal("text field", fill('textbox "Full name"', "Ada"), shows='textbox "Full name" = "Ada"', name="Ada"),
    goal("text area", fill('textbox "Notes"', "Hello"), shows='textbox "Notes" = "Hello"', notes="Hello"),
    goal(
        "select",
        click('combobox "Fruit"'),
        click('option "Pear"'),
        shows='combobox "Fruit" = "Pear"',
        fruit="pear",
    ),
    goal("checkbox", click('checkbox "I agree"'), shows='checkbox "I agree" (checked*', agree=True),
    goal("switch", click('switch "Wi-Fi"'), shows='switch "Wi-Fi" (checked*', wifi=True),
    goal("radio", click('radio "Large"'), shows='radio "Large" (checked*', size="large"),
    goal("slider", fill('slider "Volume"', "70"), shows='slider "Volume" = "70"', volume=70),
    goal("chip", click('button "Olives"'), shows='button "Olives" (pressed*', olives=True),
    goal("tabs", click('tab "Billing"'), shows='*"Your invoices"', tab="billing"),
    goal(
        "menu",
        click('button "Actions"'),
        click('menuitem "Archive"'),
        hides='menuitem "Archive"',
        command="archive",
    ),
    goal(
        "dialog",
        click('button "Delete file"'),
        click('dialog* / button "Delete"'),
        hides="dialog",
        answer="delete",
    ),
    goal("toggle", click('button "Favourite"'), shows='button "Favourite" (pressed*', favourite=True),
    goal("list item", click('* "Open settings"'), settings=True),
]
