"""The largest image that each model family accepts without scaling it down."""

from typing import Literal, NamedTuple

Model = Literal["claude", "gpt", "gemini"]


class ImageLimits(NamedTuple):
    """Limits in pixels; None: no limit."""

    side: int
    short_side: int | None = None
    pixels: int | None = None


# From the vendors' documentation. Claude: 1568 on the long side and 1.15 megapixels. GPT: scaled to fit 2048,
# then to 768 on the short side. Gemini: tiles of 768; two by two are enough for a page.
MODEL_LIMITS: dict[Model, ImageLimits] = {
    "claude": ImageLimits(1568, pixels=1_150_000),
    "gpt": ImageLimits(2000, short_side=768),
    "gemini": ImageLimits(1536),
}


def limits_for(model: Model | None, max_side: int) -> ImageLimits:
    """Return the limits for a model, with at most `max_side` pixels on the long side."""
    if model is None:
        return ImageLimits(max_side)
    return MODEL_LIMITS[model]._replace(side=min(MODEL_LIMITS[model].side, max_side))
