"""How large a picture each family of models takes in without making it smaller itself."""

from typing import Literal, NamedTuple

Model = Literal["claude", "gpt", "gemini"]


class Fit(NamedTuple):
    """Limits in pixels; None where there is none."""

    side: int
    short_side: int | None = None
    pixels: int | None = None


# As their makers document them. Claude: 1568 on the long edge and 1.15 megapixels. GPT: fitted into 2048,
# then 768 on the short side. Gemini: tiles of 768, of which two by two are enough for a page.
FITS: dict[Model, Fit] = {
    "claude": Fit(1568, pixels=1_150_000),
    "gpt": Fit(2000, short_side=768),
    "gemini": Fit(1536),
}


def fit(model: Model | None, max_side: int) -> Fit:
    """Return the limits for a model, within a longest side."""
    if model is None:
        return Fit(max_side)
    return FITS[model]._replace(side=min(FITS[model].side, max_side))
