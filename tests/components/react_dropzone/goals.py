"""Goals on react-dropzone: files for an area and for a button."""

from tests.components.goals import goal, upload

GOALS = [
    goal(
        "upload to the area",
        upload('* with "Drop photos here*"', "report.txt"),
        shows='*"report.txt"',
        photos=["report.txt"],
    ),
    goal("upload by a button", upload('button "Choose contract"', "report.txt"), contract="report.txt"),
]
