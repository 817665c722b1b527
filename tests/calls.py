"""The type of the fixture `do`, which runs an action as a door would."""

from collections.abc import Awaitable, Callable

from tabwright.call import Answer

Do = Callable[..., Awaitable[Answer]]
