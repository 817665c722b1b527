"""One connection to one browser: requests matched to answers, events handed to subscribers, flat sessions.

A call fails in one of three ways, each an exception at once: Chrome refused it (`CdpError`), its session was
ended by the session's owner with a reason of its own, or the whole connection ended. What a lost connection
is to its users is the opener's to say (`lost`). A peer that breaks the protocol is lost: what it would have
answered is not to be had.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import orjson

from tabwright.cdp.decoding import decode
from tabwright.cdp.tasks import tasks_beside
from tabwright.cdp.transport import Transport
from tabwright.errors import Denied, InvalidArgs, TimedOut

log = logging.getLogger(__name__)

# Protocol payloads are whatever Chrome sends; their shape is documented by Chrome and checked by use.
Params = dict[str, Any]
EventCallback = Callable[[Params], None]

# The most seconds that whoever asks may give anything.
LONGEST_DEADLINE = 600
# The last net under every call: whoever awaits has a deadline of their own, which comes first.
CALL_TIMEOUT = LONGEST_DEADLINE + 60.0
_INVALID_REQUEST = -32600
# No code of Chrome's: what carries our calls will not carry this one, and says why in words for the caller.
NOT_ALLOWED = -32900


class CdpError(Exception):
    """Chrome answered a call with an error."""

    def __init__(self, method: str, code: int, message: str) -> None:
        super().__init__(f"{method}: {message} ({code})")
        self.method = method
        self.code = code
        self.message = message


class ConnectionLost(Exception):
    """The connection ended; no session of it will answer again."""


class CdpSession:
    """A flat session: one target's calls and events. The root session (id "") is the browser's own."""

    def __init__(self, connection: "Connection", session_id: str) -> None:
        self.id = session_id
        self._connection = connection
        self._callbacks: defaultdict[str, list[EventCallback]] = defaultdict(list)
        self._lost: Exception | None = None

    def __repr__(self) -> str:
        return f"<CdpSession {self.id or 'root'}>"

    @property
    def lost(self) -> Exception | None:
        """Why this session cannot be used any more, if so; made to be raised."""
        return None if self._lost is None else _afresh(self._lost)

    async def send(self, method: str, **params: Any) -> Params:
        """Call a protocol method and wait for its result."""
        return await self.start(method, **params)

    def start(self, method: str, **params: Any) -> "asyncio.Future[Params]":
        """Write the call at once; the answer is awaited later. Calls started in a row are pipelined."""
        return self._connection.start(self, method, params)

    def post(self, method: str, **params: Any) -> None:
        """Write the call; nobody waits for its answer."""
        self.start(method, **params).add_done_callback(_log_failure)

    def on(self, event: str, callback: EventCallback) -> Callable[[], None]:
        """Call back for every such event, in the order of the wire; return the way to unsubscribe."""
        callbacks = self._callbacks[event]
        callbacks.append(callback)

        def unsubscribe() -> None:
            if callback in callbacks:
                callbacks.remove(callback)

        return unsubscribe

    def dispatch(self, event: str, params: Params) -> None:
        """Hand one event to its subscribers; one that fails does not keep it from the others."""
        for callback in tuple(self._callbacks.get(event, ())):
            try:
                callback(params)
            except Exception:
                log.exception("a subscriber of %s failed", event)

    def end(self, reason: Exception) -> None:
        """Fail every waiting call with `reason`, and every later one."""
        if self._lost is None:
            self._lost = reason
            self._connection.forget(self)
            self._callbacks.clear()  # no event comes any more, and those who look back hold on to the session
        self.interrupt(reason)

    def interrupt(self, reason: Exception) -> None:
        """Fail every waiting call with `reason`; the session stays usable."""
        self._connection.fail_calls(self, reason)


class Connection:
    """All sessions over one transport."""

    def __init__(self, transport: Transport, lost: Callable[[str], Exception], net: float) -> None:
        self._transport = transport
        self._lost_error = lost
        self._net = net
        self._calls: dict[int, tuple[CdpSession, str, asyncio.Future[Params]]] = {}
        self._last_id = 0
        self._loop = asyncio.get_running_loop()
        self.root = CdpSession(self, "")
        self._sessions: dict[str, CdpSession] = {"": self.root}
        self.lost = anyio.Event()
        # Gets the results that nobody waits for: the caller left, or what was asked once was done twice.
        self.unclaimed: Callable[[Params], None] = lambda _: None

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        transport: Transport,
        *,
        lost: Callable[[str], Exception] = ConnectionLost,
        net: float = CALL_TIMEOUT,
    ) -> "AsyncIterator[Connection]":
        """Run the connection while the block runs; `lost` makes the error that every waiter then gets.

        A call that nobody answered or gave up for `net` seconds fails.
        """
        connection = cls(transport, lost, net)
        async with tasks_beside() as group:
            group.start_soon(connection._run)
            try:
                yield connection
            finally:
                await transport.aclose()

    async def _run(self) -> None:
        reason = "the connection was closed"
        try:
            reason = await self._transport.run(self._receive)
        finally:
            self._lose(self._lost_error(reason))

    @property
    def waiting(self) -> int:
        """How many calls wait for their answer."""
        return len(self._calls)

    def session(self, session_id: str) -> CdpSession:
        """Return the session of that id, known from now on."""
        if session_id not in self._sessions:
            session = CdpSession(self, session_id)
            if self.root.lost is not None:
                session.end(self.root.lost)
                return session
            self._sessions[session_id] = session
        return self._sessions[session_id]

    def forget(self, session: CdpSession) -> None:
        """Drop an ended session; its late messages go nowhere."""
        self._sessions.pop(session.id, None)

    def start(self, session: CdpSession, method: str, params: Params) -> "asyncio.Future[Params]":
        """Write one call of `session` and return the future of its answer."""
        future: asyncio.Future[Params] = self._loop.create_future()
        if session.lost is not None:
            _fail(future, session.lost)
            return future
        self._last_id = call_id = self._last_id + 1
        message: Params = {"id": call_id, "method": method, "params": params}
        if session.id:
            message["sessionId"] = session.id
        try:
            self._transport.send(orjson.dumps(message))
        except TypeError as error:
            _fail(future, InvalidArgs(f"{method} cannot be sent: {error}.", hint="Give what JSON can carry."))
            return future
        self._calls[call_id] = (session, method, future)
        timer = self._loop.call_later(self._net, self._expire, call_id)
        future.add_done_callback(lambda _: self._finish(call_id, timer))
        return future

    def _finish(self, call_id: int, timer: asyncio.TimerHandle) -> None:
        timer.cancel()
        self._calls.pop(call_id, None)

    def fail_calls(self, session: CdpSession, reason: Exception) -> None:
        """Fail the waiting calls of one session."""
        for owner, _, future in tuple(self._calls.values()):
            if owner is session:
                _fail(future, reason)

    def _expire(self, call_id: int) -> None:
        _, method, future = self._calls[call_id]
        _fail(
            future,
            TimedOut(f"The browser did not answer {method} in {self._net:g} s.", hint="Try again."),
        )

    def _receive(self, raw: bytes) -> None:
        if self.root.lost is not None:
            return
        try:
            self._take(decode(raw))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            log.exception("not a protocol message: %r", raw[:200])
            self._lose(self._lost_error("it sent what is not a protocol message"))

    def _take(self, message: Params) -> None:
        if "id" in message:
            self._answer(message)
            return
        session = self._sessions.get(message.get("sessionId", ""))
        if session is not None:
            session.dispatch(message["method"], message.get("params", {}))

    def _answer(self, message: Params) -> None:
        call = self._calls.get(message["id"])
        if call is None or call[2].done():
            self.unclaimed(message.get("result", {}))
            return
        _, method, future = call
        if "error" in message:
            error = message["error"]
            if error["code"] == _INVALID_REQUEST and "Duplicate" in error["message"]:
                return  # said of the second copy of a message; the call itself is under way
            if error["code"] == NOT_ALLOWED:
                _fail(future, Denied(error["message"], hint="Do without it, or use a browser of our own."))
                return
            detail = f"{error['message']} {error.get('data', '')}".strip()
            _fail(future, CdpError(method, error["code"], detail))
        else:
            future.set_result(message["result"])

    def _lose(self, reason: Exception) -> None:
        for session in tuple(self._sessions.values()):
            session.end(reason)
        self.lost.set()


def _fail(future: "asyncio.Future[Params]", reason: Exception) -> None:
    if not future.done():
        future.set_exception(_afresh(reason))
        future.exception()  # marks it seen: a posted call has no one to retrieve it


def _afresh(reason: Exception) -> Exception:
    """Take the traceback off: all who fail for one reason share it, and their frames would pile up in it."""
    return reason.with_traceback(None)


def _log_failure(future: "asyncio.Future[Params]") -> None:
    if not future.cancelled() and (error := future.exception()) is not None:
        log.debug("a posted call failed: %s", error)
