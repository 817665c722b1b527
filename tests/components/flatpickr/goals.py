"""Goals on flatpickr: dates and times in read-only fields with a calendar."""

from tests.components.goals import click, fill, goal, press

GOALS = [
    goal(
        "date by the calendar",
        click('textbox "Arrival"'),
        click('clickable "*15*"'),
        shows='textbox "Arrival" = "2026-05-15"',
        arrival="2026-05-15",
    ),
    goal(
        "date by fill",
        fill('textbox "Arrival"', "2026-05-15"),
        shows='textbox "Arrival" = "2026-05-15"',
        arrival="2026-05-15",
    ),
    goal(
        "range by the calendar",
        click('textbox "Stay"'),
        click('clickable "*15*"'),
        click('clickable "*20*"'),
        shows='textbox "Stay" = "2026-05-15 to 2026-05-20"',
        stay="2026-05-15 to 2026-05-20",
    ),
    goal(
        "time",
        click('textbox "Alarm"'),
        fill('spinbutton "Hour"', "09"),
        press("Enter", 'spinbutton "Hour"'),
        shows='textbox "Alarm" = "09:00"',
        alarm="09:00",
    ),
    goal(
        "typed date",
        fill('textbox "Birthday"', "February 1, 2000"),
        press("Enter"),
        shows='textbox "Birthday" = "February 1, 2000"',
        birthday="2000-02-01",
    ),
]
