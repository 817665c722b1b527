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
from tabwright.errors import InvalidArgs
from tabwright.policy.callers.chrome_pairing import CODE_SECONDS
from tabwright.settings import Settings
from tests.extension.hub import Hub
from tests.extension.person import ORIGIN, Person
from tests.web import Web

OTHERS = "abcdefghijklmnop" * 2
DEVICE, NONCE = "ab" * 16, "cd" * 32


def proof(link: ClientConnection, key: str, role: str, ours: str, theirs: str) -> str:
    """Compute the proof of a key as the protocol document describes it."""
    text = f"{role}|{DEVICE}|{ours}|{theirs}|{link.remote_address[1]}"
    return hmac.new(key.encode(), text.encode(), "sha256").hexdigest()


@asynccontextmanager
async def connect_as_extension(
    port: int, origin: str | None = ORIGIN, **options: Any
) -> AsyncIterator[ClientConnection]:
    """Connect as a program that claims to be the extension."""
    options = {"subprotocols": [Subprotocol("tabwright.v1")], **options}
    async with connect(
        f"ws://127.0.0.1:{port}", origin=Origin(origin) if origin else None, proxy=None, **options
    ) as link:
        yield link


async def receive(link: ClientConnection) -> dict[str, str]:
    message: dict[str, str] = json.loads(await link.recv())
    return message


async def send_hello(link: ClientConnection, **more: Any) -> dict[str, str]:
    """Send the hello and return the challenge."""
    await link.send(json.dumps({"type": "hello", "nonce": NONCE, "chrome": DEVICE, **more}))
    return await receive(link)


async def prove(link: ClientConnection, key: str, **more: Any) -> tuple[str, str]:
    """Complete the handshake with a key; return the proof that was sent and the lasting key."""
    challenge = await send_hello(link, **more)
    ours = challenge["nonce"]
    assert challenge == {"type": "challenge", "nonce": ours, "proof": proof(link, key, "hub", NONCE, ours)}
    sent = proof(link, key, "extension", NONCE, ours)
    await link.send(json.dumps({"type": "proof", "proof": sent}))
    assert await receive(link) == {"type": "welcome", "heartbeat": 20, "version": __version__}
    return sent, proof(link, key, "token", NONCE, ours)


async def wait_closed(link: ClientConnection) -> tuple[int, str]:
    """Wait until the hub closes the connection; return its code and reason."""
    with anyio.fail_after(60):
        await link.wait_closed()
    assert link.close_code is not None
    return link.close_code, link.close_reason or ""


async def test_one_click_pairs_a_chrome_which_then_reconnects_by_itself(person: Person, hub: Hub) -> None:
    async with hub.door.open("any"):
        code = hub.chromes.begin()
        link = await hub.door.pairing_url(code)
        page = await person.open_page(link, background=False)
        assert await page.run("location.href") == f"{ORIGIN}/ui/pair.html"
        assert "read and use the tabs that you share" in await page.run("document.body.innerText")
        await page.press("Tab")
        assert await page.run("document.activeElement.textContent") == "Pair this Chrome"
        await page.press("Enter")
        assert await page.until("done.textContent") == "This Chrome is paired. You can close this page."
        assert (await hub.door.wait_for_pairing(code)).name == "chromium"
        connected = await hub.link()
        assert connected.name == "chromium"

        again = await person.open_page(link)
        await again.run("pair.click()")
        message = "The hub does not know this Chrome, or the code was already used. Run again: tabwright extension pair"
        assert await again.until("document.querySelector('#error').textContent") == message
        await page.close()
        await again.close()
        assert not connected.closed.is_set()
        port = await hub.door.listen()
    assert hub.file.stat().st_mode & 0o777 == 0o600
    assert code.secret not in hub.file.read_text()
    # Another program uses its port now: the hub listens at the next one, and Chrome finds it there.
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
        await person.pair_with(hub.door, "work")
        link = await hub.link()
        await hub.door.drop(hub.chromes.forget("work"))
        await link.closed.wait()
        assert await person.desk.until("chrome.storage.local.get('hub').then(stored => stored.hub === null)")
        text = "Not paired yet. In a terminal: tabwright extension pair"
        assert await person.desk.until(
            f"document.querySelector('#status').textContent === {json.dumps(text)}"
        )
        await person.pair_with(hub.door)
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
                async with connect_as_extension(port, origin, additional_headers=headers):
                    pass
            assert refused.value.response.status_code == 403
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}"):
            assert (
                await status_line(port, f"Host: {host}", f"Origin: {ORIGIN}")
                == "HTTP/1.1 421 Misdirected Request"
            )
        both = (f"Host: 127.0.0.1:{port}", "Host: evil.example")
        assert (await status_line(port, *both, f"Origin: {ORIGIN}")).startswith("HTTP/1.1 4")
        page = await person.open_page(web.page("<p>hostile"))
        script = f"new Promise(done => {{ new WebSocket('ws://127.0.0.1:{port}', 'tabwright.v1').onclose = event => done(event.code) }})"
        assert await page.run(script) == 1006
        await page.close()
    assert hub.recorder.links == []


async def test_an_extension_of_others_needs_its_origin_and_its_token(hub: Hub) -> None:
    async with hub.door.open("any"):
        chrome, address = await hub.door.pair_extension(OTHERS, "mail")
        assert address.startswith(f"ws://127.0.0.1:{hub.door.port}/?token=")
        token = address.partition("=")[2]
        assert token not in hub.file.read_text()
        bare, origin = address.partition("?")[0], f"chrome-extension://{OTHERS}"
        for given, target in [
            (origin, bare),
            (origin, f"{bare}?token="),
            (origin, f"{bare}?token={token[:-1]}"),
            (origin, f"{bare}?token={token}&token={token}"),
            (f"chrome-extension://{OTHERS[::-1]}", address),
            ("https://evil.example", address),
            (f"{origin}/", address),
            (None, address),
        ]:
            with pytest.raises(InvalidStatus) as refused:
                async with connect(target, origin=Origin(given) if given else None, proxy=None):
                    pass
            assert refused.value.response.status_code == 403
        assert hub.recorder.links == []
        async with connect(address, origin=Origin(origin), proxy=None) as socket:
            assert await receive(socket) == {"type": "connect"}
            assert (await hub.link()).name == chrome.name == "mail"
            await hub.door.drop(hub.chromes.forget("mail"))
            assert await wait_closed(socket) == (4404, "not paired")
        with pytest.raises(InvalidStatus):
            async with connect(address, origin=Origin(origin), proxy=None):
                pass
        with pytest.raises(InvalidArgs, match="Invalid extension id 'evil'"):
            await hub.door.pair_extension("evil", "")


async def status_line(port: int, *headers: str) -> str:
    """Request the upgrade with these headers; return the first line of the response."""
    request = [
        "GET / HTTP/1.1",
        *headers,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
    ]
    request += ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol: tabwright.v1", "", ""]
    async with await anyio.connect_tcp("127.0.0.1", port) as stream:
        await stream.send("\r\n".join(request).encode())
        return (await stream.receive()).split(b"\r\n")[0].decode()


async def test_another_program_can_forge_headers_but_not_the_proof(hub: Hub) -> None:
    async with hub.door.open("any"):
        port = await hub.door.listen()
        async with connect_as_extension(port) as link:
            await link.send(json.dumps({"type": "hello", "nonce": NONCE, "chrome": DEVICE}))
            assert await wait_closed(link) == (4404, "not paired")
        code = hub.chromes.begin()
        async with connect_as_extension(port) as link:
            sent, key = await prove(link, code.secret, pairing=True, name="Brave")
        [chrome] = hub.chromes
        assert (chrome.id, chrome.name, chrome.key) == (DEVICE, "brave", key)
        for wrong in (sent, key, "", 7):
            async with connect_as_extension(port) as link:
                await send_hello(link)
                await link.send(json.dumps({"type": "proof", "proof": wrong}))
                assert (await wait_closed(link))[0] == 4401
        async with connect_as_extension(port) as link:  # the hub's own proof does not authenticate a Chrome
            mirrored = (await send_hello(link))["proof"]
            await link.send(json.dumps({"type": "proof", "proof": mirrored}))
            assert await wait_closed(link) == (4401, "wrong proof")
        async with connect_as_extension(port) as link:
            await prove(link, key)
    assert [link.name for link in hub.recorder.links] == ["brave", "brave"]


async def test_a_proof_cannot_be_replayed(hub: Hub) -> None:
    async with hub.door.open("any"):
        port = await hub.door.listen()
        code = hub.chromes.begin()
        async with connect_as_extension(port) as link:
            _, key = await prove(link, code.secret, pairing=True)
        async with connect_as_extension(port) as link:
            sent, _ = await prove(link, key)
        nonces = set()
        for _ in range(2):
            async with connect_as_extension(port) as link:
                nonces.add((await send_hello(link))["nonce"])
                await link.send(json.dumps({"type": "proof", "proof": sent}))
                assert await wait_closed(link) == (4401, "wrong proof")
        assert len(nonces) == 2
    assert len(hub.recorder.links) == 2


async def test_a_code_is_valid_once_and_for_two_minutes(hub: Hub) -> None:
    async with hub.door.open("any"):
        port = await hub.door.listen()
        late = hub.chromes.begin()
        hub.now += CODE_SECONDS
        async with connect_as_extension(port) as link:
            await link.send(json.dumps({"type": "hello", "nonce": NONCE, "chrome": DEVICE, "pairing": True}))
            assert await wait_closed(link) == (4404, "not paired")
        code = hub.chromes.begin()
        assert code.secret != late.secret
        async with connect_as_extension(port) as first, connect_as_extension(port) as second:
            challenge = await send_hello(second, pairing=True)
            await prove(first, code.secret, pairing=True)
            sent = proof(second, code.secret, "extension", NONCE, challenge["nonce"])
            await second.send(json.dumps({"type": "proof", "proof": sent}))
            assert await wait_closed(second) == (4404, "the code was used")
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
            async with connect_as_extension(port) as link:
                await link.send(sent)
                assert await wait_closed(link) == (4401, "invalid handshake")
        async with connect_as_extension(port) as link:
            await link.send("x" * 10_000)
            assert (await wait_closed(link))[0] == 1009
        async with anyio.create_task_group() as group:
            codes: list[int] = []

            async def wait() -> None:
                async with connect_as_extension(port) as link:
                    codes.append((await wait_closed(link))[0])

            for _ in range(20):
                group.start_soon(wait)
    assert sorted(codes) == [1013] * 4 + [4408] * 16
    assert hub.recorder.links == []


async def test_a_program_on_the_hubs_port_learns_nothing(person: Person, hub: Hub) -> None:
    async with hub.door.open("any"):
        await person.pair_with(hub.door)
        await hub.link()
        port = await hub.door.listen()
    received: list[dict[str, Any]] = []
    done = anyio.Event()

    async def squat(link: ServerConnection) -> None:
        received.append(json.loads(await link.recv()))
        if len(received) == 1:
            await link.close(4404, "not paired")  # must not make the extension forget its hub
            return
        await link.send(json.dumps({"type": "challenge", "nonce": NONCE, "proof": NONCE}))
        with pytest.raises(ConnectionClosed):
            received.append(json.loads(await link.recv()))
        done.set()

    async with serve(squat, "127.0.0.1", port, subprotocols=[Subprotocol("tabwright.v1")]):
        with anyio.fail_after(60):
            await done.wait()
    key = next(iter(hub.chromes)).key
    assert [sorted(message) for message in received] == [["chrome", "nonce", "type"]] * 2
    assert received[0]["nonce"] != received[1]["nonce"]
    assert key not in json.dumps(received)
    async with hub.door.open(port):
        await hub.link()


async def test_a_program_on_the_port_cannot_relay_the_handshake(person: Person, hub: Hub) -> None:
    async with hub.door.open("any"):
        await person.pair_with(hub.door)
        await hub.link()
        port = await hub.door.listen()
    relayed: list[str] = []
    done = anyio.Event()

    async def relay(link: ServerConnection) -> None:
        async with (
            connect_as_extension(await hub.door.listen()) as to_hub,
            anyio.create_task_group() as group,
        ):
            for one, other in ((link, to_hub), (to_hub, link)):
                group.start_soon(forward, one, other, relayed)
        done.set()

    async with (
        serve(relay, "127.0.0.1", port, subprotocols=[Subprotocol("tabwright.v1")]),
        hub.door.open(port),
    ):
        link = await hub.link()
        assert (await link.receive("connected"))["tabs"] == []
        with anyio.fail_after(60):
            await done.wait()
        assert (
            await person.desk.run("chrome.storage.local.get('hub').then(stored => stored.hub.port)") != port
        )
    assert relayed == ["hello", "challenge"]


async def forward(source: Any, target: Any, relayed: list[str]) -> None:
    """Forward messages from one socket to another, and then its close."""
    async for message in source:
        relayed.append(json.loads(message)["type"])
        await target.send(message)
    await target.close()
