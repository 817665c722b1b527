"""Browsion's tools for what sites keep, what pages say and what they load."""

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwright.action import Effect
from tabwright.call import Call
from tabwright.dialects.browsion.call import InBrowser, Tools
from tabwright.dialects.tool_call import Bounds

Pattern = Annotated[str, Field(min_length=1, max_length=2_000, description="* stands for anything")]
Kind = Literal["local", "session"]


class GetCookies(InBrowser):
    """List all cookies, HttpOnly ones included."""

    effect, action = Effect.READ, "get_cookies"


class SetCookie(InBrowser):
    """Set a cookie."""

    action = "set_cookie"
    name: str = Field(min_length=1, max_length=4_096)
    value: str = Field(max_length=4_096)
    domain: str = Field(min_length=1, max_length=1_000, description=".example.com for all hosts under it")
    path: str = Field("/", max_length=2_000)


class DeleteCookies(InBrowser):
    """Delete all cookies."""

    effect, action = Effect.DESTROY, "delete_cookies"


class GetStorage(InBrowser):
    """Read localStorage or sessionStorage of the page's site."""

    effect, action = Effect.READ, "get_storage"
    storage_type: Kind = "local"


class SetStorage(InBrowser):
    """Set an item of localStorage or sessionStorage."""

    action = "set_storage"
    storage_type: Kind = "local"
    key: str = Field(max_length=10_000)
    value: str = Field(max_length=5_000_000)


class ClearStorage(InBrowser):
    """Remove an item of localStorage or sessionStorage, or all."""

    effect, action = Effect.DESTROY, "clear_storage"
    storage_type: Kind = "local"
    key: str | None = Field(None, max_length=10_000, description="All if omitted")


class EnableConsoleCapture(InBrowser):
    """The console is kept from the start of each tab; this tells what is there already."""

    effect, action = Effect.READ, "console_messages"


class GetConsoleLogs(InBrowser):
    """Read the console: the last 1000 messages, warnings and uncaught errors of the tab."""

    effect, action = Effect.READ, "console_messages"


class ClearConsole(InBrowser):
    """Forget the messages of the console."""

    action = "clear_console"


class GetNetworkLog(InBrowser):
    """List the tab's last requests: method, URL, status, type, size, time, initiator; or show one whole."""

    effect, action, also = Effect.READ, "list_requests", "get_request"
    request_id: str | None = Field(None, pattern=r"^r\d+$", description="r12: its headers and body")

    def request(self, bounds: Bounds) -> Call:
        if self.request_id is not None:
            return self.of(self.also, id=self.request_id)
        return self.of(self.action)


class ClearNetworkLog(InBrowser):
    """Forget the log of requests."""

    action = "clear_requests"


class BlockUrl(InBrowser):
    """Let no request leave whose URL fits, in any tab, frame or worker."""

    action = "block_requests"
    url_pattern: Pattern


class MockUrl(InBrowser):
    """Answer requests whose URL fits with a response of your own."""

    action = "mock_requests"
    url_pattern: Pattern
    status: int = Field(200, ge=200, le=599)
    body: str = Field("", max_length=10_000_000)
    content_type: str | None = Field(None, max_length=200)
    headers: dict[str, Annotated[str, Field(max_length=10_000)]] = Field({}, max_length=100)

    def arguments(self) -> dict[str, Any]:
        headers = {"content-type": self.content_type} if self.content_type else {}
        lines = [f"{name}: {value}" for name, value in {**headers, **self.headers}.items()]
        return {"pattern": self.url_pattern, "status": self.status, "body": self.body, "headers": lines}


class ClearIntercepts(InBrowser):
    """Take all rules of block_url and mock_url back."""

    action = "clear_rules"


COOKIES: Tools = {
    "get_cookies": GetCookies,
    "set_cookie": SetCookie,
    "delete_cookies": DeleteCookies,
}
STORAGE: Tools = {
    "get_storage": GetStorage,
    "set_storage": SetStorage,
    "clear_storage": ClearStorage,
}
CONSOLE: Tools = {
    "enable_console_capture": EnableConsoleCapture,
    "get_console_logs": GetConsoleLogs,
    "clear_console": ClearConsole,
}
NETWORK: Tools = {
    "get_network_log": GetNetworkLog,
    "clear_network_log": ClearNetworkLog,
    "block_url": BlockUrl,
    "mock_url": MockUrl,
    "clear_intercepts": ClearIntercepts,
}
