"""Goals on select2: selects replaced by its own boxes."""

from tests.components.goals import click, fill, goal, press

GOALS = [
    goal(
        "select",
        click('combobox "Country*"'),
        click('option "Portugal"'),
        shows='combobox "Country*" = "Portugal"',
        country="Portugal",
    ),
    goal(
        "search in a select",
        click('combobox "Country"'),
        fill("searchbox* (*focused*", "Por"),
        press("Enter"),
        shows='combobox "Country" = "Portugal"',
        country="Portugal",
    ),
    goal(
        "multi-select",
        click('combobox "Hobbies"'),
        click('option "Chess"'),
        shows="*Chess*",
        hobbies=["Chess"],
    ),
    goal(
        "tags",
        fill('combobox "Keywords" / searchbox', "draft"),
        press("Enter"),
        shows="*draft*",
        words=["draft"],
    ),
    goal(
        "select with a placeholder",
        click('combobox "Plan"'),
        click('option "Team"'),
        shows='combobox "Plan" = "Team"',
        plan="Team",
    ),
]
