"""A browser and a web server for the pages of a corpus, which run no scripts there."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.browser.tab import Tab
from tabwright.call import Answer, Call
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions

_CALLER = Principal("local:corpora")


@dataclass(frozen=True)
class Corpus:
    """The folder of a corpus, served on 127.0.0.1, and a session to read it with."""

    folder: Path
    address: str
    runner: Runner

    def url(self, path: str) -> str:
        """Return the URL of a file, given by its path in the folder."""
        return f"{self.address}/{path}"

    async def do(self, action: str, **args: Any) -> Answer:
        """Run an action as a door would."""
        return await self.runner.run(Call(action=action, args=args, principal=_CALLER))

    async def tab(self) -> Tab:
        """Return the current tab, for what no action returns."""
        (session,) = self.runner.sessions
        return await session.tab()


class _SiteRequest(SimpleHTTPRequestHandler):
    def do_POST(self) -> None:
        self.send_response(HTTPStatus.NO_CONTENT)
        self.end_headers()

    def guess_type(self, path: Any) -> str:
        kind = super().guess_type(path)
        return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind

    def log_message(self, *_: object) -> None:
        """Log nothing: the tables are the output."""


class _CorpusRequest(_SiteRequest):
    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", "script-src 'none'")
        super().end_headers()


@asynccontextmanager
async def open_corpus(folder: Path) -> AsyncIterator[Corpus]:
    """Serve the folder and start a browser while the block runs."""
    with serve_folder(folder) as address:
        async with BrowserSupervisor.open() as supervisor, Sessions.open(supervisor) as sessions:
            yield Corpus(folder, address, Runner(CATALOG, sessions, Artifacts()))
            for session in sessions:
                await session.close()


@contextmanager
def serve_folder(folder: Path, *, scripts: bool = False) -> Iterator[str]:
    """Serve a folder on 127.0.0.1 while the block runs; yield its address. Scripts run only if asked for."""
    handler = partial(_SiteRequest if scripts else _CorpusRequest, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
