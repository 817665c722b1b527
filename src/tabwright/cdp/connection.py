"""One connection to one browser: answers matched to calls, events passed to subscribers, flat sessions.

A call fails in one of three ways, each an exception: Chrome refused it (`CdpError`), the owner of its session
ended the session with a reason, or the whole connection ended. The opener chooses the error for a lost
connection (`lost`). A peer that breaks the protocol counts as lost.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import anyio

from tabwright.aio import background_tasks
from tabwright.cdp.transport import Transport
from tabwright.errors import Denied, InvalidArgs, TimedOut

log = logging.getLogger(__name__)

# Protocol payloads are whatever Chrome sends; their shape is documented by Chrome and checked by use.
Params = dict[str, Any]
EventCallback = Callable[[Params], None]

# The highest timeout, in seconds, that a caller may set.
MAX_TIMEOUT = 600
# The last limit on every call: callers set shorter deadlines.
CALL_TIMEOUT = MAX_TIMEOUT + 60.0
_INVALID_REQUEST = -32600
# Not a code of Chrome: the transport refuses the call, with a message for the caller.
NOT_ALLOWED = -32900


class CdpError(Exception):
    """Chrome answered a call with an error."""

    def __init__(self, method: str, code: int, message: str) -> None:
        super().__init__(f"{method}: {message} ({code})")
        self.method = method
        self.code = code
        self.message = message


class ConnectionLost(Exception):
    """The connection ended, and all its sessions with it."""


class CdpSession:
    """A flat session: the calls and events of one target. The root session (id "") is the browser's own."""

    def __init__(self, connection: "Connection", session_id: str) -> None:
        self.id = session_id
        self._connection = connection
        self._callbacks: defaultdict[str, list[EventCallback]] = defaultdict(list)
        self._lost: Exception | None = None

    def __repr__(self) -> str:
        return f"<CdpSession {self.id or 'root'}>"

    @property
    def lost(self) -> Exception | None:
        """The error to raise if this session has ended."""
        return None if self._lost is None else _without_traceback(self._lost)

    async def send(self, method: str, **params: Any) -> Params:
        """Call a protocol method and wait for its result."""
        return await self.start(method, **params)

    def start(self, method: str, **params: Any) -> "asyncio.Future[Params]":
        """Write the call at once; return the future of its answer. Calls started in a row are pipelined."""
        return self._connection.start(self, method, params)

    def post(self, method: str, **params: Any) -> None:
        """Write the call and do not wait for its answer."""
        self.start(method, **params).add_done_callback(_log_failure)

    def on(self, event: str, callback: EventCallback) -> Callable[[], None]:
        """Call back for every such event, in the order received; return a function that unsubscribes."""
        callbacks = self._callbacks[event]
        callbacks.append(callback)

        def unsubscribe() -> None:
            if callback in callbacks:
                callbacks.remove(callback)

        return unsubscribe

    def dispatch(self, event: str, params: Params) -> None:
        """Pass one event to its subscribers; if one fails, the others still get it."""
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
            self._callbacks.clear()  # they would keep objects alive that refer to the session
        self.interrupt(reason)

    def interrupt(self, reason: Exception) -> None:
        """Fail every waiting call with `reason`; the session stays usable."""
        self._connection.fail_calls(self, reason)


class _Call(NamedTuple):
    """A call in flight, and when it times out."""

    session: CdpSession
    method: str
    future: "asyncio.Future[Params]"
    due: float


class Connection:
    """All sessions over one transport."""

    def __init__(self, transport: Transport, lost: Callable[[str], Exception], call_timeout: float) -> None:
        self._transport = transport
        self._lost_error = lost
        self._call_timeout = call_timeout
        # Oldest first, which is also due first: one timer is enough.
        self._calls: dict[int, _Call] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._last_id = 0
        self._loop = asyncio.get_running_loop()
        self.root = CdpSession(self, "")
        self._sessions: dict[str, CdpSession] = {"": self.root}
        self.lost = anyio.Event()
        # Gets results without a waiting call: the caller gave up, or a call was executed twice.
        self.unclaimed: Callable[[Params], None] = lambda _: None

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        transport: Transport,
        *,
        lost: Callable[[str], Exception] = ConnectionLost,
        call_timeout: float = CALL_TIMEOUT,
    ) -> "AsyncIterator[Connection]":
        """Run the connection while the block runs; `lost` makes the error that every waiter then gets.

        A call without an answer fails after `call_timeout` seconds.
        """
        connection = cls(transport, lost, call_timeout)
        async with background_tasks() as group:
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
        """The number of calls that wait for an answer."""
        return sum(not call.future.done() for call in self._calls.values())

    def session(self, session_id: str) -> CdpSession:
        """Return the session with that id; add it if it is new."""
        if session_id not in self._sessions:
            session = CdpSession(self, session_id)
            if self.root.lost is not None:
                session.end(self.root.lost)
                return session
            self._sessions[session_id] = session
        return self._sessions[session_id]

    def forget(self, session: CdpSession) -> None:
        """Remove an ended session; its late messages are dropped."""
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
            self._transport.send(message)
        except TypeError as error:
            _fail(
                future,
                InvalidArgs(f"{method} cannot be sent: {error}.", hint="Use values that JSON can encode."),
            )
            return future
        due = self._loop.time() + self._call_timeout
        self._calls[call_id] = _Call(session, method, future, due)
        if self._timer is None:
            self._timer = self._loop.call_at(due, self._expire)
        return future

    def fail_calls(self, session: CdpSession, reason: Exception) -> None:
        """Fail the waiting calls of one session."""
        for call_id, call in tuple(self._calls.items()):
            if call.session is session:
                del self._calls[call_id]
                _fail(call.future, reason)

    def _expire(self) -> None:
        self._timer = None
        for call_id, call in tuple(self._calls.items()):
            if call.due > self._loop.time():
                self._timer = self._loop.call_at(call.due, self._expire)
                return
            del self._calls[call_id]
            message = f"The browser did not answer {call.method} in {self._call_timeout:g} s."
            _fail(call.future, TimedOut(message, hint="Try again."))

    def _receive(self, message: Any) -> None:
        if self.root.lost is not None:
            return
        try:
            if "id" in message:
                self._answer(message)
            elif (session := self._sessions.get(message.get("sessionId", ""))) is not None:
                session.dispatch(message["method"], message.get("params", {}))
        except (LookupError, TypeError, AttributeError):
            log.exception("not a protocol message: %.200r", message)
            self._lose(self._lost_error("it sent an invalid protocol message"))

    def _answer(self, message: Params) -> None:
        call = self._calls.get(message["id"])
        if call is None or call.future.done():
            self._calls.pop(message["id"], None)
            self.unclaimed(message.get("result", {}))
            return
        if "error" not in message:
            call.future.set_result(message["result"])
        elif (refusal := _error_of(call.method, message["error"])) is not None:
            _fail(call.future, refusal)
        else:
            return
        del self._calls[message["id"]]

    def _lose(self, reason: Exception) -> None:
        if self._timer is not None:
            self._timer.cancel()  # it would keep the connection alive
        for session in tuple(self._sessions.values()):
            session.end(reason)
        self.lost.set()


def _error_of(method: str, error: Params) -> Exception | None:
    """Return the exception of a refused call; None if Chrome refused a duplicate of a call in flight."""
    if error["code"] == _INVALID_REQUEST and "Duplicate" in error["message"]:
        return None
    if error["code"] == NOT_ALLOWED:
        return Denied(error["message"], hint="Do without it, or use a session with its own browser.")
    return CdpError(method, error["code"], f"{error['message']} {error.get('data', '')}".strip())


def _fail(future: "asyncio.Future[Params]", reason: Exception) -> None:
    if not future.done():
        future.set_exception(_without_traceback(reason))
        future.exception()  # marks it as retrieved: nothing awaits a posted call


def _without_traceback(reason: Exception) -> Exception:
    """Remove the traceback: many calls share one exception, and each would add its frames."""
    return reason.with_traceback(None)


def _log_failure(future: "asyncio.Future[Params]") -> None:
    if not future.cancelled() and (error := future.exception()) is not None:
        log.debug("a posted call failed: %s", error)
