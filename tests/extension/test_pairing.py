"""Only a Chrome that the user paired can connect, and only to the hub that it was paired with."""

import hmac
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin, Subprotocol

from tabwright import __version__
from tabwright.policy.callers.chrome_pairing import CODE_SECONDS
from tabwright.settings import Settings
from tests.extension.hub import Hub
from tests.extension.person import ORIGIN, Person
from tests.web import Web

DEVICE, NONCE = "ab" * 16, "cd" * 32


def proof(link: ClientConnection, key: str, role: str, ours: str, theirs: str) -> str:
    """The proof of a key, computed as the document describes it."""
    words = f"{role}|{DEVICE}|{ours}|{theirs}|{link.remote_address[1]}"
    return hmac.new(key.encode(), words.encode(), "sha256").hexdigest()


@asynccontextmanager
async def knocking(port: int, origin: str | None = ORIGIN, **options: Any) -> AsyncIterator[ClientConnection]:
    """A program that claims to be the extension."""
    options = {"subprotocols": [Subprotocol("tabwright.v1")], **options}
    async with connect(
        f"ws://127.0.0.1:{port}", origin=Origin(origin) if origin else None, proxy=None, **options
    ) as link:
        yield link


async def said(link: ClientConnection) -> dict[str, str]:
    told: dict[str, str] = json.loads(await link.recv())
    return told


async def hello(link: ClientConnection, **more: Any) -> dict[str, str]:
    """Send the hello and return the challenge."""
    await link.send(json.dumps({"type": "hello", "nonce": NONCE, "chrome": DEVICE, **more}))
    return await said(link)


async def prove(link: ClientConnection, key: str, **more: Any) -> tuple[str, str]:
    """Go through the handshake with a key; return the proof that was sent and the lasting key."""
    challenge = await hello(link, **more)
    ours = challenge["nonce"]
    assert challenge == {"type": "challenge", "nonce": ours, "proof": proof(link, key, "hub", NONCE, ours)}
    shown = proof(link, key, "extension", NONCE, ours)
    await link.send(json.dumps({"type": "proof", "proof": shown}))
    assert await said(link) == {"type": "welcome", "heartbeat": 20, "version": __version__}
    return shown, proof(link, key, "token", NONCE, ours)


async def closed(link: ClientConnection) -> tuple[int, str]:
    """Wait until the hub closes; return its code and reason."""
    with anyio.fail_after(5):
        await link.wait_closed()
    assert link.close_code is not None
    return link.close_code, link.close_reason or ""


async def test_one_click_pairs_a_chrome_which_then_reconnects_by_itself(person: Person, hub: Hub) -> None:
    async with hub.door.open("any"):
        code = hub.chromes.begin()
        link = await hub.door.pairing_url(code)
        page = await person.looks_at(link, behind=False)
        assert await page.run("location.href") == f"{ORIGIN}/ui/pair.html"
        assert "read and use the tabs that you share" in await page.run("document.body.innerText")
        await page.presses("Tab")
        assert await page.run("document.activeElement.textContent") == "Pair this Chrome"
        await page.presses("Enter")
        assert await page.until("done.textContent") == "This Chrome is paired. You can close this page."
        assert (await hub.door.wait_for_pairing(code)).name == "chromium"
        joined = await hub.link()
        assert joined.name == "chromium"

        again = await person.looks_at(link)
        await again.run("pair.click()")
        told = "The hub does not know this Chrome, or the code was already used. Run again: tabwright extension pair"
        assert await again.until("document.querySelector('#error').textContent") == told
        await page.close()
        await again.close()
        assert not joined.over.is_set()
        port = await hub.door.listen()
    assert hub.file.stat().st_mode & 0o777 == 0o600
    assert code.secret not in hub.file.read_text()
    # Another has taken its port: it is at the next one, and is found there.
    async with serve(ServerConnection.close, "127.0.0.1", port), hub.door.open(port):
        assert await hub.door.listen() > port
        await hub.link()


async def test_the_port_is_8765_or_the_next_free_one(hub: Hub) -> None:
    async with hub.door.open(Settings().extension_port):
        first = await hub.door.listen()
        assert first in range(8765, 8769)
        other = Hub(hub.file.parent / "other")
        other.file.parent.mkdir()
        async with other.door.open(8765):
            assert first < await other.door.listen() < 8770
            link = await other.door.pairing_url(other.chromes.begin())
            assert "&first=8765&" in link


async def test_a_chrome_forgets_a_hub_that_unpaired_it(person: Person, hub: Hub) -> None:
    async with hub.door.open("any"):
        await person.pairs_with(hub.door, "work")
        link = await hub.link()
        await hub.door.drop(hub.chromes.forget("work"))
        await link.over.wait()
        assert await person.desk.until("chrome.storage.local.get('hub').then(kept => kept.hub === null)")
        text = "Not paired yet. In a terminal: tabwright extension pair"
        assert await person.desk.until(
            f"document.querySelector('#status').textContent === {json.dumps(text)}"
        )
        await person.pairs_with(hub.door)
        assert (await hub.link()).name == "chromium"


async def test_only_our_extension_reaches_the_handshake(hub: Hub, web: Web, person: Person) -> None:
    async with hub.door.open("any"):
        port = await hub.door.listen()
        for origin, headers in [
            (None, {}),
            ("https://evil.example", {}),
            (f"http://127.0.0.1:{port}", {}),
            ("null", {}),
            ("chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", {}),
            (f"{ORIGIN}.evil.example", {}),
            (ORIGIN, {"Origin": "https://evil.example"}),
        ]:
            with pytest.raises(InvalidStatus) as refused:
                async with knocking(port, origin, additional_headers=headers):
                    pass
            assert refused.value.response.status_code == 403
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}"):
            assert (
                await head(port, f"Host: {host}", f"Origin: {ORIGIN}") == "HTTP/1.1 421 Misdirected Request"
            )
        both = (f"Host: 127.0.0.1:{port}", "Host: evil.example")
        assert (await head(port, *both, f"Origin: {ORIGIN}")).startswith("HTTP/1.1 4")
        page = await person.looks_at(web.page("<p>hostile"))
        tried = f"new Promise(end => {{ new WebSocket('ws://127.0.0.1:{port}', 'tabwright.v1').onclose = event => end(event.code) }})"
        assert await page.run(tried) == 1006
        await page.close()
    assert hub.recorder.links == []


async def head(port: int, *headers: str) -> str:
    """Ask for the upgrade with these headers; return the first line of the answer."""
    asked = [
        "GET / HTTP/1.1",
        *headers,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
    ]
    asked += ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol: tabwright.v1", "", ""]
    async with await anyio.connect_tcp("127.0.0.1", port) as stream:
        await stream.send("\r\n".join(asked).encode())
        return (await stream.receive()).split(b"\r\n")[0].decode()


async def test_another_program_can_forge_headers_but_not_the_proof(hub: Hub) -> None:
    async with hub.door.open("any"):
        port = await hub.door.listen()
        async with knocking(port) as link:
            await link.send(json.dumps({"type": "hello", "nonce": NONCE, "chrome": DEVICE}))
            assert await closed(link) == (4404, "not paired")
        code = hub.chromes.begin()
        async with knocking(port) as link:
            shown, key = await prove(link, code.secret, pairing=True, name="Brave")
        [chrome] = hub.chromes
        assert (chrome.id, chrome.name, chrome.key) == (DEVICE, "brave", key)
        for wrong in (shown, key, "", 7):
            async with knocking(port) as link:
                await hello(link)
                await link.send(json.dumps({"type": "proof", "proof": wrong}))
                assert (await closed(link))[0] == 4401
        async with knocking(port) as link:  # what the hub proves itself with proves nothing of a Chrome
            mirrored = (await hello(link))["proof"]
            await link.send(json.dumps({"type": "proof", "proof": mirrored}))
            assert await closed(link) == (4401, "wrong proof")
        async with knocking(port) as link:
            await prove(link, key)
    assert [link.name for link in hub.recorder.links] == ["brave", "brave"]


async def test_a_proof_cannot_be_replayed(hub: Hub) -> None:
    async with hub.door.open("any"):
        port = await hub.door.listen()
        code = hub.chromes.begin()
        async with knocking(port) as link:
            _, key = await prove(link, code.secret, pairing=True)
        async with knocking(port) as link:
            shown, _ = await prove(link, key)
        numbers = set()
        for _ in range(2):
            async with knocking(port) as link:
                numbers.add((await hello(link))["nonce"])
                await link.send(json.dumps({"type": "proof", "proof": shown}))
                assert await closed(link) == (4401, "wrong proof")
        assert len(numbers) == 2
    assert len(hub.recorder.links) == 2


async def test_a_code_is_valid_once_and_for_two_minutes(hub: Hub) -> None:
    async with hub.door.open("any"):
        port = await hub.door.listen()
        late = hub.chromes.begin()
        hub.now += CODE_SECONDS
        async with knocking(port) as link:
            await link.send(json.dumps({"type": "hello", "nonce": NONCE, "chrome": DEVICE, "pairing": True}))
            assert await closed(link) == (4404, "not paired")
        code = hub.chromes.begin()
        assert code.secret != late.secret
        async with knocking(port) as first, knocking(port) as second:
            challenge = await hello(second, pairing=True)
            await prove(first, code.secret, pairing=True)
            shown = proof(second, code.secret, "extension", NONCE, challenge["nonce"])
            await second.send(json.dumps({"type": "proof", "proof": shown}))
            assert await closed(second) == (4404, "the code was used")
    assert hub.chromes.names() == ["chrome"]


async def test_unauthenticated_connections_are_limited_and_time_out(hub: Hub) -> None:
    async with hub.door.open("any"):
        port = await hub.door.listen()
        for sent in (
            "x",
            "[]",
            '{"type": "hello"}',
            '{"type": "hello", "chrome": 1, "nonce": 2}',
            '{"type": "ping"}',
        ):
            async with knocking(port) as link:
                await link.send(sent)
                assert await closed(link) == (4401, "invalid handshake")
        async with knocking(port) as link:
            await link.send("x" * 10_000)
            assert (await closed(link))[0] == 1009
        async with anyio.create_task_group() as group:
            codes: list[int] = []

            async def wait() -> None:
                async with knocking(port) as link:
                    codes.append((await closed(link))[0])

            for _ in range(20):
                group.start_soon(wait)
    assert sorted(codes) == [1013] * 4 + [4408] * 16
    assert hub.recorder.links == []


async def test_a_program_on_the_hubs_port_learns_nothing(person: Person, hub: Hub) -> None:
    async with hub.door.open("any"):
        await person.pairs_with(hub.door)
        await hub.link()
        port = await hub.door.listen()
    heard: list[dict[str, Any]] = []
    enough = anyio.Event()

    async def squat(link: ServerConnection) -> None:
        heard.append(json.loads(await link.recv()))
        if len(heard) == 1:
            await link.close(4404, "not paired")  # it would be forgotten, if that could make it forget
            return
        await link.send(json.dumps({"type": "challenge", "nonce": NONCE, "proof": NONCE}))
        with pytest.raises(ConnectionClosed):
            heard.append(json.loads(await link.recv()))
        enough.set()

    async with serve(squat, "127.0.0.1", port, subprotocols=[Subprotocol("tabwright.v1")]):
        with anyio.fail_after(20):
            await enough.wait()
    key = next(iter(hub.chromes)).key
    assert [sorted(message) for message in heard] == [["chrome", "nonce", "type"]] * 2
    assert heard[0]["nonce"] != heard[1]["nonce"]
    assert key not in json.dumps(heard)
    async with hub.door.open(port):
        await hub.link()


async def test_a_program_on_the_port_cannot_relay_the_handshake(person: Person, hub: Hub) -> None:
    async with hub.door.open("any"):
        await person.pairs_with(hub.door)
        await hub.link()
        port = await hub.door.listen()
    passed: list[str] = []
    tried = anyio.Event()

    async def between(link: ServerConnection) -> None:
        async with knocking(await hub.door.listen()) as to_hub, anyio.create_task_group() as group:
            for one, other in ((link, to_hub), (to_hub, link)):
                group.start_soon(pass_on, one, other, passed)
        tried.set()

    async with (
        serve(between, "127.0.0.1", port, subprotocols=[Subprotocol("tabwright.v1")]),
        hub.door.open(port),
    ):
        joined = await hub.link()
        assert (await joined.heard("connected"))["tabs"] == []
        with anyio.fail_after(10):
            await tried.wait()
        assert await person.desk.run("chrome.storage.local.get('hub').then(kept => kept.hub.port)") != port
    assert passed == ["hello", "challenge"]


async def pass_on(one: Any, other: Any, passed: list[str]) -> None:
    """Relay messages from one socket to the other, and its end."""
    async for message in one:
        passed.append(json.loads(message)["type"])
        await other.send(message)
    await other.close()
