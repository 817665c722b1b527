"""Goals on Quill: text, and the buttons of its toolbar."""

from tests.components.goals import click, fill, goal, press

GOALS = [
    goal("replace the text", fill("textbox", "Dear Ada"), shows='textbox = "Dear Ada"', text="Dear Ada\n"),
    goal("clear", fill("textbox", ""), text="\n"),
    goal(
        "bold",
        press("Control+a", "textbox"),
        click('button "bold"'),
        shows='button "bold" (pressed*',
        html="<p><strong>Dear reader</strong></p>",
    ),
    goal(
        "heading",
        press("Control+a", "textbox"),
        click('button "Normal"'),
        click('* "Heading 1"'),
        html="<h1>Dear reader</h1>",
    ),
]
