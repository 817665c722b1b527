"""Encoded images: their size in pixels, and shrinking one further than Chrome can."""

import base64
import io
from dataclasses import dataclass
from typing import Literal

Format = Literal["jpeg", "png", "webp"]

_QUALITY = 35
# Start-of-frame markers of JPEG; 0xC4, 0xC8 and 0xCC among them mean something else.
_SOF = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


@dataclass(frozen=True, slots=True)
class EncodedImage:
    """An image as base64 text, as Chrome sends it."""

    data: str

    @property
    def bytes(self) -> int:
        """Size in bytes when decoded."""
        return len(self.data) * 3 // 4 - self.data.count("=", -2)

    def size(self) -> tuple[int, int]:
        """Return width and height; only the image header is decoded."""
        head = base64.b64decode(self.data[:8192])
        if head.startswith(b"\x89PNG"):
            return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])
        if head.startswith(b"\xff\xd8"):
            return _jpeg_size(head)
        return _webp_size(head)


def _jpeg_size(head: bytes) -> tuple[int, int]:
    position = 2
    while head[position + 1] not in _SOF:
        position += 2 + int.from_bytes(head[position + 2 : position + 4])
    frame = head[position + 5 : position + 9]
    return int.from_bytes(frame[2:]), int.from_bytes(frame[:2])


def _webp_size(head: bytes) -> tuple[int, int]:
    if head[12:16] == b"VP8X":
        return int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1
    if head[12:16] == b"VP8L":
        bits = int.from_bytes(head[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return int.from_bytes(head[26:28], "little") & 0x3FFF, int.from_bytes(head[28:30], "little") & 0x3FFF


def shrink_image(encoded: EncodedImage, kind: Format, max_bytes: int) -> EncodedImage:
    """Scale the image down step by step until it has at most `max_bytes` bytes."""
    from PIL import Image  # noqa: PLC0415 - 40 ms that no ordinary screenshot needs

    with Image.open(io.BytesIO(base64.b64decode(encoded.data))) as opened:
        image = opened.convert("RGB")
    while encoded.bytes > max_bytes and max(image.size) > 1:
        smaller = tuple(max(1, side * 7 // 10) for side in image.size)
        image = image.resize((smaller[0], smaller[1]))
        out = io.BytesIO()
        image.save(out, kind, quality=_QUALITY)
        encoded = EncodedImage(base64.b64encode(out.getvalue()).decode())
    return encoded
