"""Goals on Monaco: replace, clear and add text."""

from tests.components.goals import fill, goal, press, type_text

GOALS = [
    goal("replace the text", fill('textbox "Script*"', "a = 1"), shows="*a = 1*", text="a = 1"),
    goal("several lines", fill('textbox "Script*"', "a = 1\nb = 2"), text="a = 1\nb = 2"),
    goal("clear", fill('textbox "Script*"', ""), text=""),
    goal(
        "add text",
        press("Control+End", 'textbox "Script*"'),
        type_text('textbox "Script*"', "# end"),
        shows="*# end*",
        text="answer = 42\nprint(answer)\n# end",
    ),
]
