"""Refs drawn on a picture: a frame around each element and its ref on a plate, where it hides least."""

import base64
import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from tabwright.browser.capture.image import EncodedImage, shrink_image

# Dark enough for white letters, and told apart side by side.
_COLOURS = ("#b3261e", "#0b57d0", "#146c2e", "#7b1fa2", "#a04900", "#00696e")
_LETTERS = 13
_PAD = 2
_QUALITIES = (85, 60, 35)


class Rect(NamedTuple):
    """A rectangle of the picture, in its pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: "Rect") -> float:
        """Return how many pixels both cover."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across * down if across > 0 and down > 0 else 0.0

    def holds(self, other: "Rect") -> bool:
        """Whether the other lies inside."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )


class Mark(NamedTuple):
    """What is to be drawn: a ref, and where its element is."""

    ref: str
    box: Rect


def marked(picture: EncodedImage, marks: Sequence[Mark], *, max_bytes: int) -> EncodedImage:
    """Draw the marks; return a JPEG of at most that size."""
    with Image.open(io.BytesIO(base64.b64decode(picture.data))) as opened:
        image = opened.convert("RGB")
    font = ImageFont.load_default(_LETTERS)
    draw = ImageDraw.Draw(image)
    seen = Rect(0, 0, image.width - 1, image.height - 1)
    inside = [Mark(mark.ref, _cut(mark.box, seen)) for mark in marks if mark.box.overlap(seen)]
    plates = place(inside, [_size(draw, font, mark.ref) for mark in inside], seen)
    for number, mark in enumerate(inside):
        _frame(draw, mark.box, _COLOURS[number % len(_COLOURS)])
    for number, (mark, plate) in enumerate(zip(inside, plates, strict=True)):
        draw.rectangle(plate, fill=_COLOURS[number % len(_COLOURS)], outline="white")
        middle = ((plate.left + plate.right) / 2, (plate.top + plate.bottom) / 2)
        draw.text(middle, mark.ref, fill="white", font=font, anchor="mm")
    return _encoded(image, max_bytes)


def place(marks: Sequence[Mark], sizes: Sequence[tuple[float, float]], seen: Rect) -> list[Rect]:
    """Return a plate for each mark: beside its element, over no other plate and as little else as can be."""
    plates: list[Rect] = []
    for mark, size in zip(marks, sizes, strict=True):
        around = list(_around(mark.box, size, seen))
        others = [other.box for other in marks if other is not mark and not other.box.holds(mark.box)]
        plates.append(min(around, key=lambda plate: _cost(plate, plates, others, mark.box)))
    return plates


def _cost(plate: Rect, plates: Sequence[Rect], others: Sequence[Rect], own: Rect) -> tuple[float, float]:
    return sum(map(plate.overlap, plates)), sum(map(plate.overlap, others)) + plate.overlap(own)


def _around(box: Rect, size: tuple[float, float], seen: Rect) -> Iterator[Rect]:
    """Yield the places for a plate, the best ones first, all of them in the picture."""
    width, height = size
    left, right = box.left, box.right - width
    corners = (
        (left, box.top - height),
        (right, box.top - height),
        (left - width, box.top),
        (box.right, box.top),
        (left, box.bottom),
        (right, box.bottom),
        (left, box.top),
        (right, box.bottom - height),
    )
    for wanted_x, wanted_y in corners:
        x = min(max(wanted_x, seen.left), max(seen.right - width, seen.left))
        y = min(max(wanted_y, seen.top), max(seen.bottom - height, seen.top))
        yield Rect(x, y, x + width, y + height)


def _size(
    draw: ImageDraw.ImageDraw, font: "ImageFont.FreeTypeFont | ImageFont.ImageFont", text: str
) -> tuple[float, float]:
    left, top, right, bottom = draw.textbbox((0, 0), text, font=font)
    return right - left + 2 * _PAD + 1, bottom - top + 2 * _PAD + 1


def _frame(draw: ImageDraw.ImageDraw, box: Rect, colour: str) -> None:
    """A coloured line in a white one, around the element: seen on light and dark, and hides no letter."""
    for by, shade in ((2, "white"), (1, colour), (0, "white")):
        draw.rectangle((box.left - by, box.top - by, box.right + by, box.bottom + by), outline=shade)


def _cut(box: Rect, seen: Rect) -> Rect:
    return Rect(
        max(box.left, seen.left),
        max(box.top, seen.top),
        min(box.right, seen.right),
        min(box.bottom, seen.bottom),
    )


def _encoded(image: Image.Image, max_bytes: int) -> EncodedImage:
    picture = EncodedImage("")
    for quality in _QUALITIES:
        out = io.BytesIO()
        image.save(out, "jpeg", quality=quality)
        picture = EncodedImage(base64.b64encode(out.getvalue()).decode())
        if picture.bytes <= max_bytes:
            break
    return shrink_image(picture, "jpeg", max_bytes)
