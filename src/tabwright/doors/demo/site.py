"""The demo site, served on a loopback port during the tour."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

_PAGES = Path(__file__).parent / "site"


class _SilentFiles(SimpleHTTPRequestHandler):
    """Serves the files of a folder without logging."""

    def log_message(self, *_: object) -> None:
        return


@contextmanager
def serve_site() -> Iterator[str]:
    """Serve the site while the block runs; yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_SilentFiles, directory=_PAGES)) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
