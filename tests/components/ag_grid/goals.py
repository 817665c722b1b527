"""Goals on AG Grid: sort, filter, edit, select and page."""

from tests.components.goals import click, double_click, fill, goal, press

GOALS = [
    goal("sort", click('* "Make"'), sort="asc"),
    goal("filter", fill('textbox "Model Filter Input"', "Box"), shows='*"Boxster"*', shown=1),
    goal(
        "row selection",
        click('row with "Ford" / checkbox "*row selection*"'),
        shows='row with "Ford" / checkbox * (checked*',
        chosen=["Ford"],
    ),
    goal(
        "edit a cell",
        double_click('row with "Ford" / * "Mondeo"'),
        fill('textbox "Input Editor"', "Focus"),
        press("Enter"),
        shows='row with "Focus"',
        edited={"make": "Ford", "model": "Focus", "price": 32000, "electric": False},
    ),
    goal(
        "checkbox cell",
        click('row with "Ford" / checkbox "*cell value*"'),
        edited={"make": "Ford", "model": "Mondeo", "price": 32000, "electric": True},
    ),
    goal("next page", click('button "Next Page"'), shows='row with "Porsche"', page=1),
    goal(
        "page size",
        click('combobox "Page Size"'),
        click('option "20"'),
        shows='combobox "Page Size" = "20"',
    ),
]
