"""Records the requests of a tab as an HTTP archive (HAR 1.2): headers, times and bodies.

Headers come from the network log. Bodies are fetched as soon as they are complete: Chrome drops them with the
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

_MAX_BODY = 1_000_000
_MAX_CHARACTERS = 12_000_000


class Recording:
    """The recording of one tab, if one is running."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._since: int | None = None
        self._bodies: dict[str, Params] = {}
        self._room = 0
        self._unsubscribe: Callable[[], object] = lambda: None

    def start(self) -> None:
        """Record from now on.

        Raises:
            Blocked: a recording is running.
        """
        if self._since is not None:
            raise Blocked(f"Tab {self._tab.id} is already being recorded.", hint="Stop that recording first.")
        self._since, self._room, self._bodies = self._tab.network.count, _MAX_CHARACTERS, {}
        self._unsubscribe = self._tab.session.on("Network.loadingFinished", self._on_finished)

    def stop(self) -> "tuple[dict[str, Any], int]":
        """Stop the recording; return the archive, and how many requests the log dropped.

        Raises:
            NotFound: no recording is running.
        """
        if self._since is None:
            raise NotFound(f"Tab {self._tab.id} is not being recorded.", hint="Start a recording first.")
        self._unsubscribe()
        exchanges = self._tab.network.exchanges(since=self._since)
        lost = self._tab.network.count - self._since - len(exchanges)
        self._since = None
        entries = [_render_entry(exchange, self._bodies.get(exchange.chrome_id)) for exchange in exchanges]
        self._bodies = {}
        creator = {"name": "tabwright", "version": __version__}
        return {"log": {"version": "1.2", "creator": creator, "pages": [], "entries": entries}}, lost

    def _on_finished(self, event: Params) -> None:
        if self._room > 0 and event["encodedDataLength"] <= _MAX_BODY:
            key = event["requestId"]
            fetching = self._tab.session.start("Network.getResponseBody", requestId=key)
            fetching.add_done_callback(lambda answer: self._add_body(key, answer))

    def _add_body(self, key: str, answer: "asyncio.Future[Params]") -> None:
        if answer.cancelled() or answer.exception() is not None:
            return  # a redirect has none, and Chrome may have dropped it
        body = answer.result()
        if len(body["body"]) <= min(_MAX_BODY, self._room):
            self._room -= len(body["body"])
            self._bodies[key] = body


def _render_entry(exchange: Exchange, body: Params | None) -> dict[str, Any]:
    duration = (exchange.duration or 0.0) * 1000
    entry = {
        "startedDateTime": datetime.fromtimestamp(exchange.started, UTC).isoformat(),
        "time": duration,
        "request": _render_request(exchange),
        "response": _render_response(exchange, body),
        "cache": {},
        "timings": {"send": 0, "wait": duration, "receive": 0},
        "_resourceType": exchange.type.lower(),
    }
    return {**entry, "_error": exchange.failure} if exchange.failure else entry


def _render_request(exchange: Exchange) -> dict[str, Any]:
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


def _render_response(exchange: Exchange, body: Params | None) -> dict[str, Any]:
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
