"""The log of requests, and rules that block, mock or change them."""

from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.network.exchange import Exchange
from tabwright.browser.network.rules import parse_headers
from tabwright.browser.tab import Tab
from tabwright.fields import HttpStatus, Pattern
from tabwright.results import Done
from tabwright.sessions.session import Session
from tabwright.text import format_count


class ListRequests(Args):
    """Arguments of `list_requests`."""

    pattern: str | None = Field(
        None, min_length=1, max_length=2_000, description="Only matching URLs; * matches anything."
    )
    type: str | None = Field(
        None,
        min_length=1,
        max_length=50,
        description="Only of this type: Document, Script, XHR, Fetch, Image …",
    )
    failed: bool | None = Field(None, description="true: only failed requests; false: only others.")
    method: str | None = Field(None, min_length=1, max_length=20, description="Only of this HTTP method.")
    status: HttpStatus | None = Field(None, description="Only of this HTTP status: 200, 4xx, 400-499.")


class RequestLine(Result):
    """One request."""

    id: str = Field(description="Id for get_request.")
    method: str = Field(description="HTTP method.")
    url: str = Field(description="URL.")
    type: str = Field(description="Resource type.")
    status: int | None = Field(description="HTTP status.")
    size: int = Field(description="Bytes received.")
    seconds: float | None = Field(description="Duration.")
    initiator: str = Field(description="Its initiator.")
    failure: str = Field(description="Any error.")

    def __str__(self) -> str:
        outcome = self.failure or (str(self.status) if self.status else "under way")
        took = f" {self.seconds * 1000:.0f} ms" if self.seconds is not None else ""
        by = f" by {self.initiator}" if self.initiator != "other" else ""
        return f"{self.id} {self.method} {self.url} {outcome} {self.type} {self.size} B{took}{by}"


class RequestList(Result):
    """The log."""

    own_lines = 0

    requests: list[RequestLine] = Field(description="The requests, oldest first.")

    def __str__(self) -> str:
        return "\n".join(map(str, self.requests)) or "No matching requests."


class GetRequest(Args):
    """Arguments of `get_request`."""

    id: str = Field(pattern=r"^r\d+$", description="Id from list_requests, such as r12.")
    body: bool = Field(True, description="Also the body of the response.")


class RequestDetail(Result):
    """One request in detail."""

    own_lines = 0
    exact = True

    line: str = Field(description="Method, URL, outcome.")
    request_headers: dict[str, str] = Field(description="Request headers.")
    response_headers: dict[str, str] = Field(description="Response headers.")
    body: str = Field(description="Response body, if it is text.")

    def __str__(self) -> str:
        sent = "\n".join(f"> {name}: {value}" for name, value in self.request_headers.items())
        got = "\n".join(f"< {name}: {value}" for name, value in self.response_headers.items())
        return "\n".join(part for part in (self.line, sent, got, self.body) if part)


class MockRequests(Args):
    """Arguments of `mock_requests`."""

    pattern: Pattern
    status: int = Field(200, ge=100, le=599, description="HTTP status to answer with.")
    body: str = Field("", max_length=10_000_000, description="Body to answer with.")
    headers: list[str] = Field([], max_length=100, description="Headers to answer with, each as Name: value.")


class BlockRequests(Args):
    """Arguments of `block_requests`."""

    pattern: Pattern


class ClearRules(Args):
    """Arguments of `clear_rules`."""

    pattern: str | None = Field(
        None,
        min_length=1,
        max_length=2_000,
        description="Only rules with this pattern; default: all.",
    )


class SetHeaders(Args):
    """Arguments of `set_headers`."""

    headers: list[str] = Field(
        max_length=100, description="Headers, each as Name: value; an empty list resets."
    )
    origin: str | None = Field(
        None, min_length=1, max_length=2_000, description="Only for this origin, such as https://example.com."
    )


class SetCredentials(Args):
    """Arguments of `set_credentials`."""

    user: str = Field(min_length=1, max_length=1_000, description="User name.")
    password: str = Field(max_length=1_000, description="Password.")
    origin: str | None = Field(None, min_length=1, max_length=2_000, description="Only for this origin.")


class SetOffline(Args):
    """Arguments of `set_offline`."""

    offline: bool = Field(True, description="Whether the session is offline.")


@action(Effect.READ, does=("read_data",), group="Network")
async def list_requests(tab: Tab, args: ListRequests) -> RequestList:
    """List the requests that the page made."""
    found = tab.network.exchanges(pattern=args.pattern, type=args.type, failed=args.failed)
    matching = [exchange for exchange in found if exchange.matches(args.method, args.status)]
    return RequestList(requests=[_line(exchange) for exchange in matching])


@action(Effect.READ, does=("read_data",), group="Network")
async def get_request(tab: Tab, args: GetRequest) -> RequestDetail:
    """Show headers and body of one request."""
    exchange = tab.network.get(args.id)
    body = (await tab.network.body(args.id)).content if args.body else ""
    return RequestDetail(
        line=str(exchange),
        request_headers=exchange.request_headers,
        response_headers=exchange.response_headers,
        body=body if isinstance(body, str) else f"[{format_count(len(body), 'byte')}]",
    )


@action(Effect.ACT, does=("configure",), group="Network", observed=False, idempotent=True)
async def clear_requests(tab: Tab, args: Args) -> RequestList:
    """Clear the log of requests."""
    tab.network.clear()
    return RequestList(requests=[])


@action(Effect.ACT, does=("configure",), group="Network")
async def block_requests(session: Session, args: BlockRequests) -> Done:
    """Block requests to matching URLs in all tabs, frames and workers; WebSockets are not blocked."""
    rule = await session.context.interception.block(args.pattern)
    return Done(deed=f"Rule {rule.id} blocks", target=args.pattern)


@action(Effect.ACT, does=("configure",), group="Network")
async def mock_requests(session: Session, args: MockRequests) -> Done:
    """Answer requests to matching URLs in all tabs, frames and workers with your own response."""
    rule = await session.context.interception.mock(
        args.pattern, status=args.status, headers=parse_headers(args.headers), body=args.body
    )
    return Done(deed=f"Rule {rule.id} answers", target=args.pattern)


@action(Effect.ACT, does=("configure",), group="Network", idempotent=True)
async def clear_rules(session: Session, args: ClearRules) -> Done:
    """Remove block and mock rules: all, or those of one pattern."""
    if args.pattern is None:
        await session.context.interception.clear()
        return Done(deed="Cleared", target="all rules")
    count = await session.context.interception.remove_pattern(args.pattern)
    return Done(deed=f"Cleared {format_count(count, 'rule')} for", target=args.pattern)


@action(Effect.ACT, does=("configure",), group="Network", idempotent=True)
async def set_headers(session: Session, args: SetHeaders) -> Done:
    """Send extra headers with every request, or with those to one origin."""
    headers = parse_headers(args.headers)
    if args.origin is None:
        await session.context.headers.set(headers)
    else:
        await session.context.interception.set_headers(args.origin, headers)
    return Done(deed=f"Sending {format_count(len(headers), 'header')} to", target=args.origin or "every site")


@action(Effect.ACT, does=("configure",), group="Network", idempotent=True)
async def set_credentials(session: Session, args: SetCredentials) -> Done:
    """Answer HTTP authentication with a name and password."""
    await session.context.interception.set_credentials(args.user, args.password, origin=args.origin)
    return Done(deed="Credentials are set for", target=args.origin or "every site")


@action(Effect.ACT, does=("configure",), group="Network", idempotent=True)
async def set_offline(session: Session, args: SetOffline) -> Done:
    """Take the session offline or online."""
    await session.context.set_offline(args.offline)
    return Done(deed="The session is now", target="offline" if args.offline else "online")


def _line(exchange: Exchange) -> RequestLine:
    return RequestLine(
        id=exchange.id,
        method=exchange.method,
        url=exchange.url,
        type=exchange.type,
        status=exchange.status,
        size=exchange.size,
        seconds=exchange.duration,
        initiator=exchange.initiator,
        failure=exchange.failure,
    )
