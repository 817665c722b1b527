"""Bodies of requests and responses, fetched from Chrome while it still has them."""

import base64
from dataclasses import dataclass

from tabwright.browser.network.exchange import Exchange
from tabwright.cdp import CdpError, Params
from tabwright.errors import NotFound, Stale

MAX_BODY = 5_000_000


@dataclass(frozen=True, slots=True)
class Body:
    """A body, as text if it is text; `total` is its full length, even if it was cut."""

    content: str | bytes
    total: int

    @property
    def truncated(self) -> bool:
        """Whether it was cut."""
        return len(self.content) < self.total


async def response_body(exchange: Exchange, limit: int = MAX_BODY) -> Body:
    """Return a response's body, cut at `limit` characters or bytes.

    Raises:
        NotFound: there is none, or Chrome dropped it.
        Stale: it is not complete yet.
    """
    if exchange.failure or exchange.status in (301, 302, 303, 307, 308):
        raise NotFound(
            f"{exchange.id} has no body: {exchange.failure or 'it is a redirect'}.",
            hint="Choose another request.",
        )
    if not exchange.finished:
        raise Stale(f"The response of {exchange.id} is still being received.", hint="Wait, then try again.")
    answer = await _fetch(exchange, "Network.getResponseBody", "response body")
    if answer["base64Encoded"]:
        content = base64.b64decode(answer["body"])
        return Body(content[:limit], len(content))
    return Body(answer["body"][:limit], len(answer["body"]))


async def request_body(exchange: Exchange, limit: int = MAX_BODY) -> Body:
    """Return the body of a request, cut at `limit` characters.

    Raises:
        NotFound: there is none, or Chrome dropped it.
    """
    if not exchange.has_post_data:
        raise NotFound(f"{exchange.id} sent no data.", hint="Choose another request.")
    text = exchange.post_data
    if text is None:
        answer = await _fetch(exchange, "Network.getRequestPostData", "data")
        text = str(answer["postData"])
    return Body(text[:limit], len(text))


async def _fetch(exchange: Exchange, method: str, what: str) -> Params:
    assert exchange.session is not None
    try:
        return await exchange.session.send(method, requestId=exchange.chrome_id)
    except (CdpError, Stale) as error:
        raise NotFound(
            f"Chrome no longer has the {what} of {exchange.id}.",
            hint="Chrome drops bodies with their page, and large ones earlier; load the page again.",
        ) from error
