"""How each task is solved: one function for a task or a family of tasks, by the name of the task."""

from collections.abc import Awaitable, Callable

from bench.tasks.oracles import choosing, clicking, dragging, fields, mail, reading, widgets
from bench.tasks.page import Page

ORACLES: dict[str, Callable[[Page], Awaitable[None]]] = {
    **clicking.ORACLES,
    **choosing.ORACLES,
    **fields.ORACLES,
    **reading.ORACLES,
    **mail.ORACLES,
    **widgets.ORACLES,
    **dragging.ORACLES,
}
