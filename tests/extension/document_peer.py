"""A program that speaks the document's messages to a hub, as an extension written to the document alone does."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from tests.extension.linked import LinkedHub

EXTENSION = "abcdefghijklmnop" * 2
Json = dict[str, Any]

SEARCH_INBOX: Json = {
    "name": "search_inbox",
    "description": "Search emails in inbox",
    "inputSchema": {
        "type": "object",
        "properties": {"query": {"type": "string", "description": "Search query"}},
        "required": ["query"],
    },
}
OPEN_THREAD: Json = {
    "name": "open_thread",
    "description": "Open an email thread by index",
    "inputSchema": {
        "type": "object",
        "properties": {"index": {"type": "number", "description": "Thread index (0-based)"}},
        "required": ["index"],
    },
}
STAR_REPO: Json = {"name": "star_repo", "description": "Star", "inputSchema": {"type": "object"}}


class Peer:
    """Its browser has tabs with titles, URLs and tools; `on` overrides how it answers a message."""

    def __init__(self, socket: ClientConnection) -> None:
        self.received: list[Json] = []
        self.tabs: dict[int, Json] = {}
        self.tools: dict[int, list[Any]] = {}
        self.on: dict[str, Callable[[Json], Any]] = {}
        self._socket = socket
        self._changed = anyio.Event()
        self._next_tab = 500

    def add_tab(self, tab_id: int, title: str, url: str, *tools: Any) -> Json:
        self.tools[tab_id] = list(tools)
        self.tabs[tab_id] = {"id": tab_id, "title": title, "url": url}
        return self.tabs[tab_id]

    async def send(self, kind: str, **fields: Any) -> None:
        await self.send_raw(json.dumps({"type": kind, **fields}))

    async def send_raw(self, message: str | bytes) -> None:
        await self._socket.send(message)

    async def wait_for(self, kind: str) -> Json:
        """Return the last message of a kind, once there is one."""
        with anyio.fail_after(60):
            while not (found := [message for message in self.received if message["type"] == kind]):
                await self._changed.wait()
        return found[-1]

    async def sync(self) -> None:
        """Wait until the hub has processed everything sent so far."""
        self.received = [message for message in self.received if message["type"] != "pong"]
        await self.send("ping")
        await self.wait_for("pong")

    async def report_all(self) -> None:
        """Report the whole browser, and its first tab as focused."""
        focused = {"tabId": next(iter(self.tabs))}
        for kind, fields in (*self._connect({}), *self._focusTab(focused)):
            await self.send(kind, **fields)
        await self.sync()

    async def close(self) -> None:
        await self._socket.close()

    async def run(self) -> None:
        try:
            async for raw in self._socket:
                message = json.loads(raw)
                self.received.append(message)
                answer = self.on.get(message["type"], getattr(self, f"_{message['type']}", None))
                for kind, fields in (answer(message) or ()) if answer else ():
                    await self.send(kind, **fields)
                self._changed.set()
                self._changed = anyio.Event()
        except ConnectionClosed:
            pass

    def _connect(self, _: Json) -> list[tuple[str, Json]]:
        browser = {"name": "Chrome", "version": "120.0.0"}
        return [("connected", {"browser": browser, "tabs": list(self.tabs.values())})]

    def _openTab(self, message: Json) -> list[tuple[str, Json]]:  # noqa: N802 - the message's own name
        self._next_tab += 1
        tab = self.add_tab(self._next_tab, "Opened", message["url"], STAR_REPO)
        created = [("tabCreated", {"tab": tab})]
        return [*created, *self._focusTab({"tabId": tab["id"]})] if message["focus"] else created

    def _focusTab(self, message: Json) -> list[tuple[str, Json]]:  # noqa: N802 - the message's own name
        return [("tabFocused", {"tabId": message["tabId"], "tools": self.tools.get(message["tabId"], [])})]

    def _closeTab(self, message: Json) -> list[tuple[str, Json]]:  # noqa: N802 - the message's own name
        self.tabs.pop(message["tabId"], None)
        return [("tabClosed", {"tabId": message["tabId"]})]

    def _callTool(self, message: Json) -> list[tuple[str, Json]]:  # noqa: N802 - the message's own name
        result = f"{message['toolName']} of tab {message['tabId']} with {json.dumps(message['args'])}"
        return [("toolResult", {"callId": message["callId"], "result": result})]


def origin_of(extension: str = EXTENSION) -> Origin:
    return Origin(f"chrome-extension://{extension}")


@asynccontextmanager
async def connect_peer(hub: LinkedHub, *tabs: tuple[Any, ...]) -> AsyncIterator[Peer]:
    """Pair a document-only extension with a hub, and connect it with these tabs."""
    _, address = await hub.door.pair_extension(EXTENSION, "")
    async with (
        connect(address, origin=origin_of(), proxy=None, max_size=None) as socket,
        anyio.create_task_group() as group,
    ):
        peer = Peer(socket)
        for tab in tabs:
            peer.add_tab(*tab)
        group.start_soon(peer.run)
        await peer.wait_for("connect")
        await peer.sync()
        yield peer
        group.cancel_scope.cancel()
