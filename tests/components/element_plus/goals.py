"""Goals on Element Plus: a form with its controls, overlays, a tree and a table."""

from tests.components.goals import click, fill, goal, hover, press, upload

GOALS = [
    goal("text field", fill('textbox "Full name"', "Ada"), shows='textbox "Full name" = "Ada"', name="Ada"),
    goal("number field", fill('spinbutton "Seats"', "4"), shows='spinbutton "Seats" = "4"', seats=4),
    goal(
        "select",
        click('combobox "Country"'),
        click('option "Portugal"'),
        shows='combobox "Country" = "Portugal"',
        country="Portugal",
    ),
    goal(
        "search-select",
        fill('combobox "City"', "Lis"),
        click('option "Lisbon"'),
        shows='combobox "City" = "Lisbon"',
        city="Lisbon",
    ),
    goal(
        "multi-select",
        click('combobox "Hobbies"'),
        click('option "Chess"'),
        click('option "Cooking"'),
        press("Escape"),
        shows="*Cooking*",
        hobbies=["Chess", "Cooking"],
    ),
    goal(
        "date by fill",
        fill('combobox "Arrival"', "2026-05-15"),
        press("Enter"),
        shows='combobox "Arrival" = "2026-05-15"',
        arrival="2026-05-15",
    ),
    goal(
        "date by the calendar",
        click('combobox "Arrival"'),
        click('* "15"'),
        shows='combobox "Arrival" = "2026-05-15"',
        arrival="2026-05-15",
    ),
    goal("switch", click('switch "Wi-Fi"'), shows='switch "Wi-Fi" (checked*', wifi=True),
    goal("radio", click('radio "Large"'), shows='radio "Large" (checked*', size="large"),
    goal("checkbox", click('checkbox "Sport"'), shows='checkbox "Sport" (checked*', topics=["sport"]),
    goal("slider", fill('slider "Volume"', "70"), shows='slider "Volume" = "70"', volume=70),
    goal("rating", fill('slider "Stars"', "4"), shows='slider "Stars" = "4"', stars=4),
    goal("upload", upload('button "Choose photo"', "report.txt"), shows="*report.txt*", photo="report.txt"),
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
        click('dialog "Delete this file?" / button "Delete"'),
        hides="dialog",
        deleted=True,
    ),
    goal("tooltip", hover('button "Save"'), shows='*"Saves a copy"', tip=True),
    goal("tabs", click('tab "Billing"'), shows='*"Your invoices"', tab="billing"),
    goal("accordion", click('button "Shipping"'), shows='*"Ships in two days."', sections=["shipping"]),
    goal("tree", click('treeitem "Fruit"'), click('treeitem "Pear"'), item="Pear"),
    goal(
        "table sort", click('columnheader with "Name"'), shows="columnheader* (*ascending*", order="ascending"
    ),
    goal(
        "table row selection",
        click('row with "Ada" / checkbox'),
        shows='row with "Ada" / checkbox* (checked*',
        chosen=["Ada"],
    ),
]
