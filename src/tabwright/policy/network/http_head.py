"""Heads of HTTP messages for a proxy: read with a limit, parsed, rewritten for the next hop."""

import re
from dataclasses import dataclass, replace

import anyio.abc

CHUNK = 262_144
MAX_HEAD = 262_144
# Not the default of strip, which includes bytes of UTF-8 names.
_BLANK = " \t"
_END = re.compile(rb"\r?\n\r?\n")
_REQUEST = re.compile(r"([!#$%&'*+\-.^_`|~0-9A-Za-z]+) (\S+) HTTP/1\.[01]")
_STATUS = re.compile(r"HTTP/1\.[01] (\d{3})( .*)?")
_HOP_BY_HOP_HEADERS = frozenset(
    {"connection", "proxy-connection", "keep-alive", "proxy-authorization", "te", "trailer"}
)


class Malformed(Exception):
    """The other side does not speak valid HTTP."""


@dataclass(frozen=True, slots=True)
class Head:
    """A start line and headers, in their order."""

    first: str
    fields: tuple[tuple[str, str], ...]

    @classmethod
    def parse(cls, data: bytes) -> "Head":
        """Parse the head of a request strictly."""
        first, lines = _lines(data)
        fields = tuple(
            (name, value.strip(_BLANK)) for name, _, value in (line.partition(":") for line in lines)
        )
        # A space before the colon, or a folded line, is read differently by different servers.
        if any(not name or name != name.strip() for name, _ in fields):
            raise Malformed("a header has an invalid name")
        if any(char in line for line in (first, *lines) for char in "\r\0"):
            raise Malformed("a header has control characters")
        return cls(first, fields)

    @classmethod
    def parse_response(cls, data: bytes) -> "Head":
        """Parse the head of a response as leniently as Chrome does."""
        first, lines = _lines(data)
        fields: list[tuple[str, str]] = []
        for line in lines:
            name, colon, value = line.partition(":")
            if line[0] in _BLANK and fields:
                fields[-1] = (fields[-1][0], f"{fields[-1][1]} {line.strip(_BLANK)}")
            elif colon and name.strip():
                fields.append((name.strip(_BLANK), value.strip(_BLANK)))
        return cls(first, tuple(fields))

    def __bytes__(self) -> bytes:
        lines = [self.first, *(f"{name}: {value}" for name, value in self.fields)]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def all(self, name: str) -> list[str]:
        """Return the values of a header."""
        return [value for key, value in self.fields if key.lower() == name]

    @property
    def request(self) -> tuple[str, str]:
        """Method and target of a request."""
        found = _REQUEST.fullmatch(self.first)
        if found is None:
            raise Malformed("the first line is not a request")
        return found[1], found[2]

    @property
    def status(self) -> int:
        """Status of a response; 0 if it has none."""
        found = _STATUS.fullmatch(self.first)
        return int(found[1]) if found else 0

    @property
    def upgrade(self) -> bool:
        """Whether the connection switches protocol, such as to a WebSocket."""
        return bool(self.all("upgrade")) and "upgrade" in ",".join(self.all("connection")).lower()

    def require_one_length(self) -> None:
        """Refuse a body whose length different parsers would read differently."""
        lengths = set(self.all("content-length"))
        if len(lengths) > 1 or (lengths and self.all("transfer-encoding")):
            raise Malformed("the length of the body is given twice")
        if any(not length.isdecimal() for length in lengths):
            raise Malformed("the length of the body is not a number")

    def for_next_hop(self, first: str | None = None, **changed: str) -> "Head":
        """Return the head for the next hop: without hop-by-hop headers, closed after one response."""
        named = {token.strip().lower() for token in ",".join(self.all("connection")).split(",")}
        gone = (_HOP_BY_HOP_HEADERS | named | set(changed)) - ({"upgrade"} if self.upgrade else set())
        kept = [(name, value) for name, value in self.fields if name.lower() not in gone]
        kept += [(name.title(), value) for name, value in changed.items()]
        kept.append(("Connection", "Upgrade" if self.upgrade else "close"))
        return replace(self, first=first or self.first, fields=tuple(kept))


def _lines(data: bytes) -> tuple[str, list[str]]:
    # Not splitlines, which splits at some bytes of UTF-8 names.
    first, *lines = [line.rstrip("\r") for line in data.decode("latin-1").strip("\r\n").split("\n")]
    return first, [line for line in lines if line]


class PeekableStream:
    """A stream whose next bytes can be read ahead."""

    def __init__(self, stream: anyio.abc.ByteReceiveStream) -> None:
        self._stream = stream
        self._ahead = b""

    @property
    def unread(self) -> bytes:
        """What was received and not taken yet."""
        return self._ahead

    async def peek(self) -> bytes:
        """Return the next bytes without taking them."""
        if not self._ahead:
            self._ahead = await self._stream.receive(CHUNK)
        return self._ahead

    async def read_head(self) -> bytes:
        """Take a whole head, including its empty line."""
        data = bytearray(await self.peek())
        searched = 0
        while (end := _END.search(data, searched)) is None:
            if len(data) > MAX_HEAD:
                raise Malformed(f"the head is longer than {MAX_HEAD} bytes")
            searched = max(0, len(data) - 3)
            data += await self._stream.receive(CHUNK)
        self._ahead = bytes(data[end.end() :])
        return bytes(data[: end.end()])

    async def receive(self) -> bytes:
        """Take the next bytes."""
        if self._ahead:
            taken, self._ahead = self._ahead, b""
            return taken
        return await self._stream.receive(CHUNK)
