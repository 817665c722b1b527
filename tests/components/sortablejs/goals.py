"""Goals on SortableJS: order a list, move between lists, drag by a handle."""

from tests.components.goals import drag, goal

GOALS = [
    goal("reorder", drag('*"Buy milk"', '*"Pay rent"'), tasks=["Call Ada", "Pay rent", "Buy milk"]),
    goal("move to another list", drag('*"Fix lamp"', '*"Sweep floor"'), todo=["Paint door"]),
    goal("drag by a handle", drag('* "Move Mix"', '* "Move Bake"'), steps=["Bake", "Mix"]),
]
