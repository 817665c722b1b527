"""Goals on Ant Design: a form with its controls, overlays, a tree and a table."""

from tests.components.goals import click, fill, goal, hover, press, upload

GOALS = [
    goal("text field", fill('textbox "Full name"', "Ada"), shows='textbox "Full name" = "Ada"', name="Ada"),
    goal("number field", fill('spinbutton "Seats"', "4"), shows='spinbutton "Seats" = "4"', seats=4),
    goal(
        "select",
        click('combobox "Country"'),
        click('* "Portugal"'),
        shows='combobox "Country" = "Portugal"',
        country="portugal",
    ),
    goal(
        "select by fill",
        fill('combobox "Country"', "Portugal"),
        shows='combobox "Country" = "Portugal"',
        country="portugal",
    ),
    goal(
        "search-select",
        fill('combobox "City"', "Lis"),
        click('* "Lisbon"'),
        shows='combobox "City" = "Lisbon"',
        city="lisbon",
    ),
    goal(
        "multi-select",
        click('combobox "Hobbies"'),
        click('* "Chess"'),
        click('* "Cooking"'),
        press("Escape"),
        shows="*Cooking*",
        hobbies=["chess", "cooking"],
    ),
    goal(
        "cascader",
        click('combobox "Place"'),
        click('menuitemcheckbox "Portugal*"'),
        click('menuitemcheckbox "Lisbon*"'),
        shows='combobox "Place" = "Portugal*Lisbon"',
        place=["portugal", "lisbon"],
    ),
    goal(
        "date by fill",
        fill('textbox "Arrival"', "2026-05-15"),
        press("Enter"),
        shows='textbox "Arrival" = "2026-05-15"',
        arrival="2026-05-15",
    ),
    goal(
        "date by the calendar",
        click('textbox "Arrival"'),
        click('* "15"'),
        shows='textbox "Arrival" = "2026-05-15"',
        arrival="2026-05-15",
    ),
    goal("checkbox", click('checkbox "I agree"'), shows='checkbox "I agree" (checked*', agree=True),
    goal("radio", click('radio "Large"'), shows='radio "Large" (checked*', size="large"),
    goal("switch", click('switch "Wi-Fi"'), shows='switch "Wi-Fi" (checked*', wifi=True),
    goal("slider", fill('slider "Volume"', "70"), shows='slider "Volume" = "70"', volume=70),
    goal("rating", click("radio*4 of 5*"), shows="radio*(checked*4 of 5*", stars=4),
    goal("upload", upload('button "Choose photo"', "report.txt"), shows="*report.txt*", photo=["report.txt"]),
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
    goal("popconfirm", click('button "Leave"'), click('button "Yes"'), hides='button "Yes"', left=True),
    goal("tooltip", hover('button "Save"'), shows='*"Saves a copy"', tip=True),
    goal("segmented", click('radio "Week"'), shows='radio "Week" (checked*', range="Week"),
    goal("tabs", click('tab "Billing"'), shows='*"Your invoices"', tab="billing"),
    goal("accordion", click('button "Shipping"'), shows='*"Ships in two days."', open=["shipping"]),
    goal(
        "tree",
        click('treeitem "*Fruit*" / checkbox'),
        shows='treeitem "*Fruit*" / checkbox* (checked*',
        checked=["fruit", "apple", "pear"],
    ),
    goal(
        "table sort", click('columnheader "Name"'), shows='columnheader "Name" (*ascending*', order="ascend"
    ),
    goal(
        "table row selection",
        click('row with "Ada" / checkbox'),
        shows='row with "Ada" / checkbox* (checked*',
        chosen=["Ada"],
    ),
]
