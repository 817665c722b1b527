"""The one path of every call: who, may they, which session, lock, deadline, do, observe, bound, log."""

import base64
import itertools
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import anyio

from tabwright.action import Action, Args, Caller, Catalog, Effect, NewFile, Result
from tabwright.agent_browser.runner import Commands, Place
from tabwright.artifacts import Artifact, Artifacts
from tabwright.browser.call_permissions import CallPermissions, granted
from tabwright.browser.snapshot.effects_report import Effects
from tabwright.browser.snapshot.observe import observe
from tabwright.browser.tab import Tab
from tabwright.budget import DEFAULT_TOKENS, page, tokens
from tabwright.call import Answer, Call, PreparedCall, Progress
from tabwright.errors import Internal, TabwrightError, TimedOut
from tabwright.metrics import Metrics
from tabwright.page_tools.inventory import inventory_of
from tabwright.policy.callers.approvals import Approvals, subject_of
from tabwright.policy.callers.audit_log import AuditLog, masked, masked_url
from tabwright.policy.callers.rate_limit import RateLimit
from tabwright.policy.callers.recent_calls import RecentCalls
from tabwright.policy.data.file_access import Files
from tabwright.policy.data.script_reach import Scripts
from tabwright.policy.data.secret_typing import SecretTyping
from tabwright.policy.network.own_ports import OwnPorts
from tabwright.policy.network.user_chrome_guard import kept_away
from tabwright.schema import validate
from tabwright.sessions.registry import Sessions
from tabwright.sessions.session import Session
from tabwright.text import format_count

log = logging.getLogger(__name__)

# The net under every call; over the time that an action allows itself, a quarter of it.
_DEADLINE = 60.0
_PROGRESS_EVERY = 1.0

# The door of a person at the dashboard, whom no taking over keeps out.
PERSON = "dashboard"

T = TypeVar("T")


class Runner:
    """Runs calls. Holds the only `except Exception` of the system."""

    def __init__(
        self,
        catalog: Catalog,
        sessions: Sessions,
        artifacts: Artifacts,
        *,
        max_tokens: int = DEFAULT_TOKENS,
        rate_limit: RateLimit | None = None,
        audit: AuditLog | None = None,
        vault: SecretTyping | None = None,
        files: Files | None = None,
        scripts: Scripts | None = None,
        approvals: Approvals | None = None,
        ports: OwnPorts | None = None,
        deadline: float = _DEADLINE,
    ) -> None:
        self.catalog = catalog
        self.sessions = sessions
        self.artifacts = artifacts
        self.metrics = Metrics()
        self.journal = RecentCalls()
        self.approvals = approvals or Approvals()
        self.ports = ports or OwnPorts()
        self._max_tokens = max_tokens
        self.rate_limit = rate_limit
        self._audit = audit
        self._vault = vault or SecretTyping()
        self.files = files or Files()
        self._scripts = scripts or Scripts()
        self._deadline = deadline
        self.commands = Commands()

    def prepare(self, call: Call) -> PreparedCall:
        """Find the action of a call and validate its arguments, which `run` then does not repeat.

        Raises:
            NotFound: there is no such action.
            InvalidArgs: an argument is wrong.
        """
        action = self.catalog[call.action]
        return PreparedCall(call, action, validate(action.args, call.args, call.names))

    async def run(self, given: Call | PreparedCall) -> Answer:
        """Run one call.

        Raises:
            TabwrightError: always one of the nine, never anything else but cancellation.
        """
        call = given.call if isinstance(given, PreparedCall) else given
        started = time.perf_counter()
        outcome, place = "cancelled", _Place()
        try:
            answer = await self._run(call, given, place)
            outcome, place.told = "ok", str(answer.effects or answer.text.partition("\n")[0])
        except TabwrightError as error:
            outcome = error.kind.__name__
            self._vault.redact_error(error)
            place.told = error.message
            raise
        except Exception as error:
            outcome = "Internal"
            raise self._unexpected(call, error) from error
        else:
            return answer
        finally:
            self._record(call, outcome, time.perf_counter() - started, place)

    async def _run(self, call: Call, given: Call | PreparedCall, place: "_Place") -> Answer:
        if self.rate_limit is not None and not call.principal.counted:
            self.rate_limit.take(call.by or call.principal.name)
        action = self.catalog[call.action]
        call.principal.require(action)
        prepared = given if isinstance(given, PreparedCall) else self.prepare(given)
        args = self.files.confined(prepared.args, call.principal)
        if self.approvals.concern(action) and call.door != PERSON:
            await self._ask(call, action, args)
        if action.works_on is Caller:
            return self._plain_answer(call, await action.run(_CallerOf(self, call), args))
        principal = call.principal
        session = await self.sessions.get(principal.name, call.session, trusted=principal.trusted)
        try:
            async with _turn(session, action, call), _telling(call, action, session):
                with _deadline(action, args, self._deadline):
                    answer = await self._perform(call, action, args, session, place)
        finally:
            self.sessions.touch(session)
        return _headed(answer, session.take_note() if call.door != PERSON else "")

    async def _ask(self, call: Call, action: Action, args: Args) -> None:
        """Have a person judge a call by what it is about."""
        principal = call.principal
        session = self.sessions.find(principal.name, call.session, trusted=principal.trusted)
        about = self._vault.redacted(await subject_of(session, call.tab, args))
        given = self._vault.redacted(masked(call.args))
        await self.approvals.ask(action, principal.name, given, call.session or "", about)

    async def _perform(
        self, call: Call, action: Action, args: Args, session: Session, place: "_Place"
    ) -> Answer:
        """Do it, watch what it does, and put the answer together."""
        place.session, place.owner = session.name, session.owner
        place.tab = tab = await session.tab(call.tab) if action.works_on is Tab else None
        keep = await _looked(session, action, args, tab) if session.recorder is not None else None
        async with kept_away(tab if session.ownership.of_user else None, self.ports):
            result, effects = self._vault.redacted(await self._acted(call, action, args, session, tab))
        if keep is not None:
            keep()
        result = self._stored(result, call.principal.name)
        told = _told(result, effects)
        answer = Answer(
            head=told[0],
            page=told[1],
            result=result,
            session=session.name,
            tab=tab.id if tab else "",
            effects=effects,
            artifacts=(*result.artifacts, *self._downloaded(session, call)),
        )
        if call.save:
            saved = self.artifacts.add(_text_file(action.name, answer.text), call.principal.name)
            answer = replace(answer, artifacts=(*answer.artifacts, saved))
        fitted = self._fitted(answer, session, call.max_tokens or self._max_tokens)
        return _headed(fitted, f"[In frame {tab.frames.chosen_key}]" if tab and tab.frames.chosen_key else "")

    async def _acted(
        self, call: Call, action: Action, args: Args, session: Session, tab: Tab | None
    ) -> tuple[Result, Effects | None]:
        """Run the action with the permissions of its caller, and with secrets instead of their names."""
        checked, reach = self._scripts.check(args, call.principal)
        read_file = partial(self.files.readable, principal=call.principal)
        with granted(CallPermissions(read_file=read_file, script_reach=reach)):
            async with self._vault.filled(checked, tab) as filled:
                if tab is None or not action.observed:
                    return await action.run(tab or session, filled), None
                result, effects = await observe(tab, lambda: action.run(tab, filled))
                if result.with_tools:
                    effects.tools = await inventory_of(tab).describe_new_tools()
                return result, effects

    def _plain_answer(self, call: Call, result: Result) -> Answer:
        """The answer of an action on calls themselves: each of those kept its own budget."""
        head, words = _told(result, None)
        return Answer(head=head, page=words, result=result, session=call.session or "")

    def _stored(self, result: Result, owner: str) -> Result:
        """Move the files of a result into the store, where doors find them."""
        files = {name: value for name, value in vars(result).items() if isinstance(value, Artifact)}
        kept = {name: self.artifacts.add(file, owner) for name, file in files.items()}
        return result.model_copy(update=kept)

    def _downloaded(self, session: Session, call: Call) -> tuple[Artifact, ...]:
        """Offer what was downloaded since the last call: to the session's owner, whose news they are."""
        if call.door == PERSON:
            return ()
        return tuple(
            self.artifacts.add(Artifact.at(path), call.principal.name)
            for path in session.context.downloads.collect()
            if path.is_file()
        )

    def _fitted(self, answer: Answer, session: Session, most: int) -> Answer:
        """Return the answer within its budget, with the cursor to what was left out."""
        if tokens(answer.text) <= most and not answer.result.too_long:
            return answer
        lines = answer.text.splitlines()
        name = session.store_output(lines)
        own = answer.result.own_lines
        if short := answer.result.shortened(most):
            head, words = _parted(short, own)
            notice = f"[Shortened. Whole text: more {name}]"
            return replace(answer, head=head, page=words, notice=notice, cursor=name)
        part = page(lines, most_tokens=most)
        head, words = _parted(part.text, answer.head.count("\n") + 1 if answer.head else 0)
        cursor = f"{name}:{part.next_line}"
        left = format_count(len(lines) - (part.next_line or 0), "more line")
        notice = f"[{left}: more {cursor}]"
        return replace(answer, head=head, page=words, notice=notice, cursor=cursor)

    def _unexpected(self, call: Call, error: Exception) -> Internal:
        log_id = secrets.token_hex(4)
        log.error("call %s failed, log id %s", call.action, log_id, exc_info=error)
        return Internal(
            f"{call.action} failed for a reason of our own (log id {log_id}).",
            hint="Report it with the log id.",
        )

    def redacted(self, value: T) -> T:
        """Return the same without the secrets that were used, for people who watch."""
        return self._vault.redacted(value)

    def note(self, call: Call) -> None:
        """Note what a person did beside actions: took over, allowed, ended."""
        self._note(call, "ok", 0.0, _Place())

    def _record(self, call: Call, outcome: str, seconds: float, place: "_Place") -> None:
        self.metrics.count(call.action if call.action in self.catalog else "unknown", outcome, seconds)
        self._note(call, outcome, seconds, place)

    def _note(self, call: Call, outcome: str, seconds: float, place: "_Place") -> None:
        line = {
            "who": call.by or call.principal.name,
            "door": call.door,
            "action": call.action[:100],
            "session": place.session or call.session,
            "tab": place.tab.id if place.tab else call.tab,
            "args": masked(call.args),
            "url": masked_url(place.tab.url) if place.tab else "",
            "ms": round(seconds * 1000),
            "outcome": outcome,
        }
        told = self._vault.redacted(line)
        self.journal.note(told, place.told, place.owner or call.principal.name)
        if self._audit is not None:
            self._audit.note(told)


@dataclass
class _Place:
    """Where a call took place, as far as it got."""

    session: str = ""
    owner: str = ""
    tab: Tab | None = None
    told: str = ""


class _CallerOf:
    """The caller of one call, as actions see them."""

    def __init__(self, runner: Runner, call: Call) -> None:
        self.owner = call.principal.name
        self.trusted = call.principal.trusted
        self.session = call.session
        self.sessions = runner.sessions
        self.catalog = runner.catalog
        self.commands = runner.commands
        self._runner = runner
        self._call = call
        self._steps = itertools.count(1.0)

    async def run(self, action: str, args: Mapping[str, Any]) -> str:
        """Run another action as the same caller, in the same session."""
        principal = replace(self._call.principal, counted=False)
        call = replace(self._call, action=action, args=args, names={}, principal=principal)
        answer = await self._runner.run(call)
        return answer.text

    def folder(self, path: str) -> str:
        """Return a folder that the caller may have filled, made where it is missing."""
        return str(self._runner.files.fillable(path, self._call.principal))

    def place(self) -> Place:
        """Return where programs run for the caller."""
        return self._call.principal.place()

    def new_file(self, path: str) -> AbstractContextManager[NewFile]:
        """Write a file in the caller's folder."""
        return self._runner.files.new_file(path, self._call.principal)

    async def tell(self, message: str) -> None:
        """Tell how far long work has got."""
        if self._call.progress is not None:
            await self._call.progress(next(self._steps), message)


async def _looked(session: Session, action: Action, args: Args, tab: Tab | None) -> Callable[[], None] | None:
    """Let whoever records the session see what an act is going to be done to."""
    if session.recorder is None or tab is None or action.effect is Effect.READ:
        return None
    return await session.recorder.prepare(tab, action.name, args.model_dump())


def _told(result: Result, effects: Effects | None) -> tuple[str, str]:
    """Return the text of an answer: our own words, then the page's, which go on to the end."""
    head, words = _parted(str(result), result.own_lines)
    if effects is None or (effects.empty and words):
        return head, words
    if effects.empty:
        return "\n".join(part for part in (head, str(effects)) if part), ""
    return head, "\n".join(part for part in (words, str(effects)) if part)


def _headed(answer: Answer, note: str) -> Answer:
    """Let an answer begin with a note, if there is one."""
    return replace(answer, head="\n".join(part for part in (note, answer.head) if part)) if note else answer


def _parted(text: str, own_lines: int | None) -> tuple[str, str]:
    """Part a text after as many lines as are our own."""
    if own_lines is None:
        return text, ""
    lines = text.split("\n", own_lines)
    return "\n".join(lines[:own_lines]), "\n".join(lines[own_lines:])


def _text_file(name: str, text: str) -> Artifact:
    return Artifact.of(f"{name}.txt", "text/plain", base64.b64encode(text.encode()).decode())


@asynccontextmanager
async def _turn(session: Session, action: Action, call: Call) -> AsyncIterator[None]:
    """Wait until it is this call's turn in the session; keep the turn, unless others must go on meanwhile.

    Raises:
        Blocked: a person has taken the session over, before the call or while it waited.
    """
    async with session.lock:
        if call.door != PERSON:
            session.require_free()
        await session.restore()
        if action.queued:
            yield
            return
    yield


@asynccontextmanager
async def _telling(call: Call, action: Action, session: Session) -> AsyncIterator[None]:
    """Tell the caller now and then that long work goes on, and what it waits for."""
    if call.progress is None or not action.patient:
        yield
        return
    failure: Exception | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(_tell, call.progress, action, session)
        try:
            yield
        except Exception as error:
            failure = error  # raised below, because the group would wrap it
        group.cancel_scope.cancel()
    if failure is not None:
        raise failure


async def _tell(progress: Progress, action: Action, session: Session) -> None:
    for step in itertools.count(1):
        tab = session.tabs[-1] if session.tabs else None
        waiting = len(tab.traffic.in_flight) if tab else 0
        await progress(float(step), f"{action.name}: {format_count(waiting, 'request')} under way")
        await anyio.sleep(_PROGRESS_EVERY)


@contextmanager
def _deadline(action: Action, args: Args, least: float) -> Iterator[None]:
    """The net under an action: its own timeout and some grace."""
    seconds = max(least, getattr(args, "timeout", 0.0) + least / 4)
    try:
        with anyio.fail_after(seconds):
            yield
    except TimeoutError as error:
        raise TimedOut(
            f"{action.name} did not end in {seconds:g} s and was given up.",
            hint="Look at the page, then try again.",
        ) from error
