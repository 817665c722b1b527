"""The caller's sessions."""

from pydantic import Field

from tabwright.action import Args, Caller, Effect, Result, action
from tabwright.text import format_count

_MAX_SAVED_LISTED = 50


class SessionLine(Result):
    """One session."""

    name: str = Field(description="Name of the session.")
    tabs: int = Field(description="Number of its tabs, open or saved.")
    open: bool = Field(True, description="Whether it is open; a saved one is restored when used.")

    def __str__(self) -> str:
        suffix = "" if self.open else " (saved; restored when used)"
        return f"{self.name}: {format_count(self.tabs, 'tab')}{suffix}"


class SessionList(Result):
    """The sessions of the caller."""

    sessions: list[SessionLine] = Field(description="The sessions, open ones first.")
    more: int = Field(0, description="Number of older saved sessions.")

    def __str__(self) -> str:
        more = [f"and {format_count(self.more, 'older session')} (saved)"] if self.more else []
        return "\n".join([*map(str, self.sessions), *more]) or "No session is open."


class CloseSession(Args):
    """Arguments of `close_session`."""

    name: str = Field("", max_length=100, description="Name of the session; default: all your open sessions.")
    missing_ok: bool = Field(False, description="Succeed if there is no such session.")
    graceful: bool = Field(True, description="Wait for running calls; false cancels them.")


class Closed(Result):
    """The sessions that were closed."""

    closed: list[str] = Field(description="Names of the sessions that were closed.")

    def __str__(self) -> str:
        if not self.closed:
            return "No session was open."
        return f"Closed session{'s' if len(self.closed) > 1 else ''}: {', '.join(self.closed)}"


@action(Effect.READ, does=("look",), group="Sessions")
async def list_sessions(caller: Caller, args: Args) -> SessionList:
    """List your sessions."""
    known = caller.sessions.visible_to(caller.owner, caller.session, trusted=caller.trusted)
    saved = await caller.sessions.list_stored(caller.owner, trusted=caller.trusted)
    lines = [SessionLine(name=one.name, tabs=len(one.tabs)) for one in known]
    lines += [SessionLine(name=one.name, tabs=one.tabs, open=False) for one in saved[:_MAX_SAVED_LISTED]]
    return SessionList(sessions=lines, more=max(0, len(saved) - _MAX_SAVED_LISTED))


@action(Effect.DESTROY, does=("close",), group="Sessions", idempotent=True)
async def close_session(caller: Caller, args: CloseSession) -> Closed:
    """Close a session with all its tabs and delete what was saved of it; without a name, all of yours."""
    mine = [
        one.name
        for one in caller.sessions.visible_to(caller.owner, caller.session)
        if one.owner == caller.owner and not caller.sessions.connections.is_in_use(one, caller.connection)
    ]
    names = [args.name] if args.name else mine
    if args.missing_ok and args.name and args.name not in mine:
        saved = await caller.sessions.list_stored(caller.owner, trusted=caller.trusted)
        names = names if args.name in [one.name for one in saved] else []
    for name in names:
        caller.sessions.claim(caller.owner, name, caller.connection, trusted=caller.trusted)
        await caller.sessions.close(caller.owner, name, graceful=args.graceful, trusted=caller.trusted)
    return Closed(closed=names)
