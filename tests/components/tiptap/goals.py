"""Goals on Tiptap: text, and buttons that change it."""

from tests.components.goals import click, fill, goal, press

GOALS = [
    goal(
        "replace the text", fill("textbox", "Dear Ada"), shows='textbox = "Dear Ada"', html="<p>Dear Ada</p>"
    ),
    goal("clear", fill("textbox", ""), html="<p></p>"),
    goal(
        "bold",
        press("Control+a", "textbox"),
        click('button "Bold"'),
        html="<p><strong>Dear reader</strong></p>",
    ),
    goal(
        "bullet list",
        click('button "Bullet list"'),
        shows='textbox = "Dear reader"',
        html="<ul><li><p>Dear reader</p></li></ul><p></p>",
    ),
]
