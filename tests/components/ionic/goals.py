"""Goals on Ionic: controls inside shadow roots, overlays in place of native pickers."""

from tests.components.goals import click, fill, goal, press

GOALS = [
    goal("text field", fill('textbox "Full name"', "Ada"), shows='textbox "Full name" = "Ada"', name="Ada"),
    goal("text area", fill('textbox "Notes"', "Hello"), shows='textbox "Notes" = "Hello"', notes="Hello"),
    goal(
        "select with an alert",
        click('* "Fruit*"'),
        click('radio "Pear"'),
        click('button "OK"'),
        shows='button "Fruit, Pear"',
        fruit="pear",
    ),
    goal(
        "select with a popover",
        click('* "Colour*"'),
        click('radio "Blue"'),
        shows='button "Colour, Blue"',
        colour="blue",
    ),
    goal(
        "multi-select",
        click('* "Toppings*"'),
        click('checkbox "Olives"'),
        click('button "OK"'),
        shows='button "Toppings, Olives"',
        toppings=["olives"],
    ),
    goal("checkbox", click('checkbox "I agree"'), shows='checkbox "I agree" (checked*', agree=True),
    goal("switch", fill('switch "Wi-Fi"', "true"), shows='switch "Wi-Fi" (checked*', wifi=True),
    goal("radio", click('radio "Large"'), shows='radio "Large" (checked*', size="large"),
    goal("slider", fill('slider "Volume*"', "70"), shows='slider "Volume*" = "70"', volume=70),
    goal("slider by keys", press("ArrowRight", 'slider "Volume*"'), shows='slider * = "31"', volume=31),
    goal("clickable row", click('button "Open settings"'), settings=True),
    goal("search field", fill("searchbox*", "Ada"), shows='searchbox* = "Ada"', query="Ada"),
    goal("segment", click('tab "Map"'), shows='tab "Map" (selected*', view="map"),
    goal("accordion", click('button "Shipping"'), shows='*"Ships in two days."', section="shipping"),
    goal(
        "date by the calendar",
        click('button "Friday, May 15"'),
        shows='button "Friday, May 15" (*selected*',
        arrival="2026-05-15",
    ),
    goal(
        "alert",
        click('button "Delete file"'),
        click('alertdialog "Delete this file?" / button "Delete"'),
        hides="alertdialog",
        deleted=True,
    ),
    goal(
        "action sheet",
        click('button "Share"'),
        click('button "Everyone"'),
        hides='button "Everyone"',
        shared="everyone",
    ),
    goal(
        "modal",
        click('button "Edit profile"'),
        fill('textbox "Nickname"', "Ada"),
        shows='textbox "Nickname" = "Ada"',
        nickname="Ada",
    ),
]
