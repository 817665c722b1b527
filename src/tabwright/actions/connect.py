"""Choosing the browser of a session: the user's own, or one that Tabwright launches."""

from pydantic import Field

from tabwright.action import Args, Caller, Effect, Result, action
from tabwright.errors import Denied
from tabwright.sessions.session import Session
from tabwright.text import format_count

_NAMES = {"HeadlessChrome": "Chrome", "Edg": "Edge"}
_INSTRUCTIONS = (
    "Please open Chrome with the Tabwright extension enabled (`tabwright extension` explains how to load and "
    "pair it), or with remote debugging on (chrome://inspect/#remote-debugging), or call with launch=true"
)
_NOT_ALLOWED = (
    "The user's own Chrome needs a token with the scope admin; call with launch=true to launch a browser"
)


class ConnectBrowser(Args):
    """Arguments of `connect_browser`."""

    launch: bool = Field(False, description="Launch a browser if none is found.")
    address: str = Field(
        "",
        max_length=2_000,
        description="Browser to use: a debugging port or address (9222, ws://127.0.0.1:9222/…), "
        "or extension, extension:NAME for a Chrome that the extension connects.",
    )


class Connected(Result):
    """The browser of the session, or why it has none."""

    connected: bool = Field(description="Whether the session has a browser.")
    browser: str = Field("", description="Name of the browser.")
    version: str = Field("", description="Its version.")
    tabs: int = Field(0, description="Number of tabs of the session.")
    joined: bool = Field(False, description="Whether it is the user's own, which outlives the session.")
    note: str = Field("", description="Notice about a restored session.")
    error: str = Field("", description="The error.")
    instructions: str = Field("", description="How to fix it.")

    def __str__(self) -> str:
        if not self.connected:
            return f"{self.error}. {self.instructions}."
        whose = "The user's own" if self.joined else "Tabwright's own"
        text = f"{whose} {self.browser} {self.version}: {format_count(self.tabs, 'tab')}."
        return f"{self.note}\n{text}" if self.note else text


@action(Effect.ACT, does=("configure",), group="Browsers", idempotent=True, patient=True)
async def connect_browser(caller: Caller, args: ConnectBrowser) -> Connected:
    """Connect to the user's own browser, or launch one; a session keeps the browser that it has."""
    session = caller.sessions.find(caller.owner, caller.session)
    if args.address and not caller.trusted:
        raise Denied(f"{_NOT_ALLOWED}.", hint="Leave the address out.")
    if args.address:
        session = await _join_at(args.address, caller, session)
    if (session is None or not session.alive) and caller.trusted and not args.address:
        session = await caller.sessions.join(caller.owner, caller.session) or session
    if (session is None or not session.alive) and args.launch:
        session = await caller.sessions.get(caller.owner, caller.session, trusted=caller.trusted)
    if session is None or not session.alive:
        instructions = _INSTRUCTIONS if caller.trusted else _NOT_ALLOWED
        return Connected(connected=False, error="No browser found", instructions=instructions)
    return await _describe(session)


async def _join_at(address: str, caller: Caller, session: Session | None) -> Session | None:
    """Return a session in the browser at an address: the current one if it is there already."""
    if session is not None and session.alive:
        where = session.context.browser.address
        if address == where or (address == "extension" and where.startswith("extension:")):
            return session
    return await caller.sessions.join(caller.owner, caller.session, address)


async def _describe(session: Session) -> Connected:
    async with session.lock:
        await session.restore()
    name, _, version = session.context.browser.version.product.partition("/")
    return Connected(
        connected=True,
        browser=_NAMES.get(name, name),
        version=version,
        tabs=sum(not tab.crashed for tab in session.tabs),
        joined=session.ownership.of_user,
        note=session.take_note(),
    )
