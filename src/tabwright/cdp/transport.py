"""What a connection needs of a wire: whole messages out, whole messages in, and an end."""

from collections.abc import Callable
from typing import Protocol


class Transport(Protocol):
    """Carries whole JSON messages between us and one browser."""

    def send(self, message: bytes) -> None:
        """Hand one message over for writing; never blocks. After the end it is dropped."""

    async def run(self, receive: Callable[[bytes], None]) -> str:
        """Feed every incoming message to `receive` until the wire ends; return why it ended."""

    async def aclose(self) -> None:
        """End the wire; `run` returns."""
