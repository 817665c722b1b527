"""Goals on Lexical: text, and a button that changes it."""

from tests.components.goals import click, fill, goal, press

GOALS = [
    goal(
        "replace the text",
        fill('textbox "Message"', "Hello"),
        shows='textbox "Message" = "Hello"',
        text="Hello",
    ),
    goal("clear", fill('textbox "Message"', ""), text=""),
    goal(
        "bold", press("Control+a", 'textbox "Message"'), click('button "Bold"'), text="Dear reader", bold=True
    ),
]
