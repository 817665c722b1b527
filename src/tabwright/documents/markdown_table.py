"""A table as Markdown, with its first row as the header."""

from collections.abc import Iterator, Sequence


def render_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as a Markdown table; rows of different lengths are filled up."""
    return "\n".join(_lines(rows))


def _lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    width = max(map(len, rows), default=0)
    for place, row in enumerate(rows):
        cells = [" ".join(cell.split()).replace("|", "\\|") for cell in row]
        yield f"| {' | '.join([*cells, *[''] * (width - len(cells))])} |"
        if place == 0:
            yield f"|{' --- |' * width}"
