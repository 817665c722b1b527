"""Limits concurrent requests, and cancels those in progress when the hub stops."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabwright.doors.wire.http_json import error_response
from tabwright.errors import BrowserGone, TimedOut

MAX_REQUESTS = 256


class RequestLimit:
    """ASGI middleware: answers 503 beyond `limit` requests in progress."""

    def __init__(
        self, app: ASGIApp, in_use: Callable[[], AbstractContextManager[None]], limit: int = MAX_REQUESTS
    ) -> None:
        self._app = app
        self._in_use = in_use
        self._limit = limit
        self._running: set[anyio.CancelScope] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if len(self._running) >= self._limit:
            full = TimedOut(
                f"{self._limit} requests are in progress, which is the limit.", hint="Try again soon."
            )
            await error_response(full, 503, {"retry-after": "1"})(scope, receive, send)
            return
        with self._in_use():
            await self._run(scope, receive, send)

    async def _run(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_noting_start(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        with anyio.CancelScope() as running:
            self._running.add(running)
            try:
                await self._app(scope, receive, send_noting_start)
            finally:
                self._running.discard(running)
        if running.cancelled_caught and not started:
            stopping = BrowserGone("The hub is stopping.", hint="Try again.")
            await error_response(stopping)(scope, receive, send)
        elif running.cancelled_caught:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def cancel_all(self) -> None:
        """Cancel every request in progress."""
        for running in tuple(self._running):
            running.cancel()
