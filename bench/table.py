"""Aligns the columns of text tables."""

from collections.abc import Iterator, Sequence


def align_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Make each column as wide as its widest cell; the first is aligned left, the others right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        first, *others = zip(row, widths, strict=True)
        yield "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]).rstrip()
