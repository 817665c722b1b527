"""How many may be inside at once: over the limit a request is told to wait; at the end all are sent away."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabwright.doors.http.errors import problem
from tabwright.errors import BrowserGone, TimedOut

MOST_REQUESTS = 256


class Gate:
    """Counts requests under way, and can end them all."""

    def __init__(
        self, app: ASGIApp, present: Callable[[], AbstractContextManager[None]], most: int = MOST_REQUESTS
    ) -> None:
        self._app = app
        self._present = present
        self._most = most
        self._inside: set[anyio.CancelScope] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if len(self._inside) >= self._most:
            full = TimedOut(
                f"{self._most} requests are under way, which is the limit.", hint="Try again soon."
            )
            await problem(full, 503, {"retry-after": "1"})(scope, receive, send)
            return
        with self._present():
            await self._admit(scope, receive, send)

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def noticing(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        with anyio.CancelScope() as inside:
            self._inside.add(inside)
            try:
                await self._app(scope, receive, noticing)
            finally:
                self._inside.discard(inside)
        if inside.cancelled_caught and not started:
            await problem(BrowserGone("The hub is leaving.", hint="Try again."))(scope, receive, send)
        elif inside.cancelled_caught:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def close(self) -> None:
        """End every request under way."""
        for inside in tuple(self._inside):
            inside.cancel()
