"""Pages that try to get out: an allowed site that serves them, and the forbidden listener that they target."""

import json
import logging
import re
import socket
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote

import anyio
import anyio.abc

from tests.boundary.wire import everything
from tests.web import Request, Response, Web, run_server

CASES = Path(__file__).parents[1] / "cases"
PEM = Path(__file__).parents[1] / "self_signed.pem"


@dataclass(frozen=True)
class Attempt:
    """One way out, as a page."""

    id: str
    vector: str
    html: str
    options: dict[str, Any]


def attempts() -> list[Attempt]:
    """Return all ways out of the case files."""
    files = (CASES / "network.json", CASES / "network_more.json")
    return [Attempt(**case) for file in files for case in json.loads(file.read_text())]


class Refusals(logging.Handler):
    """Collects what the gates refused: the id of the attempt if the log has it, else the origin."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.seen: set[str] = set()
        self._changed = anyio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        named = re.search(r"//([mn]\d+)\.evil\.localhost", record.getMessage())
        origin = re.search(r"https?://[^/ ]+", record.getMessage())
        if named or origin:
            self.seen.add(named[1].upper() if named else origin[0] if origin else "")
            self._changed.set()
            self._changed = anyio.Event()

    async def cover(self, wanted: set[str]) -> set[str]:
        """Wait until all wanted were refused; return those that were not within 45 s."""
        with anyio.move_on_after(45):
            while not wanted <= self.seen:
                await self._changed.wait()
        return wanted - self.seen


@contextmanager
def refusals() -> Iterator[Refusals]:
    """Follow the gates' log while the block runs."""
    log, follower = logging.getLogger("tabwright.policy.network.proxy"), Refusals()
    before = log.level
    log.setLevel(logging.INFO)
    log.addHandler(follower)
    yield follower
    log.removeHandler(follower)
    log.setLevel(before)


@dataclass
class Forbidden:
    """A listener over TCP and UDP that the rules forbid, and the data that it received."""

    port: int = 0
    seen: list[bytes] = field(default_factory=list)
    touched: anyio.Event = field(default_factory=anyio.Event)

    def fill(self, text: str, attempt: Attempt, site: str) -> str:
        """Put the addresses into a page."""
        # The host name identifies the attempt; some pages need an IP address.
        host = f"{attempt.id.lower()}.evil.localhost:{self.port}"
        places = {
            "http://allowed.localhost:18080": site,
            "@EE": quote(f"http://{host}/x", safe=""),
            "@E": f"http://{host}",
            "@S": f"https://{host}",
            "@W": f"ws://{host}",
            "@T": f"wss://{host}",
            "@H": f"127.0.0.1:{self.port}",
            "@P": str(self.port),
            "@I": attempt.id,
        }
        for name, value in places.items():
            text = text.replace(name, value)
        return text

    async def talk(self, stream: anyio.abc.ByteStream) -> None:
        """Record a connection and its data."""
        self.saw(b"TCP")
        with anyio.move_on_after(2):
            self.saw(await everything(stream))

    def saw(self, data: bytes) -> None:
        self.seen.append(data)
        self.touched.set()


@asynccontextmanager
async def forbidden() -> AsyncIterator[Forbidden]:
    """Listen on one port over TCP and UDP while the block runs."""
    listener = Forbidden()
    async with run_server(listener.talk) as listener.port:
        udp = await anyio.create_udp_socket(socket.AF_INET, local_host="127.0.0.1", local_port=listener.port)
        async with udp, anyio.create_task_group() as group:

            async def receive() -> None:
                async for data, _ in udp:
                    listener.saw(b"UDP " + data)

            group.start_soon(receive)
            yield listener
            group.cancel_scope.cancel()


@asynccontextmanager
async def over_tls(web: Web) -> AsyncIterator[int]:
    """Serve the same site over TLS; yield the port."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(PEM)
    async with run_server(web.serve, context) as port:
        yield port


def serve_attempts(web: Web, target: Forbidden, site: str, secure_site: str) -> list[tuple[Attempt, str]]:
    """Serve every attempt on the allowed site, each with its own image; return them with their URLs."""
    web.route("/redir", lambda request: Response("", 302, {"location": _parameter(request, "to")}))
    web.route(
        "/js",
        lambda request: Response(
            _parameter(request, "c"),
            headers={"content-type": "text/javascript", "service-worker-allowed": "/"},
        ),
    )
    web.route("/specrules", _speculation)
    web.route(
        "/hls.m3u8",
        lambda request: Response(
            f"#EXTM3U\n#EXTINF:10,\n{_parameter(request, 'to')}\n",
            headers={"content-type": "application/x-mpegurl"},
        ),
    )
    web.route(
        "/man.json",
        lambda request: Response(
            json.dumps({"icons": [{"src": _parameter(request, "to")}]}),
            headers={"content-type": "application/json"},
        ),
    )
    return [
        (attempt, _page(web, target, attempt, secure_site if attempt.options.get("origin") else site))
        for attempt in attempts()
    ]


def _page(web: Web, target: Forbidden, attempt: Attempt, site: str) -> str:
    web.route(
        f"/ok/{attempt.id}",
        lambda _: Response(
            "<svg xmlns='http://www.w3.org/2000/svg'/>", headers={"content-type": "image/svg+xml"}
        ),
    )
    html = target.fill(f"<img src=/ok/{attempt.id}>{attempt.html}", attempt, site)
    headers = {
        name: target.fill(value, attempt, site) for name, value in attempt.options.get("headers", {}).items()
    }
    web.page(html, f"/{attempt.id}", headers=headers)
    return f"{site}/{attempt.id}"


def _parameter(request: Request, name: str) -> str:
    return parse_qs(request.query)[name][0]


def _speculation(request: Request) -> Response:
    rules = {"prefetch": [{"urls": [_parameter(request, "to")], "eagerness": "immediate"}]}
    return Response(json.dumps(rules), headers={"content-type": "application/speculationrules+json"})
