"""Marks on images: each label is inside the image, readable, and apart from others where there is room."""

import base64
import io

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tabwright.browser.capture.image import EncodedImage
from tabwright.vision.marks import Mark, Rect, draw_marks, place_labels
from tabwright.vision.model_limits import MODEL_LIMITS, limits_for

IMAGE = Rect(0, 0, 799, 599)
SIZE = (30.0, 15.0)


def encoded(colour: str) -> EncodedImage:
    out = io.BytesIO()
    Image.new("RGB", (800, 600), colour).save(out, "png")
    return EncodedImage(base64.b64encode(out.getvalue()).decode())


def test_labels_of_a_crowded_toolbar_do_not_overlap() -> None:
    marks = [Mark(f"@e{n}", Rect(20 + 36 * n, 100, 50 + 36 * n, 130)) for n in range(12)]
    labels = place_labels(marks, [SIZE] * len(marks), IMAGE)
    assert [one.overlap(other) for one in labels for other in labels if one is not other] == [0] * 132
    assert [label.overlap(mark.box) for label in labels for mark in marks] == [0] * 144


@given(
    corners=st.lists(
        st.tuples(st.floats(-50, 850), st.floats(-50, 650), st.floats(1, 900), st.floats(1, 700)), max_size=30
    )
)
def test_every_label_is_inside_the_image(corners: list[tuple[float, float, float, float]]) -> None:
    marks = [Mark("@e1", Rect(x, y, x + width, y + height)) for x, y, width, height in corners]
    for label in place_labels(marks, [SIZE] * len(marks), IMAGE):
        assert IMAGE.contains(label)


def test_marks_are_visible_on_light_and_dark() -> None:
    mark = Mark("@e7", Rect(100, 100, 200, 140))
    for ground in ("white", "black"):
        drawn = draw_marks(
            encoded(ground), [mark, Mark("@e8", Rect(900, 900, 950, 950))], max_bytes=5_000_000
        )
        assert drawn.size() == (800, 600)
        picture = Image.open(io.BytesIO(base64.b64decode(drawn.data))).convert("RGB")
        shades = picture.crop((100, 84, 130, 99)).convert("L").tobytes()
        assert max(shades) - min(shades) > 120, ground


def test_a_marked_image_stays_within_max_bytes() -> None:
    noise = Image.effect_noise((800, 600), 200).convert("RGB")
    out = io.BytesIO()
    noise.save(out, "png")
    small = draw_marks(EncodedImage(base64.b64encode(out.getvalue()).decode()), [], max_bytes=20_000)
    assert small.bytes <= 20_000


def test_limits_are_those_of_the_model_and_of_the_caller() -> None:
    assert limits_for(None, 1234).side == 1234
    assert limits_for("claude", 5000) == MODEL_LIMITS["claude"]
    assert limits_for("gpt", 900)._replace(side=0) == MODEL_LIMITS["gpt"]._replace(side=0)
    assert max(known.side for known in MODEL_LIMITS.values()) <= 2000
