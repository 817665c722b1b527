"""The one path of every call: rate, scope, arguments, approval, session, lock, deadline, action, log."""

import base64
import itertools
import logging
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from tabwright.action import Action, Args, Caller, Catalog, Effect, NewFile, Result
from tabwright.agent_browser.runner import Commands, Place
from tabwright.artifacts import Artifact, Artifacts
from tabwright.browser.call_permissions import CallPermissions, granted
from tabwright.browser.find.approved import Approved
from tabwright.browser.input.shield import guard_input
from tabwright.browser.snapshot.effects_report import Effects
from tabwright.browser.snapshot.observe import observe
from tabwright.browser.tab import Tab
from tabwright.browser.user_chrome.declared_page import refusal_error
from tabwright.budget import DEFAULT_TOKENS, page, tokens
from tabwright.call import PERSON, Answer, Call, PreparedCall
from tabwright.call_timing import limit_time, report_progress, wait_for_turn
from tabwright.errors import Internal, TabwrightError
from tabwright.hygiene import strip_invisible
from tabwright.metrics import Metrics
from tabwright.page_tools.inventory import inventory_of
from tabwright.policy.callers.approvals import Approvals
from tabwright.policy.callers.audit_log import AuditLog
from tabwright.policy.callers.principal import Principal
from tabwright.policy.callers.rate_limit import RateLimit
from tabwright.policy.callers.recent_calls import RecentCalls
from tabwright.policy.callers.redact_url import redact_args, redact_url
from tabwright.policy.callers.subject import Subject, find_subject
from tabwright.policy.data.file_access import Files
from tabwright.policy.data.script_reach import Scripts
from tabwright.policy.data.secret_typing import SecretTyping
from tabwright.policy.network.own_ports import OwnPorts
from tabwright.policy.network.user_chrome_guard import keep_from_own_ports
from tabwright.schema import validate
from tabwright.sessions.registry import Sessions
from tabwright.sessions.session import Session
from tabwright.text import format_count

log = logging.getLogger(__name__)

# Seconds for a call. An action with its own, longer timeout gets a quarter of this in addition.
_DEADLINE = 60.0

T = TypeVar("T")


class Runner:
    """Runs calls. Anything that an action raises is reported as one of the nine errors."""

    def __init__(
        self,
        catalog: Catalog,
        sessions: Sessions,
        artifacts: Artifacts,
        *,
        max_tokens: int = DEFAULT_TOKENS,
        rate_limit: RateLimit | None = None,
        audit: AuditLog | None = None,
        secrets: SecretTyping | None = None,
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
        self._secrets = secrets or SecretTyping()
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
        return PreparedCall(call, action, validate(action.args, call.args, call.names, second=call.second))

    async def run(self, given: Call | PreparedCall) -> Answer:
        """Run one call.

        Raises:
            TabwrightError: one of the nine errors; apart from cancellation, nothing else is raised.
        """
        call = given.call if isinstance(given, PreparedCall) else given
        started = time.perf_counter()
        outcome, place = "cancelled", _CallPlace()
        try:
            answer = await self._run(call, given, place)
            outcome, place.summary = "ok", str(answer.effects or answer.text.partition("\n")[0])
        except TabwrightError as error:
            outcome = error.kind.__name__
            self._secrets.redact_error(error)
            error.message, error.hint = strip_invisible(error.message), strip_invisible(error.hint)
            place.summary = error.message
            raise
        except Exception as error:
            outcome = "Internal"
            raise self._internal_error(call, error) from error
        else:
            return answer
        finally:
            if place.approved is not None:
                place.approved.release()
            self._record_outcome(call, outcome, time.perf_counter() - started, place)

    async def _run(self, call: Call, given: Call | PreparedCall, place: "_CallPlace") -> Answer:
        if self.rate_limit is not None and not call.principal.counted:
            self.rate_limit.take(call.by or call.principal.name)
        action = self.catalog[call.action]
        unscoped = self.approvals.can_replace_scope(action, call.principal)
        if not unscoped:
            call.principal.require(action)
        prepared = given if isinstance(given, PreparedCall) else self.prepare(given)
        if call.in_profile and call.session is not None:
            self.sessions.require_profile(call.session, trusted=call.principal.trusted)
        if call.door != PERSON:
            self._claim_session(call.principal, call.session)
        args = self.files.resolve_paths(prepared.args, call.principal)
        if call.door != PERSON and (unscoped or self.approvals.needed_for(action, self.catalog)):
            place.approved = await self._ask_for_approval(call, action, args)
            place.asked = True
        if action.works_on is Caller:
            return self._plain_answer(call, await action.run(_ActionCaller(self, call), args))
        principal = call.principal
        session = await self.sessions.get(principal.name, call.session, trusted=principal.trusted)
        try:
            async with wait_for_turn(session, action, call), report_progress(call, action, session):
                with limit_time(action, args, self._deadline):
                    answer = await self._perform(call, action, args, session, place)
        finally:
            self.sessions.touch(session)
        return _with_note(answer, session.take_note() if call.door != PERSON else "")

    def _claim_session(self, principal: Principal, name: str | None) -> None:
        self.sessions.claim(principal.name, name, principal.connection, trusted=principal.trusted)

    async def _ask_for_approval(self, call: Call, action: Action, args: Args) -> Approved | None:
        """Wait for a person to approve a call; return what they approved: what it was shown to act on."""
        principal = call.principal
        session = self.sessions.find(principal.name, call.session, trusted=principal.trusted)
        subject = await find_subject(session, call.tab, action, args)
        texts = self._secrets.redact((subject.target, subject.page, subject.facts))
        given = self._secrets.redact(redact_args(call.args))
        try:
            await self.approvals.ask(action, principal.name, given, call.session or "", Subject(*texts))
        except BaseException:
            subject.release()
            raise
        return subject.approved

    async def _perform(
        self, call: Call, action: Action, args: Args, session: Session, place: "_CallPlace"
    ) -> Answer:
        """Run the action in a session, and build the answer."""
        place.session, place.owner = session.name, session.owner
        place.tab = tab = await session.tab(call.tab) if action.works_on is Tab else None
        if tab is not None and tab.declared is not None and not action.on_declared_pages:
            raise refusal_error()
        finish_recording = await _prepare_recording(session, action, args, tab)
        async with keep_from_own_ports(tab if session.ownership.of_user else None, self.ports):
            ran = await self._run_action(call, action, args, session, place)
            result, effects = self._secrets.redact(ran)
        if finish_recording is not None:
            finish_recording()
        result = self._store_files(result, call.principal.name)
        head, page_text = _render(result, effects)
        answer = Answer(
            head=head,
            page=page_text,
            changes=str(effects) if effects and result.value_only and not effects.empty else "",
            result=result,
            session=session.name,
            tab=tab.id if tab else "",
            effects=effects,
            artifacts=(*result.artifacts, *self._collect_downloads(session, call)),
        )
        if call.save:
            saved = self.artifacts.add(_text_file(action.name, answer.text), call.principal.name)
            answer = replace(answer, artifacts=(*answer.artifacts, saved))
        fitted = self._fit(answer, session, call.max_tokens or self._max_tokens)
        return _with_note(
            fitted, f"[In frame {tab.frames.chosen_key}]" if tab and tab.frames.chosen_key else ""
        )

    async def _run_action(
        self, call: Call, action: Action, args: Args, session: Session, place: "_CallPlace"
    ) -> tuple[Result, Effects | None]:
        """Run the action with the permissions of its caller, and with secrets instead of their names."""
        checked, reach = self._scripts.check(args, call.principal)
        tab, approved = place.tab, place.approved
        free = place.asked or call.door == PERSON
        permissions = CallPermissions(
            read_file=partial(self.files.resolve_readable, principal=call.principal),
            script_reach=reach,
            withheld=frozenset() if free else self.approvals.rules(self.catalog),
            approved=approved,
        )
        with granted(permissions):
            async with guard_input(tab, approved), self._secrets.fill(checked, tab) as filled:
                if tab is None or not action.observed or tab.declared is not None:
                    return await action.run(tab or session, filled), None
                result, effects = await observe(tab, lambda: action.run(tab, filled))
                if result.with_tools:
                    effects.tools = await inventory_of(tab).describe_new_tools()
                return result, effects

    def _plain_answer(self, call: Call, result: Result) -> Answer:
        """Return the answer of an action that runs other calls, each of which has its own token budget."""
        head, page_text = _render(result, None)
        return Answer(head=head, page=page_text, result=result, session=call.session or "")

    def _store_files(self, result: Result, owner: str) -> Result:
        """Move the files of a result to the store, where doors find them."""
        files = {name: value for name, value in vars(result).items() if isinstance(value, Artifact)}
        stored = {name: self.artifacts.add(file, owner) for name, file in files.items()}
        return result.model_copy(update=stored)

    def _collect_downloads(self, session: Session, call: Call) -> tuple[Artifact, ...]:
        """Return the files downloaded since the last call; only the session's owner gets them."""
        if call.door == PERSON:
            return ()
        return tuple(
            self.artifacts.add(Artifact.at(path), call.principal.name)
            for path in session.context.downloads.collect()
            if path.is_file()
        )

    def _fit(self, answer: Answer, session: Session, max_tokens: int) -> Answer:
        """Return the answer within its budget, with a cursor to what was left out."""
        if tokens(answer.text) <= max_tokens and not answer.result.too_long:
            return answer
        lines = _join(answer.head, answer.page).splitlines()
        name = session.store_output(lines)
        if short := answer.result.shorten(max_tokens):
            head, page_text = _split(short, answer.result.own_lines)
            notice = f"[Shortened. Whole text: more {name}]"
            return _with_notice(replace(answer, head=head, page=page_text, changes="", cursor=name), notice)
        part = page(lines, max_tokens=max_tokens)
        head, page_text = _split(part.text, answer.head.count("\n") + 1 if answer.head else 0)
        cursor = f"{name}:{part.next_line}"
        left = format_count(len(lines) - (part.next_line or 0), "more line")
        notice = f"[{left}: more {cursor}]"
        return _with_notice(replace(answer, head=head, page=page_text, changes="", cursor=cursor), notice)

    def _internal_error(self, call: Call, error: Exception) -> Internal:
        log_id = secrets.token_hex(4)
        log.error("call %s failed, log id %s", call.action, log_id, exc_info=error)
        return Internal(
            f"Internal error in {call.action} (log id {log_id}).", hint="Report it with the log id."
        )

    def redact(self, value: T) -> T:
        """Return a value without the secrets that were used, for the dashboard."""
        return self._secrets.redact(value)

    def record(self, call: Call) -> None:
        """Record something a person did that is not an action: take over, allow, end a session."""
        self._write_log(call, "ok", 0.0, _CallPlace())

    def _record_outcome(self, call: Call, outcome: str, seconds: float, place: "_CallPlace") -> None:
        self.metrics.count(call.action if call.action in self.catalog else "unknown", outcome, seconds)
        self._write_log(call, outcome, seconds, place)

    def _write_log(self, call: Call, outcome: str, seconds: float, place: "_CallPlace") -> None:
        line = {
            "who": call.by or call.principal.name,
            "door": call.door,
            "action": call.action[:100],
            "session": place.session or call.session,
            "tab": place.tab.id if place.tab else call.tab,
            "args": redact_args(call.args),
            "url": redact_url(place.tab.url) if place.tab else "",
            "ms": round(seconds * 1000),
            "outcome": outcome,
        }
        redacted = self._secrets.redact(line)
        self.journal.add(redacted, place.summary, place.owner or call.principal.name)
        if self._audit is not None:
            self._audit.write(redacted)


@dataclass
class _CallPlace:
    """Where a call ran, as far as it got, and a summary of its answer."""

    session: str = ""
    owner: str = ""
    tab: Tab | None = None
    summary: str = ""
    asked: bool = False
    approved: Approved | None = None


class _ActionCaller:
    """The caller of one call, as its action sees it."""

    def __init__(self, runner: Runner, call: Call) -> None:
        self.owner = call.principal.name
        self.connection = call.principal.connection
        self.trusted = call.principal.trusted
        self.session = call.session
        self.second = call.second
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

    def place(self) -> Place:
        """Return where programs run for the caller."""
        return self._call.principal.place()

    def new_file(self, path: str) -> AbstractContextManager[NewFile]:
        """Write a file in the caller's folder."""
        return self._runner.files.new_file(path, self._call.principal)

    async def report(self, message: str) -> None:
        """Report the progress of long work."""
        if self._call.progress is not None:
            await self._call.progress(next(self._steps), message)


async def _prepare_recording(
    session: Session, action: Action, args: Args, tab: Tab | None
) -> Callable[[], None] | None:
    """Let the recorder of the session inspect the target; return what to call after the action."""
    if session.recorder is None or tab is None or action.effect is Effect.READ:
        return None
    return await session.recorder.prepare(tab, action.name, args.model_dump())


def _render(result: Result, effects: Effects | None) -> tuple[str, str]:
    """Return the text of an answer: ours first, then everything that comes from the page."""
    head, page_text = _split(str(result), result.own_lines)
    if effects is not None and result.stated_value is not None:
        effects = effects.without_value(result.stated_value)
    if effects is None or result.value_only or (effects.empty and page_text):
        return head, page_text
    if effects.empty:
        return _join(head, str(effects)), ""
    return head, _join(page_text, str(effects))


def _with_note(answer: Answer, note: str) -> Answer:
    """Begin an answer with a note, if there is one."""
    return replace(answer, head=_join(note, answer.head)) if note else answer


def _with_notice(answer: Answer, notice: str) -> Answer:
    return replace(answer, notice=_join(answer.notice, notice))


def _join(*parts: str) -> str:
    return "\n".join(part for part in parts if part)


def _split(text: str, own_lines: int | None) -> tuple[str, str]:
    """Split a text after the lines that are ours."""
    if own_lines is None:
        return text, ""
    lines = text.split("\n", own_lines)
    return "\n".join(lines[:own_lines]), "\n".join(lines[own_lines:])


def _text_file(name: str, text: str) -> Artifact:
    return Artifact.of(f"{name}.txt", "text/plain", base64.b64encode(text.encode()).decode())
