"""Draws refs on a screenshot: a frame around each element, and a label with its ref where it hides least."""

import base64
import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from tabwright.browser.capture.image import EncodedImage, shrink_image

# Dark enough for white text, and easy to distinguish side by side.
_COLOURS = ("#b3261e", "#0b57d0", "#146c2e", "#7b1fa2", "#a04900", "#00696e")
_FONT_SIZE = 13
_PADDING = 2
_QUALITIES = (85, 60, 35)


class Rect(NamedTuple):
    """A rectangle in the image, in image pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: "Rect") -> float:
        """Return the area of the intersection in pixels."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across * down if across > 0 and down > 0 else 0.0

    def contains(self, other: "Rect") -> bool:
        """Whether the other lies inside."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )


class Mark(NamedTuple):
    """A ref to draw, and the box of its element."""

    ref: str
    box: Rect


def draw_marks(picture: EncodedImage, marks: Sequence[Mark], *, max_bytes: int) -> EncodedImage:
    """Draw the marks; return a JPEG of at most `max_bytes`."""
    with Image.open(io.BytesIO(base64.b64decode(picture.data))) as opened:
        image = opened.convert("RGB")
    font = ImageFont.load_default(_FONT_SIZE)
    draw = ImageDraw.Draw(image)
    image_area = Rect(0, 0, image.width - 1, image.height - 1)
    inside = [Mark(mark.ref, _clip(mark.box, image_area)) for mark in marks if mark.box.overlap(image_area)]
    labels = place_labels(inside, [_label_size(draw, font, mark.ref) for mark in inside], image_area)
    for number, mark in enumerate(inside):
        _draw_frame(draw, mark.box, _COLOURS[number % len(_COLOURS)])
    for number, (mark, label) in enumerate(zip(inside, labels, strict=True)):
        draw.rectangle(label, fill=_COLOURS[number % len(_COLOURS)], outline="white")
        middle = ((label.left + label.right) / 2, (label.top + label.bottom) / 2)
        draw.text(middle, mark.ref, fill="white", font=font, anchor="mm")
    return _encode(image, max_bytes)


def place_labels(marks: Sequence[Mark], sizes: Sequence[tuple[float, float]], image_area: Rect) -> list[Rect]:
    """Return a label for each mark, next to its element, with the least overlap with labels and elements."""
    labels: list[Rect] = []
    for mark, size in zip(marks, sizes, strict=True):
        candidates = list(_candidates(mark.box, size, image_area))
        other_boxes = [other.box for other in marks if other is not mark and not other.box.contains(mark.box)]
        labels.append(min(candidates, key=lambda label: _overlap_cost(label, labels, other_boxes, mark.box)))
    return labels


def _overlap_cost(
    label: Rect, labels: Sequence[Rect], other_boxes: Sequence[Rect], own: Rect
) -> tuple[float, float]:
    return sum(map(label.overlap, labels)), sum(map(label.overlap, other_boxes)) + label.overlap(own)


def _candidates(box: Rect, size: tuple[float, float], image_area: Rect) -> Iterator[Rect]:
    """Yield possible positions of a label inside the image, best first."""
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
        x = min(max(wanted_x, image_area.left), max(image_area.right - width, image_area.left))
        y = min(max(wanted_y, image_area.top), max(image_area.bottom - height, image_area.top))
        yield Rect(x, y, x + width, y + height)


def _label_size(
    draw: ImageDraw.ImageDraw, font: "ImageFont.FreeTypeFont | ImageFont.ImageFont", text: str
) -> tuple[float, float]:
    left, top, right, bottom = draw.textbbox((0, 0), text, font=font)
    return right - left + 2 * _PADDING + 1, bottom - top + 2 * _PADDING + 1


def _draw_frame(draw: ImageDraw.ImageDraw, box: Rect, colour: str) -> None:
    """Draw a coloured line between two white ones: visible on light and dark, and hides no text."""
    for offset, shade in ((2, "white"), (1, colour), (0, "white")):
        outline = (box.left - offset, box.top - offset, box.right + offset, box.bottom + offset)
        draw.rectangle(outline, outline=shade)


def _clip(box: Rect, image_area: Rect) -> Rect:
    return Rect(
        max(box.left, image_area.left),
        max(box.top, image_area.top),
        min(box.right, image_area.right),
        min(box.bottom, image_area.bottom),
    )


def _encode(image: Image.Image, max_bytes: int) -> EncodedImage:
    picture = EncodedImage("")
    for quality in _QUALITIES:
        out = io.BytesIO()
        image.save(out, "jpeg", quality=quality)
        picture = EncodedImage(base64.b64encode(out.getvalue()).decode())
        if picture.bytes <= max_bytes:
            break
    return shrink_image(picture, "jpeg", max_bytes)
