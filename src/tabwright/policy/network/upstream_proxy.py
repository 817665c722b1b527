"""The user's own proxy, behind ours: HTTP with CONNECT, or SOCKS 5, with or without a password."""

import base64
import ssl
from dataclasses import dataclass

import anyio
import anyio.abc

from tabwright.policy.network.http_head import Head, Malformed, PeekableStream
from tabwright.proxy_url import ProxyUrl

AUTHENTICATION_REQUIRED = 407


class UpstreamFailed(Exception):
    """The proxy cannot be reached, or refuses; the message says which proxy and why."""


@dataclass(frozen=True, slots=True)
class UpstreamProxy:
    """A proxy to go through."""

    address: ProxyUrl

    @classmethod
    def parse(cls, text: str) -> "UpstreamProxy":
        """Read the address of a proxy, such as http://user:password@proxy.example:3128."""
        return cls(ProxyUrl.parse(text, "The setting proxy"))

    def choose(self, host: str, port: int, *, plain: bool) -> "UpstreamProxy":
        """Return the proxy for a host."""
        return self

    @property
    def is_socks(self) -> bool:
        """Whether it takes any connection, and not only what HTTP proxies do."""
        return self.address.scheme == "socks5"

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """What lets a request into an HTTP proxy."""
        if not self.address.user:
            return ()
        given = base64.b64encode(f"{self.address.user}:{self.address.password}".encode()).decode()
        return (("Proxy-Authorization", f"Basic {given}"),)

    @property
    def rejects_login(self) -> UpstreamFailed:
        """The error for a proxy that does not accept the user name and password."""
        verb = "rejects the" if self.address.user else "requires a"
        return UpstreamFailed(f"the proxy {self.address} {verb} user name and password")

    async def connect(self) -> anyio.abc.ByteStream:
        """Connect to the proxy itself."""
        try:
            return await self._connect()
        except OSError as error:
            raise UpstreamFailed(f"the proxy {self.address} cannot be reached") from error

    async def tunnel(self, host: str, port: int) -> anyio.abc.ByteStream:
        """Connect through the proxy to a host, whose name the proxy looks up."""
        stream = await self.connect()
        speak = self._socks if self.is_socks else self._http
        try:
            await speak(stream, host, port)
        except BaseException as error:
            await anyio.aclose_forcefully(stream)
            if isinstance(error, OSError | Malformed | anyio.EndOfStream | anyio.BrokenResourceError):
                raise UpstreamFailed(f"the proxy {self.address} failed: {error}") from error
            raise
        return stream

    async def _connect(self) -> anyio.abc.ByteStream:
        if self.address.scheme == "https":
            context = ssl.create_default_context()
            return await anyio.connect_tcp(
                self.address.host, self.address.port, ssl_context=context, tls_standard_compatible=False
            )
        return await anyio.connect_tcp(self.address.host, self.address.port)

    async def _http(self, stream: anyio.abc.ByteStream, host: str, port: int) -> None:
        fields = (("Host", f"{host}:{port}"), *self.fields)
        await stream.send(bytes(Head(f"CONNECT {host}:{port} HTTP/1.1", fields)))
        incoming = PeekableStream(stream)
        answer = Head.parse_response(await incoming.read_head())
        if answer.status == AUTHENTICATION_REQUIRED:
            raise self.rejects_login
        if not 200 <= answer.status < 300:
            raise Malformed(f"it answered {answer.first[:100]}")
        if incoming.unread:
            raise Malformed("it sent data before the request")

    async def _socks(self, stream: anyio.abc.ByteStream, host: str, port: int) -> None:
        method = b"\x02" if self.address.user else b"\x00"
        await stream.send(b"\x05\x01" + method)
        if await _exactly(stream, 2) != b"\x05" + method:
            raise self.rejects_login
        if self.address.user:
            user, password = self.address.user.encode(), self.address.password.encode()
            await stream.send(b"\x01" + bytes([len(user)]) + user + bytes([len(password)]) + password)
            if (await _exactly(stream, 2))[1]:
                raise self.rejects_login
        name = host.strip("[]").encode()
        await stream.send(b"\x05\x01\x00\x03" + bytes([len(name)]) + name + port.to_bytes(2, "big"))
        answer = await _exactly(stream, 4)
        if answer[1]:
            raise Malformed(f"it answered {answer[1]}")
        length = {1: 4, 4: 16}.get(answer[3]) or (await _exactly(stream, 1))[0]
        await _exactly(stream, length + 2)


async def _exactly(stream: anyio.abc.ByteStream, count: int) -> bytes:
    data = b""
    while len(data) < count:
        data += await stream.receive(count - len(data))
    return data
