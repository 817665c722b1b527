"""Serves the pages from a separate process, so that serving does not disturb the measurement."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from bench.pages import OTHER_SITE, PAGES, basket, booking, grow, hang


@contextmanager
def serve_pages() -> Iterator[str]:
    """Run the server while the block runs; yields its address."""
    process = subprocess.Popen([sys.executable, "-m", "bench.server"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.terminate()
        process.communicate()


class _PageRequest(BaseHTTPRequestHandler):
    server: ThreadingHTTPServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        html = _html(self.path.strip("/"))
        if html is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        # localhost is another site than 127.0.0.1, on the same port
        body = html.replace(OTHER_SITE, f"http://localhost:{self.server.server_port}").encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        with suppress(ConnectionError):  # a browser that was stopped does not wait for its page
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing: the tables are the output."""


@cache
def _html(name: str) -> str | None:
    if name.startswith("grow/"):
        return grow(int(name.removeprefix("grow/")))
    make = {**PAGES, "basket": basket, "booking": booking, "hang": hang}.get(name)
    return make() if make else None


def _serve() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _PageRequest) as server:
        print(server.server_port, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    _serve()
