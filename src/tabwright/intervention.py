"""What a person does in the sessions of agents: watch, take over, send input, answer, end.

None of this waits for the lock of the session, because a call may hold it while it waits for the person.
Everything that changes something is recorded under the name of the person.
"""

from collections.abc import AsyncGenerator, Mapping
from typing import Any, Literal

import anyio

from tabwright.browser.capture.screencast import Screencast, ScreencastFrame
from tabwright.browser.tab import Tab, TabId
from tabwright.call import PERSON, Answer, Call
from tabwright.cdp import CdpError
from tabwright.errors import NotFound, TabwrightError
from tabwright.page_tools.inventory import inventory_of
from tabwright.person_input import InputEvent, send_input
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.sessions.session import Session

# Seconds for a page to list its tools; for a busy page, the previous list is shown.
_TOOLS_TIMEOUT = 5.0
_PICTURE_RETRY = 0.5


class Intervention:
    """The sessions of a runner, for people."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def session(self, key: str) -> Session:
        """Return an open session by its key, which `sessions` returns.

        Raises:
            NotFound: it is closed.
        """
        for session in self._runner.sessions:
            if _key(session) == key:
                return session
        raise NotFound("This session is closed.", hint="Choose one of the sessions shown.")

    def sessions(self) -> list[dict[str, Any]]:
        """Describe all open sessions with their tabs, without any secrets."""
        return [self._runner.redact(_describe_session(session)) for session in self._runner.sessions]

    async def run(
        self, session: Session, person: str, action: str, args: Mapping[str, Any], tab: str | None = None
    ) -> Answer:
        """Run an action with the rights of the session's owner."""
        return await self._runner.run(_call(session, person, action, args, tab))

    def take_over(self, session: Session, person: str) -> None:
        """Keep agents out of a session. A running call finishes; calls that wait for it are refused."""
        if not session.taken_over:
            session.take_over()
            self._runner.record(_call(session, person, "take_over"))

    def hand_back(self, session: Session, person: str) -> None:
        """Let agents use a session again."""
        if session.taken_over:
            session.hand_back()
            self._runner.record(_call(session, person, "hand_back"))

    async def inspect(
        self, session: Session, tab_id: str, what: Literal["tools", "console", "network"]
    ) -> dict[str, Any]:
        """Return the page tools, console messages or requests of a tab, without any secrets.

        Nothing is recorded, and the agent still gets everything that is new since its last call.
        """
        tab = session.context.tab(tab_id)
        if what == "console":
            lines = [f"{message.number}. {message}" for message in tab.console.messages()]
            return self._runner.redact({"lines": lines})
        if what == "network":
            return self._runner.redact({"lines": [str(exchange) for exchange in tab.network.exchanges()]})
        listing = await inventory_of(tab).list_within(_TOOLS_TIMEOUT)
        tools = [
            {"name": tool.name, "description": tool.description, "schema": tool.schema}
            for tool in listing.shown
        ]
        return self._runner.redact({"tools": tools, "left": len(listing.rest)})

    async def pictures(self, session: Session, tab_id: str) -> AsyncGenerator[ScreencastFrame, None]:
        """Yield a picture of a tab each time it changes, until it is closed."""
        while (tab := session.context.tabs.get(TabId(tab_id))) is not None:
            number = 0
            try:
                async with tab.component(Screencast).watch() as screencast:
                    while True:
                        frame = await screencast.next_frame(number)
                        number = frame.number
                        yield frame
            except (CdpError, TabwrightError):  # between two pages there is no picture for a moment
                await anyio.sleep(_PICTURE_RETRY)

    async def send_input(self, session: Session, tab_id: str, event: InputEvent) -> None:
        """Send a mouse or keyboard event to a tab of a session that was taken over.

        Raises:
            NotFound: the session was not taken over.
        """
        if not session.taken_over:
            raise NotFound("This session is not taken over.", hint="Take it over first.")
        await send_input(session.context.tab(tab_id), event)
        self._runner.sessions.touch(session)

    async def answer_dialog(
        self, session: Session, person: str, tab_id: str, *, accept: bool, text: str | None = None
    ) -> None:
        """Accept or dismiss the open dialog of a tab."""
        dialogs = session.context.tab(tab_id).dialogs
        await (dialogs.accept(text) if accept else dialogs.dismiss())
        args = {"accept": accept, **({"text": text} if text else {})}
        self._runner.record(_call(session, person, "answer_dialog", args, tab_id))

    async def end_session(self, session: Session, person: str) -> None:
        """Close a session at once, and hand it back first if it was taken over."""
        session.hand_back()
        await self._runner.sessions.close(session.owner, session.name, graceful=False, trusted=True)
        self._runner.record(_call(session, person, "end_session"))

    def decide(self, number: int, person: str, *, allow: bool) -> None:
        """Allow or refuse a call that waits for approval.

        Raises:
            NotFound: it is no longer waiting.
        """
        question = self._runner.approvals.decide(number, allow=allow)
        call = Call(
            "allow" if allow else "refuse",
            {"action": question.action},
            principal=Principal(question.who),
            session=question.session or None,
            door=PERSON,
            by=person,
        )
        self._runner.record(call)


def _key(session: Session) -> str:
    return f"{session.owner} {session.name}"


def _describe_session(session: Session) -> dict[str, Any]:
    return {
        "key": _key(session),
        "owner": session.owner,
        "name": session.name,
        "busy": session.lock.locked(),
        "held": session.taken_over,
        "tabs": [{**_describe_tab(tab), "current": tab.id == session.current} for tab in session.tabs],
    }


def _describe_tab(tab: Tab) -> dict[str, Any]:
    dialog = tab.dialogs.open
    shown = {"kind": dialog.kind, "message": dialog.message, "default": dialog.default} if dialog else None
    return {"id": tab.id, "url": tab.url, "page": tab.navigation.commits, "dialog": shown}


def _call(
    session: Session, person: str, action: str, args: Mapping[str, Any] | None = None, tab: str | None = None
) -> Call:
    """Return a call with the rights of the session's owner and the name of the person."""
    return Call(
        action,
        args or {},
        principal=Principal(session.owner),
        session=session.name,
        tab=tab,
        door=PERSON,
        by=person,
    )
