"""Requests of a context stopped on their way: blocked, answered by us, given headers or credentials.

Holds for every tab, popup, frame and worker of the context. Chrome pauses only what some rule may concern,
and nothing at all without rules. WebSockets do not pass here.
"""

import itertools
from dataclasses import dataclass
from typing import Any

from tabwright.browser.network.gate import Gate, OpenGate
from tabwright.browser.network.rules import Block, Mock, Rule, check_headers, fulfilment
from tabwright.cdp import CdpSession, Params
from tabwright.cdp.session_set import SessionSet
from tabwright.errors import InvalidArgs, NotFound
from tabwright.urls import UrlGlob, origin_of, required_origin

_TRIED = 1_000


@dataclass(frozen=True, slots=True)
class Credentials:
    """A name and password for HTTP authentication."""

    user: str
    password: str


class Interception:
    """The rules of one context, in force on all its sessions."""

    def __init__(self, gate: Gate | None = None) -> None:
        self._gate: Gate = gate or OpenGate()
        self._sessions = SessionSet()
        self._rules: dict[str, Rule] = {}
        self._numbers = itertools.count(1)
        self._headers: dict[str, dict[str, str]] = {}
        self._credentials: dict[str | None, Credentials] = {}
        self._tried: dict[tuple[str, str], None] = {}

    @property
    def rules(self) -> tuple[Rule, ...]:
        """What is in force, oldest first."""
        return tuple(self._rules.values())

    def attach(self, session: CdpSession) -> None:
        """Put the rules into force on a session whose target has not run yet."""
        self._sessions.add(session)
        session.on("Fetch.requestPaused", lambda event: self._paused(session, event))
        session.on("Fetch.authRequired", lambda event: self._challenged(session, event))
        if (patterns := self._patterns()) or self._credentials:
            session.post("Fetch.enable", **self._enabling(patterns))

    async def block(self, pattern: str) -> Block:
        """Let no request that fits leave; where several rules fit, the latest holds."""
        rule = Block(f"i{next(self._numbers)}", UrlGlob(pattern))
        await self._add(rule)
        return rule

    async def mock(
        self,
        pattern: str,
        *,
        status: int = 200,
        headers: dict[str, str] | None = None,
        body: str | bytes = "",
    ) -> Mock:
        """Answer every request that fits; where several rules fit, the latest holds."""
        content = body.encode() if isinstance(body, str) else body
        rule = Mock(f"i{next(self._numbers)}", UrlGlob(pattern), status, dict(headers or {}), content)
        await self._add(rule)
        return rule

    async def remove(self, rule_id: str) -> None:
        """Take one rule back."""
        if self._rules.pop(rule_id, None) is None:
            known = ", ".join(self._rules) or "none"
            raise NotFound(f"There is no rule {rule_id}; rules: {known}.", hint="Choose one of them.")
        await self._apply()

    async def forget(self, pattern: str) -> int:
        """Take the rules of one pattern back; return how many there were.

        Raises:
            NotFound: there is none.
        """
        found = [rule.id for rule in self._rules.values() if rule.pattern.text == pattern]
        if not found:
            known = ", ".join(rule.pattern.text for rule in self._rules.values()) or "none"
            raise NotFound(f"There is no rule for {pattern}; rules: {known}.", hint="Choose one of them.")
        for rule_id in found:
            del self._rules[rule_id]
        await self._apply()
        return len(found)

    async def clear(self) -> None:
        """Take all block and mock rules back."""
        self._rules.clear()
        await self._apply()

    async def set_headers(self, origin: str, headers: dict[str, str]) -> None:
        """Send these headers with every request to `origin` and no other; none takes them back."""
        check_headers(headers)
        self._headers.pop(required_origin(origin), None)
        if headers:
            self._headers[required_origin(origin)] = dict(headers)
        await self._apply()

    async def set_credentials(self, user: str, password: str, *, origin: str | None = None) -> None:
        """Answer HTTP authentication of `origin`, or of any site and proxy, with a name and password."""
        if not user:
            raise InvalidArgs("The user name is empty.", hint="Give a name and a password.")
        where = required_origin(origin) if origin is not None else None
        self._credentials[where] = Credentials(user, password)
        await self._apply()

    async def clear_credentials(self) -> None:
        """Forget all names and passwords."""
        self._credentials.clear()
        await self._apply()

    async def _add(self, rule: Rule) -> None:
        self._rules[rule.id] = rule
        await self._apply()

    async def _apply(self) -> None:
        """Bring all live sessions to the present rules; return when Chrome follows them."""
        patterns = self._patterns()
        if patterns or self._credentials:
            await self._sessions.send("Fetch.enable", **self._enabling(patterns))
        else:
            await self._sessions.send("Fetch.disable")

    def _patterns(self) -> list[str]:
        if None in self._credentials:
            return ["*"]
        origins = {*self._headers, *(origin for origin in self._credentials if origin)}
        rules = {*self._gate.paused, *(rule.pattern.for_chrome for rule in self._rules.values())}
        return sorted(rules | {f"{origin}/*" for origin in origins})

    def _enabling(self, patterns: list[str]) -> dict[str, Any]:
        return {
            "patterns": [{"urlPattern": pattern} for pattern in patterns],
            "handleAuthRequests": bool(self._credentials),
        }

    def _paused(self, session: CdpSession, event: Params) -> None:
        request, paused = event["request"], event["requestId"]
        rule = next(
            (rule for rule in reversed(self._rules.values()) if rule.pattern.matches(request["url"])), None
        )
        if isinstance(rule, Mock):
            session.post("Fetch.fulfillRequest", requestId=paused, **fulfilment(rule, request))
        elif isinstance(rule, Block) or not self._gate.allows(request["url"]):
            session.post("Fetch.failRequest", requestId=paused, errorReason="BlockedByClient")
        else:
            session.post("Fetch.continueRequest", requestId=paused, **self._dressed(request))

    def _dressed(self, request: Params) -> Params:
        extra = self._headers.get(origin_of(request["url"]) or "")
        if not extra:
            return {}
        replaced = {name.casefold() for name in extra}
        kept = {name: value for name, value in request["headers"].items() if name.casefold() not in replaced}
        return {"headers": [{"name": name, "value": value} for name, value in {**kept, **extra}.items()]}

    def _challenged(self, session: CdpSession, event: Params) -> None:
        challenge, job = event["authChallenge"], (session.id, event["requestId"])
        credentials = self._credentials.get(origin_of(challenge["origin"]), self._credentials.get(None))
        # The page of the refusal then shows, with its status; Chrome by itself would show nothing.
        response: Params = {"response": "CancelAuth"}
        # Asked again means refused: the same answer once more would go on for ever.
        if credentials is not None and job not in self._tried:
            self._tried[job] = None
            if len(self._tried) > _TRIED:
                del self._tried[next(iter(self._tried))]
            response = {
                "response": "ProvideCredentials",
                "username": credentials.user,
                "password": credentials.password,
            }
        session.post("Fetch.continueWithAuth", requestId=event["requestId"], authChallengeResponse=response)


class ExtraHeaders:
    """Headers that all tabs, frames and workers of one context send with everything."""

    def __init__(self) -> None:
        self._sessions = SessionSet()
        self._headers: dict[str, str] = {}

    @property
    def current(self) -> dict[str, str]:
        """What is sent now."""
        return dict(self._headers)

    def attach(self, session: CdpSession) -> None:
        """Have a new session's target send them from its first request on."""
        self._sessions.add(session)
        if self._headers:
            session.post("Network.setExtraHTTPHeaders", headers=self._headers)

    async def set(self, headers: dict[str, str]) -> None:
        """Send exactly these from now on; none sends none."""
        check_headers(headers)
        self._headers = dict(headers)
        await self._sessions.send("Network.setExtraHTTPHeaders", headers=self._headers)
