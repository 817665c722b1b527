"""The caller's sessions."""

from pydantic import Field

from tabwright.action import Args, Caller, Effect, Result, action


class SessionLine(Result):
    """One session."""

    name: str = Field(description="Name of the session.")
    tabs: int = Field(description="How many tabs are open in it.")


class SessionList(Result):
    """The sessions of the caller."""

    sessions: list[SessionLine] = Field(description="The open sessions.")

    def __str__(self) -> str:
        return "\n".join(f"{line.name}: {line.tabs} tabs" for line in self.sessions) or "No session is open."


class SessionName(Args):
    """Arguments that name a session."""

    name: str = Field(min_length=1, max_length=100, description="Name of the session.")


@action(Effect.READ)
async def list_sessions(caller: Caller, args: Args) -> SessionList:
    """List your sessions."""
    return _sessions(caller)


@action(Effect.DESTROY, idempotent=True)
async def close_session(caller: Caller, args: SessionName) -> SessionList:
    """Close a session with all its tabs."""
    await caller.sessions.close(caller.owner, args.name)
    return _sessions(caller)


def _sessions(caller: Caller) -> SessionList:
    known = caller.sessions.of(caller.owner, caller.session)
    return SessionList(sessions=[SessionLine(name=one.name, tabs=len(one.tabs)) for one in known])
