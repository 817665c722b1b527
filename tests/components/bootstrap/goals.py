"""Goals on Bootstrap: styled native controls, and components that data attributes start."""

from tests.components.goals import click, fill, goal, hover, upload

GOALS = [
    goal("text field", fill('textbox "Full name"', "Ada"), shows='textbox "Full name" = "Ada"', name="Ada"),
    goal(
        "floating label",
        fill('textbox "Email address"', "ada@example.com"),
        shows='textbox "Email address" = "ada@example.com"',
        email="ada@example.com",
    ),
    goal("select", fill('combobox "Fruit"', "Pear"), shows='combobox "Fruit" = "Pear"', fruit="pear"),
    goal("checkbox", click('checkbox "I agree"'), shows='checkbox "I agree" (checked*', agree=True),
    goal("switch", fill('switch "Wi-Fi"', "true"), shows='switch "Wi-Fi" (checked*', wifi=True),
    goal("button radio", click('radio "Large"'), shows='radio "Large" (checked*', large=True),
    goal("slider", fill('slider "Volume"', "70"), shows='slider "Volume" = "70"', volume="70"),
    goal("input group", fill('textbox "Username"', "ada"), shows='textbox "Username" = "ada"', user="ada"),
    goal("upload", upload('button "Photo"', "report.txt"), shows="*report.txt*", photo="report.txt"),
    goal("tabs", click('tab "Billing"'), shows='*"Your invoices"', tab="billing"),
    goal("accordion", click('button "Shipping"'), shows='*"Ships in two days."', shipping=True),
    goal(
        "dropdown",
        click('button "Actions"'),
        click('link "Archive"'),
        hides='link "Archive"',
        hash="#archive",
    ),
    goal(
        "modal",
        click('button "Delete file"'),
        click('dialog "Delete this file?" / button "Delete"'),
        hides="dialog",
        deleted=True,
    ),
    goal("drawer", click('button "Cart"'), shows='*"It is empty."', cart=True),
    goal("tooltip", hover('button "Save"'), shows='*"Saves a copy"', tip=True),
    goal("popover", click('button "Help"'), shows="*Call us*", help=True),
    goal("toast", click('button "Notify"'), shows="*Message sent*", notified=True),
    goal("pagination", click('link "2"'), hash="#2"),
]
