"""The proxy of a gate without a browser, over real sockets."""

import base64
import os
import resource
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import anyio.abc
import anyio.lowlevel
import pytest

from tabwright.policy.network.boundary import ProxyGate
from tabwright.policy.network.own_ports import OwnPorts
from tabwright.policy.network.proxy import Caps
from tests.boundary.wire import NOBODY, ask, ask_as, everything, gated, get, until
from tests.web import Response, Web, run_server

HERE = "http://127.0.0.1/*"
OUTSIDE = {"site.test": ["93.184.215.14"]}


def status(answer: str) -> int:
    return int(answer.split(" ", 2)[1])


async def test_a_plain_request_is_forwarded_once_and_its_connection_closed(web: Web) -> None:
    web.route(
        "/a", lambda _: Response("hello", headers={"connection": "keep-alive", "keep-alive": "timeout=5"})
    )
    request = (
        f"POST {web.url}/a?b HTTP/1.1\r\nHost: lie.test\r\nProxy-Connection: keep-alive\r\nX-One: 1\r\n"
        "Connection: x-hop\r\nX-Hop: 1\r\nProxy-Authorization: Basic x\r\nContent-Length: 3\r\n\r\nabc"
    )
    async with gated(HERE) as gate:
        answer = await ask(gate, request.encode())
    (seen,) = web.requests
    assert (seen.method, seen.path, seen.query, seen.body) == ("POST", "/a", "b", b"abc")
    assert seen.headers == {
        "host": web.url.removeprefix("http://"),
        "x-one": "1",
        "content-length": "3",
        "connection": "close",
    }
    head, _, body = answer.partition("\r\n\r\n")
    assert head.startswith("HTTP/1.1 200 OK\r\n")
    assert head.lower().count("connection:") == 1
    assert "Connection: close" in head
    assert "keep-alive" not in head
    assert body == "hello"


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2", "0.0.0.0", "::1", "::ffff:127.0.0.1"])
async def test_a_name_that_resolves_to_this_computer_cannot_reach_our_ports(web: Web, address: str) -> None:
    port = int(web.url.rpartition(":")[2])
    async with gated("http://hub.test", names={"hub.test": [address]}, own=OwnPorts([port])) as gate:
        answer = await get(gate, f"http://hub.test:{port}/")
        assert status(answer) == 403
        assert f"hub.test:{port} is refused: sessions may not reach the ports of Tabwright itself" in answer
        assert status(await ask(gate, f"CONNECT hub.test:{port} HTTP/1.1\r\n\r\n".encode())) == 403
    assert web.requests == []


async def test_a_refusal_gives_the_reason_and_sends_nothing(web: Web) -> None:
    async with gated(HERE) as gate:
        answer = await get(gate, f"{web.other_site}/<b>")
        assert status(answer) == 403
        assert f"{web.other_site}/%3Cb%3E is refused: no pattern of security.allowed_url_patterns" in answer
        host = web.other_site.removeprefix("http://")
        assert status(await ask(gate, f"CONNECT {host} HTTP/1.1\r\n\r\n".encode())) == 403
        assert status(await get(gate, f"http://user:secret@{web.url[7:]}/")) == 403
    assert web.requests == []


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET http:// HTTP/1.1\r\n\r\n",
        b"GET ftp://127.0.0.1/ HTTP/1.1\r\n\r\n",
        b"GET http://127.0.0.1/ HTTP/2.0\r\n\r\n",
        b"GET  http://127.0.0.1/ HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\r\n\r\n",
        b"POST http://127.0.0.1/ HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST http://127.0.0.1/ HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n",
        b"POST http://127.0.0.1/ HTTP/1.1\r\nContent-Length: +3\r\n\r\n",
        b"POST http://127.0.0.1/ HTTP/1.1\r\nContent-Length : 3\r\n\r\n",
        b"GET http://127.0.0.1/ HTTP/1.1\r\nA: b\r\n folded: c\r\n\r\n",
        b"GET http://127.0.0.1/ HTTP/1.1\r\nA: b\rTransfer-Encoding: chunked\r\n\r\n",
        b"CONNECT 127.0.0.1:99999 HTTP/1.1\r\n\r\n",
        b"GET http://127.0.0.1/ HTTP/1.1\r\nA: " + b"x" * 600_000 + b"\r\n\r\n",
    ],
    ids=range(14),
)
async def test_a_malformed_request_is_refused(request_: bytes) -> None:
    async with gated(HERE) as gate:
        assert status(await ask(gate, request_)) == 400


async def test_a_connection_made_while_the_gate_closes_is_reset() -> None:
    async with gated(HERE) as gate:
        with socket.create_connection(("127.0.0.1", gate.port)) as link:
            await anyio.lowlevel.checkpoint()  # the gate accepts it in the next turn, after it was closed
            gate.close()
            await anyio.wait_all_tasks_blocked()
            link.settimeout(5)
            with pytest.raises(ConnectionResetError):
                link.recv(1)


async def test_a_tunnel_carries_tls_only_where_https_is_allowed() -> None:
    async def echo(stream: anyio.abc.ByteStream) -> None:
        while True:
            await stream.send(await stream.receive())

    async def hello(gate: ProxyGate, port: int) -> bytes:
        async with await anyio.connect_tcp("127.0.0.1", gate.port) as stream:
            await stream.send(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode())
            assert (await until(stream)).startswith(b"HTTP/1.1 200 ")
            await stream.send(b"\x16\x03\x01 hello")
            with anyio.fail_after(60):
                return await stream.receive()

    async with run_server(echo) as port:
        async with gated("https://127.0.0.1") as gate:
            assert await hello(gate, port) == b"\x16\x03\x01 hello"
        async with gated(HERE) as gate:
            assert (await hello(gate, port)).startswith(b"HTTP/1.1 403 ")


async def test_an_unencrypted_websocket_is_checked_by_its_path() -> None:
    async def agree(stream: anyio.abc.ByteStream) -> None:
        await until(stream)
        await stream.send(b"HTTP/1.1 101 Switching Protocols\r\n\r\nhi")

    async def shake(gate: ProxyGate, port: int, head: str) -> bytes:
        async with await anyio.connect_tcp("127.0.0.1", gate.port) as stream:
            await stream.send(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode())
            await until(stream)
            await stream.send(head.encode())
            return await everything(stream)

    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    async with run_server(agree) as port, gated("http://127.0.0.1/ok/*") as gate:
        assert (await shake(gate, port, f"GET /ok/a HTTP/1.1\r\n{upgrade}")).endswith(b"hi")
        assert (await shake(gate, port, f"GET /no HTTP/1.1\r\n{upgrade}")).startswith(b"HTTP/1.1 403 ")
        assert (await shake(gate, port, "GET /ok/a HTTP/1.1\r\n\r\n")).startswith(b"HTTP/1.1 400 ")
        assert (await shake(gate, port, "\x00\x01 stun\r\n\r\n")).startswith(b"HTTP/1.1 400 ")
        plain = await ask(gate, f"GET http://127.0.0.1:{port}/ok/a HTTP/1.1\r\n{upgrade}".encode())
        assert plain.startswith("HTTP/1.1 101 ")
        assert plain.endswith("hi")


async def test_a_name_is_resolved_once_and_refused_if_any_address_is_private(web: Web) -> None:
    names = {
        "rebinds.test": ["93.184.215.14", "127.0.0.1"],
        "named.test": ["127.0.0.1"],
        "meta.test": ["169.254.169.254"],
    }
    async with gated("*", "named.test", "meta.test", names=names) as gate:
        answer = await get(gate, f"http://rebinds.test{web.url[16:]}/")
        assert status(answer) == 403
        assert "rebinds.test is refused: its address is loopback" in answer
        assert status(await get(gate, "http://meta.test/")) == 403
        assert status(await get(gate, f"http://named.test{web.url[16:]}/favicon.ico")) == 204
        names["named.test"] = ["169.254.169.254"]  # the name server now gives another address
        assert status(await get(gate, f"http://named.test{web.url[16:]}/favicon.ico")) == 204


async def test_an_unreachable_server_is_reported_as_chrome_does() -> None:
    async def nothing(_: anyio.abc.ByteStream) -> None:
        return

    async with run_server(nothing) as port, gated(HERE, "gone.test") as gate:
        assert await get(gate, f"http://127.0.0.1:{port}/") == ""  # empty, because the server sent nothing
        assert status(await get(gate, "http://gone.test/")) == 502
        assert "name was not found" in str(gate.failure("http://gone.test/x"))
    async with gated(HERE) as gate:
        assert status(await get(gate, f"http://127.0.0.1:{port}/")) == 502
        assert "ERR_CONNECTION_REFUSED" in str(gate.failure(f"http://127.0.0.1:{port}/"))


@asynccontextmanager
async def world_behind_a_proxy(web: Web, seen: list[str]) -> AsyncIterator[int]:
    """Run a proxy that connects every host to the web server of the test."""

    async def talk(stream: anyio.abc.ByteStream) -> None:
        head = await until(stream)
        seen.append(head.decode())
        async with await anyio.connect_tcp("127.0.0.1", int(web.url.rpartition(":")[2])) as server:
            if head.startswith(b"CONNECT"):
                await stream.send(b"HTTP/1.1 200 OK\r\n\r\n")
                head = await until(stream)
            await server.send(head.replace(b"http://site.test", b""))
            await stream.send(await everything(server))

    async with run_server(talk) as port:
        yield port


async def test_the_users_proxy_is_used_for_everything_but_this_computer(web: Web) -> None:
    seen: list[str] = []
    web.route("/a", lambda _: Response("there"))
    rules = ("http://site.test", HERE)
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    async with world_behind_a_proxy(web, seen) as port:
        for names in (OUTSIDE, {}):  # perhaps only the company's proxy can resolve the name
            async with gated(*rules, names=names, upstream=f"http://me:pa%40ss@127.0.0.1:{port}") as gate:
                assert (await get(gate, "http://site.test/a")).endswith("there")
                assert (await ask(gate, f"GET http://site.test/a HTTP/1.1\r\n{upgrade}".encode())).endswith(
                    "there"
                )
                assert status(await get(gate, f"{web.url}/favicon.ico")) == 204
    login = "Proxy-Authorization: Basic " + base64.b64encode(b"me:pa@ss").decode()
    assert [head.split("\r\n")[0] for head in seen] == [
        "GET http://site.test/a HTTP/1.1",
        "CONNECT site.test:80 HTTP/1.1",
    ] * 2
    assert all(login in head for head in seen)
    async with gated(*rules, names=OUTSIDE, upstream=f"http://127.0.0.1:{port}") as gate:
        assert status(await get(gate, "http://site.test/a")) == 502
        assert str(gate.failure("http://site.test/")) == (
            f"http://site.test/ could not be loaded: the proxy 127.0.0.1:{port} cannot be reached. Ask the "
            "user to correct the proxy: the setting proxy, or HTTP_PROXY and HTTPS_PROXY."
        )


@pytest.mark.parametrize("login", ["", "me:wrong@"])
async def test_a_login_that_the_users_proxy_rejects_is_an_error(login: str) -> None:
    async def refuse(stream: anyio.abc.ByteStream) -> None:
        await until(stream)
        await stream.send(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")

    verb = "rejects the" if login else "requires a"
    async with (
        run_server(refuse) as port,
        gated("*://site.test", names=OUTSIDE, upstream=f"http://{login}127.0.0.1:{port}") as gate,
    ):
        answers = {
            "http://site.test/": await get(gate, "http://site.test/"),
            "https://site.test/": await ask(gate, b"CONNECT site.test:443 HTTP/1.1\r\n\r\n"),
        }
        for url, answer in answers.items():
            assert status(answer) == 502
            failure = gate.failure(url)
            assert failure is not None
            fault = f"the proxy 127.0.0.1:{port} {verb} user name and password"
            assert failure.message == f"{url} could not be loaded: {fault}."


async def test_a_socks_proxy_is_used(web: Web) -> None:
    async def socks(stream: anyio.abc.ByteStream) -> None:
        assert await stream.receive() == b"\x05\x01\x02"
        await stream.send(b"\x05\x02")
        assert await stream.receive() == b"\x01\x02me\x06secret"
        await stream.send(b"\x01\x00")
        assert await stream.receive() == b"\x05\x01\x00\x03\x09site.test\x00\x50"
        await stream.send(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
        async with await anyio.connect_tcp("127.0.0.1", int(web.url.rpartition(":")[2])) as server:
            await server.send(await until(stream))
            await stream.send(await everything(server))

    web.route("/a", lambda _: Response("there"))
    async with (
        run_server(socks) as port,
        gated("site.test", names=OUTSIDE, upstream=f"socks5://me:secret@127.0.0.1:{port}") as gate,
    ):
        assert (await get(gate, "http://site.test/a")).endswith("there")


@pytest.mark.parametrize(
    ("answer", "passed"),
    [
        (
            b"HTTP/1.1 200 OK\r\nX-Name: \xc3\x85\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\nX-Name: \xc3\x85\r\nConnection: close\r\n\r\nbody",
        ),
        (
            b"HTTP/1.0 200\nA : 1\n 2\nnonsense\n\nbody",
            "HTTP/1.0 200\r\nA: 1 2\r\nConnection: close\r\n\r\nbody",
        ),
        (
            b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 204 No\r\nConnection: keep-alive, x\r\nX: 1\r\n\r\n",
            "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 204 No\r\nConnection: close\r\n\r\n",
        ),
        (b"HTTP/1.1 what\r\n\r\n", "HTTP/1.1 what\r\n\r\n"),
        (b"ICY 200 OK\r\n\r\nmusic", "ICY 200 OK\r\n\r\nmusic"),
    ],
    ids=range(5),
)
async def test_a_response_is_forwarded_in_its_own_form(answer: bytes, passed: str) -> None:
    async def talk(stream: anyio.abc.ByteStream) -> None:
        await until(stream)
        await stream.send(answer)

    async with run_server(talk) as port, gated(HERE) as gate:
        assert await get(gate, f"http://127.0.0.1:{port}/") == passed


async def test_a_client_that_disconnects_frees_the_server_and_the_gate() -> None:
    arrived, left = anyio.Event(), anyio.Event()

    async def silent(stream: anyio.abc.ByteStream) -> None:
        await until(stream)
        arrived.set()
        await everything(stream)
        left.set()

    async with run_server(silent) as port, gated(HERE) as gate:
        async with await anyio.connect_tcp("127.0.0.1", gate.port) as stream:
            await stream.send(f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n".encode())
            with anyio.fail_after(60):
                await arrived.wait()
            assert gate.connections == 1
        with anyio.fail_after(60):
            await left.wait()
        async with await anyio.connect_tcp("127.0.0.1", gate.port) as stream:
            await stream.send(f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n".encode())
            gate.close()
            assert await everything(stream) == b""


async def test_an_idle_connection_times_out() -> None:
    async def silent(stream: anyio.abc.ByteStream) -> None:
        await everything(stream)

    async with (
        run_server(silent) as port,
        gated(HERE, caps=Caps(head_seconds=0.1, idle_seconds=0.1)) as gate,
    ):
        assert await get(gate, f"http://127.0.0.1:{port}/") == ""
        assert await ask(gate, b"GET http") == ""


async def test_two_hundred_connections_work_and_one_more_is_refused(web: Web) -> None:
    answers: list[int] = []
    arrived, go = anyio.Semaphore(0), anyio.Event()

    async def slow() -> Response:
        arrived.release()
        await go.wait()
        return Response("there")

    web.route("/slow", lambda _: slow())
    async with gated(HERE, caps=Caps(connections=200)) as gate, anyio.create_task_group() as group:

        async def one() -> None:
            answers.append(status(await get(gate, f"{web.url}/slow")))

        for _ in range(200):
            group.start_soon(one)
        with anyio.fail_after(60):
            for _ in range(200):
                await arrived.acquire()
        assert status(await get(gate, f"{web.url}/slow")) == 503
        go.set()
    assert answers == [200] * 200


async def test_a_gigabyte_is_forwarded_without_being_buffered() -> None:
    piece, pieces = b"x" * 262_144, 4_096

    async def flood(stream: anyio.abc.ByteStream) -> None:
        await until(stream)
        await stream.send(b"HTTP/1.1 200 OK\r\n\r\n")
        for _ in range(pieces):
            await stream.send(piece)

    async with (
        run_server(flood) as port,
        gated(HERE) as gate,
        await anyio.connect_tcp("127.0.0.1", gate.port) as stream,
    ):
        await stream.send(f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n".encode())
        received = len(await stream.receive())
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        while received < len(piece) * pieces:
            received += len(await stream.receive(262_144))
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < 20_000  # kilobytes


@pytest.mark.skipif(os.getuid() != 0, reason="only root can start a program as another user")
async def test_another_user_of_the_computer_cannot_use_the_gate(
    web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    web.route("/a", lambda _: Response("hello"))
    request = f"GET {web.url}/a HTTP/1.1\\r\\n\\r\\n"
    async with gated(HERE) as gate:
        assert await ask_as(os.getuid(), gate.port, request) != ""
        assert await ask_as(NOBODY, gate.port, request) == ""
    assert len(web.requests) == 1
    assert caplog.messages == [f"refused a connection of another user to the gate on port {gate.port}"]
