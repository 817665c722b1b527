"""What a tab loads from a moment on, as an HTTP archive (HAR 1.2): heads, times, and bodies as they come.

The log of requests has the heads. Bodies are asked for once they are complete: Chrome drops them with the
page.
"""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from tabwright import __version__
from tabwright.browser.network.exchange import Exchange
from tabwright.cdp import Params
from tabwright.errors import Blocked, NotFound

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

_LONGEST_BODY = 1_000_000
_MOST_CHARACTERS = 12_000_000


class Recording:
    """The recording of one tab, if one runs."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._since: int | None = None
        self._bodies: dict[str, Params] = {}
        self._room = 0
        self._leave: Callable[[], object] = lambda: None

    def start(self) -> None:
        """Record from now on.

        Raises:
            Blocked: it does so already.
        """
        if self._since is not None:
            raise Blocked(f"Tab {self._tab.id} is being recorded already.", hint="Stop that first.")
        self._since, self._room, self._bodies = self._tab.network.count, _MOST_CHARACTERS, {}
        self._leave = self._tab.session.on("Network.loadingFinished", self._finished)

    def stop(self) -> "tuple[dict[str, Any], int]":
        """End the recording; return the archive, and how many requests the log had no more room for.

        Raises:
            NotFound: none runs.
        """
        if self._since is None:
            raise NotFound(f"Tab {self._tab.id} is not being recorded.", hint="Start a recording first.")
        self._leave()
        kept = self._tab.network.exchanges(since=self._since)
        lost = self._tab.network.count - self._since - len(kept)
        self._since = None
        entries = [_entry(exchange, self._bodies.get(exchange.chrome_id)) for exchange in kept]
        self._bodies = {}
        creator = {"name": "tabwright", "version": __version__}
        return {"log": {"version": "1.2", "creator": creator, "pages": [], "entries": entries}}, lost

    def _finished(self, event: Params) -> None:
        if self._room > 0 and event["encodedDataLength"] <= _LONGEST_BODY:
            key = event["requestId"]
            asked = self._tab.session.start("Network.getResponseBody", requestId=key)
            asked.add_done_callback(lambda answer: self._keep(key, answer))

    def _keep(self, key: str, answer: "asyncio.Future[Params]") -> None:
        if answer.cancelled() or answer.exception() is not None:
            return  # a redirect has none, and one that went away is no loss to the rest
        body = answer.result()
        if len(body["body"]) <= min(_LONGEST_BODY, self._room):
            self._room -= len(body["body"])
            self._bodies[key] = body


def _entry(exchange: Exchange, body: Params | None) -> dict[str, Any]:
    took = (exchange.duration or 0.0) * 1000
    entry = {
        "startedDateTime": datetime.fromtimestamp(exchange.started, UTC).isoformat(),
        "time": took,
        "request": _request(exchange),
        "response": _response(exchange, body),
        "cache": {},
        "timings": {"send": 0, "wait": took, "receive": 0},
        "_resourceType": exchange.type.lower(),
    }
    return {**entry, "_error": exchange.failure} if exchange.failure else entry


def _request(exchange: Exchange) -> dict[str, Any]:
    headers, sent = exchange.request_headers, exchange.post_data
    request = {
        "method": exchange.method,
        "url": exchange.url,
        "httpVersion": "",
        "headers": _pairs(headers.items()),
        "queryString": _pairs(parse_qsl(urlsplit(exchange.url).query, keep_blank_values=True)),
        "cookies": [],
        "headersSize": -1,
        "bodySize": len(sent.encode()) if sent else 0,
    }
    mime = next((value for name, value in headers.items() if name.lower() == "content-type"), "")
    return {**request, "postData": {"mimeType": mime, "text": sent}} if sent else request


def _response(exchange: Exchange, body: Params | None) -> dict[str, Any]:
    headers = exchange.response_headers
    content: dict[str, Any] = {"size": exchange.length, "mimeType": exchange.mime}
    if body is not None:
        content["text"] = body["body"]
        content |= {"encoding": "base64"} if body["base64Encoded"] else {}
    return {
        "status": exchange.status or 0,
        "statusText": exchange.status_text,
        "httpVersion": "",
        "headers": _pairs(headers.items()),
        "cookies": [],
        "content": content,
        "redirectURL": next((value for name, value in headers.items() if name.lower() == "location"), ""),
        "headersSize": -1,
        "bodySize": exchange.size,
    }


def _pairs(items: Any) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in items]
