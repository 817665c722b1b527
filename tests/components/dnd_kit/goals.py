"""Goals on dnd-kit: order a list by pointer and by keyboard, drop into another column."""

from tests.components.goals import drag, goal, press

GOALS = [
    goal("reorder", drag('button "Mix"', 'button "Serve"'), items=["Bake", "Serve", "Mix"]),
    goal(
        "reorder by keys",
        press("Space", 'button "Mix"'),
        press("ArrowDown"),
        press("Space"),
        items=["Bake", "Mix", "Serve"],
    ),
    goal(
        "drop in a column",
        drag('button "Ticket"', 'region "Closed"'),
        shows='region "Closed" / button "Ticket"',
        place="Closed",
    ),
]
