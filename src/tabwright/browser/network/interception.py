"""Intercepts requests of a context: blocks them, mocks responses, adds headers or credentials.

Applies to every tab, popup, frame and worker of the context. Chrome pauses only requests that a rule may
match, and none without rules. WebSockets are not intercepted.
"""

import itertools
from dataclasses import dataclass
from typing import Any

from tabwright.browser.network.gate import Gate, OpenGate
from tabwright.browser.network.rules import Block, Mock, Rule, check_headers, fulfill_params
from tabwright.cdp import CdpSession, Params
from tabwright.cdp.session_set import SessionSet
from tabwright.errors import InvalidArgs, NotFound
from tabwright.urls import UrlGlob, origin_of, require_origin

# Authentication attempts that are remembered.
_MAX_ATTEMPTS = 1_000


@dataclass(frozen=True, slots=True)
class Credentials:
    """A user name and password for HTTP authentication."""

    user: str
    password: str


class Interception:
    """Rules for requests of the context: blocked URLs, mocked responses, extra headers, credentials."""

    def __init__(self, gate: Gate | None = None) -> None:
        self._gate: Gate = gate or OpenGate()
        self._sessions = SessionSet()
        self._rules: dict[str, Rule] = {}
        self._numbers = itertools.count(1)
        self._headers: dict[str, dict[str, str]] = {}
        self._credentials: dict[str | None, Credentials] = {}
        self._attempts: dict[tuple[str, str], None] = {}

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All block and mock rules, oldest first."""
        return tuple(self._rules.values())

    def attach(self, session: CdpSession) -> None:
        """Apply the rules to a new session, before its target runs."""
        self._sessions.add(session)
        session.on("Fetch.requestPaused", lambda event: self._on_paused(session, event))
        session.on("Fetch.authRequired", lambda event: self._on_challenge(session, event))
        if (patterns := self._patterns()) or self._credentials:
            session.post("Fetch.enable", **self._fetch_params(patterns))

    async def block(self, pattern: str) -> Block:
        """Block every request that matches; if several rules match, the latest counts."""
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
        """Answer every request that matches; if several rules match, the latest counts."""
        content = body.encode() if isinstance(body, str) else body
        rule = Mock(f"i{next(self._numbers)}", UrlGlob(pattern), status, dict(headers or {}), content)
        await self._add(rule)
        return rule

    async def remove(self, rule_id: str) -> None:
        """Remove one rule."""
        if self._rules.pop(rule_id, None) is None:
            known = ", ".join(self._rules) or "none"
            raise NotFound(f"Unknown rule {rule_id}; rules: {known}.", hint="Choose one of them.")
        await self._apply()

    async def remove_pattern(self, pattern: str) -> int:
        """Remove the rules of one pattern; return how many there were.

        Raises:
            NotFound: no rule has this pattern.
        """
        found = [rule.id for rule in self._rules.values() if rule.pattern.text == pattern]
        if not found:
            known = ", ".join(rule.pattern.text for rule in self._rules.values()) or "none"
            raise NotFound(f"No rule for {pattern}; rules: {known}.", hint="Choose one of them.")
        for rule_id in found:
            del self._rules[rule_id]
        await self._apply()
        return len(found)

    async def clear(self) -> None:
        """Remove all block and mock rules."""
        self._rules.clear()
        await self._apply()

    async def set_headers(self, origin: str, headers: dict[str, str]) -> None:
        """Send these headers with every request to `origin` only; without headers, remove them."""
        check_headers(headers)
        self._headers.pop(require_origin(origin), None)
        if headers:
            self._headers[require_origin(origin)] = dict(headers)
        await self._apply()

    async def set_credentials(self, user: str, password: str, *, origin: str | None = None) -> None:
        """Answer HTTP authentication for `origin`, or any site and proxy, with a user name and password."""
        if not user:
            raise InvalidArgs("The user name is empty.", hint="Give a user name and a password.")
        where = require_origin(origin) if origin is not None else None
        self._credentials[where] = Credentials(user, password)
        await self._apply()

    async def _add(self, rule: Rule) -> None:
        self._rules[rule.id] = rule
        await self._apply()

    async def _apply(self) -> None:
        """Apply the current rules to all live sessions; return when Chrome confirmed them."""
        patterns = self._patterns()
        if patterns or self._credentials:
            await self._sessions.send("Fetch.enable", **self._fetch_params(patterns))
        else:
            await self._sessions.send("Fetch.disable")

    def _patterns(self) -> list[str]:
        if None in self._credentials:
            return ["*"]
        origins = {*self._headers, *(origin for origin in self._credentials if origin)}
        rules = {*self._gate.paused, *(rule.pattern.for_chrome for rule in self._rules.values())}
        return sorted(rules | {f"{origin}/*" for origin in origins})

    def _fetch_params(self, patterns: list[str]) -> dict[str, Any]:
        return {
            "patterns": [{"urlPattern": pattern} for pattern in patterns],
            "handleAuthRequests": bool(self._credentials),
        }

    def _on_paused(self, session: CdpSession, event: Params) -> None:
        request, paused = event["request"], event["requestId"]
        rule = next(
            (rule for rule in reversed(self._rules.values()) if rule.pattern.matches(request["url"])), None
        )
        if isinstance(rule, Mock):
            session.post("Fetch.fulfillRequest", requestId=paused, **fulfill_params(rule, request))
        elif isinstance(rule, Block) or not self._gate.allows(request["url"]):
            session.post("Fetch.failRequest", requestId=paused, errorReason="BlockedByClient")
        else:
            session.post("Fetch.continueRequest", requestId=paused, **self._extra_headers(request))

    def _extra_headers(self, request: Params) -> Params:
        extra = self._headers.get(origin_of(request["url"]) or "")
        if not extra:
            return {}
        replaced = {name.casefold() for name in extra}
        others = {
            name: value for name, value in request["headers"].items() if name.casefold() not in replaced
        }
        return {"headers": [{"name": name, "value": value} for name, value in {**others, **extra}.items()]}

    def _on_challenge(self, session: CdpSession, event: Params) -> None:
        challenge, attempt = event["authChallenge"], (session.id, event["requestId"])
        credentials = self._credentials.get(origin_of(challenge["origin"]), self._credentials.get(None))
        # Cancelling shows the site's own 401 page, with its status; Chrome's default shows nothing.
        response: Params = {"response": "CancelAuth"}
        # A second challenge means that the credentials were refused: answering again would loop.
        if credentials is not None and attempt not in self._attempts:
            self._attempts[attempt] = None
            if len(self._attempts) > _MAX_ATTEMPTS:
                del self._attempts[next(iter(self._attempts))]
            response = {
                "response": "ProvideCredentials",
                "username": credentials.user,
                "password": credentials.password,
            }
        session.post("Fetch.continueWithAuth", requestId=event["requestId"], authChallengeResponse=response)


class ExtraHeaders:
    """Headers that all tabs, frames and workers of one context send with every request."""

    def __init__(self) -> None:
        self._sessions = SessionSet()
        self._headers: dict[str, str] = {}

    @property
    def current(self) -> dict[str, str]:
        """The current headers."""
        return dict(self._headers)

    def attach(self, session: CdpSession) -> None:
        """Apply them to a new session, from its first request on."""
        self._sessions.add(session)
        if self._headers:
            session.post("Network.setExtraHTTPHeaders", headers=self._headers)

    async def set(self, headers: dict[str, str]) -> None:
        """Send exactly these from now on."""
        check_headers(headers)
        self._headers = dict(headers)
        await self._sessions.send("Network.setExtraHTTPHeaders", headers=self._headers)
