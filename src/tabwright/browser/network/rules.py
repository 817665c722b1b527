"""Rules for requests that match a pattern: block them, or answer them with a mock response."""

import base64
import mimetypes
import re
from dataclasses import dataclass, field
from http import HTTPStatus

from tabwright.cdp import Params
from tabwright.errors import InvalidArgs
from tabwright.urls import UrlGlob

_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")


@dataclass(frozen=True, slots=True)
class Block:
    """Matching requests are not sent."""

    id: str
    pattern: UrlGlob

    def __str__(self) -> str:
        return f"{self.id} block {self.pattern.text}"


@dataclass(frozen=True, slots=True)
class Mock:
    """Matching requests are not sent, and get this response."""

    id: str
    pattern: UrlGlob
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    def __post_init__(self) -> None:
        if not 200 <= self.status <= 599:
            raise InvalidArgs(f"Invalid HTTP status {self.status}.", hint="Give 200 to 599.")
        check_headers(self.headers)

    def __str__(self) -> str:
        return f"{self.id} mock {self.pattern.text} {self.status}"


Rule = Block | Mock


def check_headers(headers: dict[str, str]) -> None:
    """Check names and values of headers.

    Raises:
        InvalidArgs: one is invalid.
    """
    for name, value in headers.items():
        if not _NAME.fullmatch(name):
            raise InvalidArgs(f"Invalid header name {name!r}.", hint="Use letters, digits and hyphens.")
        if not _VALUE.fullmatch(value):
            raise InvalidArgs(f"The value of header {name} has control characters.", hint="Remove them.")


def parse_headers(lines: list[str]) -> dict[str, str]:
    """Read headers, each written as Name: value.

    Raises:
        InvalidArgs: a line is not.
    """
    headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            raise InvalidArgs(f"Invalid header {line[:100]!r}.", hint="Write Name: value.")
        headers[name.strip()] = value.strip()
    return headers


def fulfill_params(mock: Mock, request: Params) -> Params:
    """Return the parameters of `Fetch.fulfillRequest`; pages of other origins can read the response too."""
    if is_preflight(request):
        return _response_params(204, _preflight_headers(request), b"")
    headers = {name.casefold(): value for name, value in mock.headers.items()}
    headers.setdefault("content-type", _content_type(request["url"], mock.body))
    if origin := _header(request, "origin"):
        headers.setdefault("access-control-allow-origin", origin)
        headers.setdefault("access-control-allow-credentials", "true")
        headers.setdefault("access-control-expose-headers", ", ".join(mock.headers) or "*")
    return _response_params(mock.status, headers, mock.body)


def is_preflight(request: Params) -> bool:
    """Whether a request is a CORS preflight."""
    return request["method"] == "OPTIONS" and _header(request, "access-control-request-method") is not None


def _preflight_headers(request: Params) -> dict[str, str]:
    return {
        "access-control-allow-origin": _header(request, "origin") or "*",
        "access-control-allow-credentials": "true",
        "access-control-allow-methods": _header(request, "access-control-request-method") or "*",
        "access-control-allow-headers": _header(request, "access-control-request-headers") or "*",
        "access-control-allow-private-network": "true",
    }


def _response_params(status: int, headers: dict[str, str], body: bytes) -> Params:
    known = status in HTTPStatus._value2member_map_
    return {
        "responseCode": status,
        "responsePhrase": HTTPStatus(status).phrase if known else "Mocked",
        "responseHeaders": [{"name": name, "value": value} for name, value in headers.items()],
        "body": base64.b64encode(body).decode(),
    }


def _header(request: Params, name: str) -> str | None:
    return next((value for key, value in request["headers"].items() if key.casefold() == name), None)


def _content_type(url: str, body: bytes) -> str:
    if body.lstrip()[:1] in (b"{", b"["):
        return "application/json"
    if body.lstrip()[:1] == b"<":
        return "text/html; charset=utf-8"
    return mimetypes.guess_type(url.partition("?")[0])[0] or "text/plain; charset=utf-8"
