"""Heads of HTTP messages as a proxy needs them: read with a limit, taken apart, written for the next hop."""

import re
from dataclasses import dataclass, replace

import anyio.abc

PIECE = 262_144
MOST_HEAD = 262_144
# What strip takes for blank by itself includes bytes of names in UTF-8.
_BLANK = " \t"
_END = re.compile(rb"\r?\n\r?\n")
_REQUEST = re.compile(r"([!#$%&'*+\-.^_`|~0-9A-Za-z]+) (\S+) HTTP/1\.[01]")
_STATUS = re.compile(r"HTTP/1\.[01] (\d{3})( .*)?")
_OF_ONE_HOP = frozenset(
    {"connection", "proxy-connection", "keep-alive", "proxy-authorization", "te", "trailer"}
)


class Malformed(Exception):
    """The other side does not speak HTTP as it must."""


@dataclass(frozen=True, slots=True)
class Head:
    """A first line and fields, in their order."""

    first: str
    fields: tuple[tuple[str, str], ...]

    @classmethod
    def parse(cls, data: bytes) -> "Head":
        """Take the head of a request apart."""
        first, lines = _lines(data)
        fields = tuple(
            (name, value.strip(_BLANK)) for name, _, value in (line.partition(":") for line in lines)
        )
        # A space before the colon, or a folded line, is read differently by different servers.
        if any(not name or name != name.strip() for name, _ in fields):
            raise Malformed("a field of the head has no proper name")
        if any(char in line for line in (first, *lines) for char in "\r\0"):
            raise Malformed("a field of the head has control characters")
        return cls(first, fields)

    @classmethod
    def parse_answer(cls, data: bytes) -> "Head":
        """Take the head of an answer apart, as forgiving as Chrome: servers send what they like."""
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
        """Return the values of a field."""
        return [value for key, value in self.fields if key.lower() == name]

    @property
    def request(self) -> tuple[str, str]:
        """Method and target of a request."""
        found = _REQUEST.fullmatch(self.first)
        if found is None:
            raise Malformed("the first line is no request")
        return found[1], found[2]

    @property
    def status(self) -> int:
        """Status of an answer; 0 where it is none."""
        found = _STATUS.fullmatch(self.first)
        return int(found[1]) if found else 0

    @property
    def upgrade(self) -> bool:
        """Whether the connection is to become something else, such as a WebSocket."""
        return bool(self.all("upgrade")) and "upgrade" in ",".join(self.all("connection")).lower()

    def require_one_length(self) -> None:
        """Refuse a body whose end different readers would see in different places."""
        lengths = set(self.all("content-length"))
        if len(lengths) > 1 or (lengths and self.all("transfer-encoding")):
            raise Malformed("the length of the body is told twice")
        if any(not length.isdecimal() for length in lengths):
            raise Malformed("the length of the body is no number")

    def passed_on(self, first: str | None = None, **changed: str) -> "Head":
        """Return the head for the next hop: this hop's own fields left out, closed after one answer."""
        named = {token.strip().lower() for token in ",".join(self.all("connection")).split(",")}
        gone = (_OF_ONE_HOP | named | set(changed)) - ({"upgrade"} if self.upgrade else set())
        kept = [(name, value) for name, value in self.fields if name.lower() not in gone]
        kept += [(name.title(), value) for name, value in changed.items()]
        kept.append(("Connection", "Upgrade" if self.upgrade else "close"))
        return replace(self, first=first or self.first, fields=tuple(kept))


def _lines(data: bytes) -> tuple[str, list[str]]:
    # Not splitlines: to that, bytes of names in UTF-8 are ends of lines.
    first, *lines = [line.rstrip("\r") for line in data.decode("latin-1").strip("\r\n").split("\n")]
    return first, [line for line in lines if line]


class Inflow:
    """What comes in over a stream, of which the beginning can be looked at."""

    def __init__(self, stream: anyio.abc.ByteReceiveStream) -> None:
        self._stream = stream
        self._seen = b""

    @property
    def left(self) -> bytes:
        """What came already and was not taken."""
        return self._seen

    async def peek(self) -> bytes:
        """Return what comes first, without taking it."""
        if not self._seen:
            self._seen = await self._stream.receive(PIECE)
        return self._seen

    async def head(self) -> bytes:
        """Take a whole head, its empty line included."""
        data = bytearray(await self.peek())
        looked = 0
        while (end := _END.search(data, looked)) is None:
            if len(data) > MOST_HEAD:
                raise Malformed(f"the head is longer than {MOST_HEAD} bytes")
            looked = max(0, len(data) - 3)
            data += await self._stream.receive(PIECE)
        self._seen = bytes(data[end.end() :])
        return bytes(data[: end.end()])

    async def receive(self) -> bytes:
        """Take the next piece of whatever size."""
        if self._seen:
            taken, self._seen = self._seen, b""
            return taken
        return await self._stream.receive(PIECE)
