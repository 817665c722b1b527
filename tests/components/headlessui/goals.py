"""Goals on Headless UI: listboxes, a combobox, layers and controls without native inputs."""

from tests.components.goals import click, fill, goal, press

GOALS = [
    goal("text field", fill('textbox "Full name"', "Ada"), shows='textbox "Full name" = "Ada"', name="Ada"),
    goal("checkbox", click('checkbox "I agree"'), shows='checkbox "I agree" (checked*', agree=True),
    goal("switch", click('switch "Wi-Fi"'), shows='switch "Wi-Fi" (checked*', wifi=True),
    goal("radio", click('radio "large"'), shows='radio "large" (checked*', size="large"),
    goal(
        "listbox",
        click('button "Owner*"'),
        click('option "Grace"'),
        shows='button "Owner*Grace"',
        owner="Grace",
    ),
    goal(
        "multi-select",
        click('button "Team*"'),
        click('option "Ada"'),
        click('option "Grace"'),
        press("Escape"),
        shows='button "Team*Ada, Grace"',
        team=["Ada", "Grace"],
    ),
    goal(
        "combobox",
        fill('combobox "Author"', "Gr"),
        click('option "Grace"'),
        shows='combobox "Author" = "Grace"',
        author="Grace",
    ),
    goal(
        "menu",
        click('button "Actions"'),
        click('menuitem "Rename"'),
        hides='menuitem "Rename"',
        command="rename",
    ),
    goal(
        "dialog",
        click('button "Delete file"'),
        click('dialog "Delete this file?" / button "Delete"'),
        hides="dialog",
        deleted=True,
    ),
    goal("popover", click('button "Filters"'), shows='*"Nothing to filter"', filters=True),
    goal("tabs", click('tab "Billing"'), shows='"Your invoices"', tab=1),
    goal("disclosure", click('button "Shipping"'), shows='*"Ships in two days."', shipping=True),
]
