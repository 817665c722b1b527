"""Goals on jQuery UI: widgets that it makes of plain elements."""

from tests.components.goals import click, drag, fill, goal, hover, press

GOALS = [
    goal(
        "autocomplete",
        fill('textbox "City"', "Lis"),
        click('* "Lisbon"'),
        shows='textbox "City" = "Lisbon"',
        city="Lisbon",
    ),
    goal(
        "date by the calendar",
        click('textbox "Arrival"'),
        click('link "15"'),
        shows='textbox "Arrival" = "05/15/2026"',
        arrival="05/15/2026",
    ),
    goal("spinner", fill('spinbutton "Seats"', "4"), shows='spinbutton "Seats" = "4"', seats="4"),
    goal(
        "select menu",
        click('combobox "Speed"'),
        click('option "Fast"'),
        shows='combobox "Speed" = "Fast"',
        speed="Fast",
    ),
    goal("checkbox", click('checkbox "I agree"'), shows='checkbox "I agree" (checked*', agree=True),
    goal("radio", click('radio "Large"'), shows='radio "Large" (checked*', size="large"),
    goal("slider by keys", press("ArrowRight", '* "Volume"'), volume=31),
    goal("tabs", click('tab "Billing"'), shows='*"Your invoices"', tab="billing"),
    goal("accordion", click('tab "Returns"'), shows='*"Within a month."', section="Returns"),
    goal("menu", click('menuitem "Open"'), command="Open"),
    goal("submenu", click('menuitem "Export"'), click('menuitem "As PDF"'), command="As PDF"),
    goal(
        "dialog",
        click('button "Delete file"'),
        click('dialog "Delete this file?" / button "Delete"'),
        hides="dialog",
        deleted=True,
    ),
    goal("tooltip", hover('button "Save"'), shows="*Saves a copy*", tip=True),
    goal("selectable", click('*"Tuesday"'), day="Tuesday"),
    goal(
        "sortable",
        drag('*"Apples"', '*"Cheese"'),
        products=["Bread", "Cheese", "Apples"],
    ),
    goal("drag and drop", drag('*"Coffee*"', '*"Basket"'), dropped="Coffee"),
]
