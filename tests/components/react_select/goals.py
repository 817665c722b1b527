"""Goals on react-select: search, several values, new values."""

from tests.components.goals import click, fill, goal, press

GOALS = [
    goal(
        "select",
        click('combobox "Fruit"'),
        click('option "Pear"'),
        shows="*Pear*",
        fruit="pear",
    ),
    goal("search", fill('combobox "Fruit"', "Pe"), click('option "Pear"'), shows="*Pear*", fruit="pear"),
    goal("select by fill", fill('combobox "Fruit"', "Pear"), press("Enter"), shows="*Pear*", fruit="pear"),
    goal(
        "multi-select",
        click('combobox "Hobbies"'),
        click('option "Cooking"'),
        shows='button "Remove Cooking"',
        hobbies=["chess", "cooking"],
    ),
    goal("remove a value", click('button "Remove Chess"'), hides='button "Remove Chess"', hobbies=[]),
    goal(
        "new value",
        fill('combobox "Labels"', "Urgent"),
        click('option "Create*Urgent*"'),
        shows='button "Remove Urgent"',
        labels=["Urgent"],
    ),
    goal(
        "select without search",
        click('combobox "Colour"'),
        click('option "Blue"'),
        shows="*Blue*",
        colour="blue",
    ),
]
