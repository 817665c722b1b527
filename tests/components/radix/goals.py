"""Goals on Radix: controls without native inputs, menus, layers, tabs and an accordion."""

from tests.components.goals import click, fill, goal, hover, press, right_click

GOALS = [
    goal("checkbox", click('checkbox "I agree"'), shows='checkbox "I agree" (checked*', agree=True),
    goal("switch", fill('switch "Wi-Fi"', "true"), shows='switch "Wi-Fi" (checked*', wifi=True),
    goal("radio", click('radio "large"'), shows='radio "large" (checked*', size="large"),
    goal("slider", fill('slider "Volume"', "70"), shows='slider "Volume" = "70"', volume=70),
    goal("slider by keys", press("ArrowRight", 'slider "Volume"'), shows='slider "Volume" = "31"', volume=31),
    goal("toggle group", click('radio "Left"'), shows='radio "Left" (checked*', alignment="left"),
    goal(
        "select",
        click('combobox "Fruit"'),
        click('option "Pear"'),
        shows='combobox "Fruit" = "Pear"',
        fruit="pear",
    ),
    goal("select by fill", fill('combobox "Fruit"', "Pear"), shows='combobox "Fruit" = "Pear"', fruit="pear"),
    goal(
        "menu",
        click('button "Actions"'),
        click('menuitem "Rename"'),
        hides='menuitem "Rename"',
        command="rename",
    ),
    goal("menu checkbox", click('button "Actions"'), click('menuitemcheckbox "Show grid"'), grid=True),
    goal(
        "submenu",
        click('button "Actions"'),
        click('menuitem "Share"'),
        click('menuitem "By mail"'),
        command="mail",
    ),
    goal("context menu", right_click('* "Right-click here"'), click('menuitem "Paste"'), command="paste"),
    goal(
        "dialog",
        click('button "Edit profile"'),
        fill('dialog "Edit profile" / textbox "Name"', "Ada"),
        click('dialog "Edit profile" / button "Close"'),
        hides="dialog",
        name="Ada",
        editing=False,
    ),
    goal(
        "alert dialog",
        click('button "Delete account"'),
        click('alertdialog "Are you sure?" / button "Yes, delete"'),
        hides="alertdialog",
        deleted=True,
    ),
    goal("popover", click('button "Filters"'), shows='*"Nothing to filter"', filters=True),
    goal("tooltip", hover('button "Save"'), shows='*"Saves a copy"', tip=True),
    goal("hover card", hover('link "Ada Lovelace"'), shows='*"Wrote the first program"', card=True),
    goal("tabs", click('tab "Billing"'), shows='"Your invoices"', tab="billing"),
    goal("accordion", click('button "Shipping"'), shows='*"Ships in two days."', section="shipping"),
]
