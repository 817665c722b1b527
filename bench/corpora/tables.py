"""Real tables: are their cells right, and is each under the right key?

tables.toml lists them. Expected are the records of a second implementation (html_table.py).
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.corpora.html_table import read_records, squeeze
from bench.corpora.packages import FOLDER, fetch_package
from bench.corpora.result import Figure, Measured
from bench.corpora.site import Corpus, serve_folder
from tabwright.actions.extract import Records
from tabwright.browser.snapshot.tables import Record
from tabwright.errors import TabwrightError

_LIST = Path(__file__).with_suffix(".toml")


@dataclass
class _Comparison:
    """Counts cells, and lists those that differ."""

    misses: list[str] = field(default_factory=list)
    tables: int = 0
    skipped: int = 0
    cells: int = 0
    right: int = 0
    under_key: int = 0

    def add(self, label: str, expected: list[Record], found: list[Record]) -> None:
        """Compare the records of one table."""
        self.tables += 1
        if len(found) != len(expected):
            self.misses.append(f"{label}: {len(expected)} rows expected, {len(found)} found")
        for number, record in enumerate(expected):
            row = found[number] if number < len(found) else {}
            self._add_row(f"{label} row {number + 1}", record, row)

    def _add_row(self, label: str, expected: Record, found: Record) -> None:
        values = list(found.values())
        for key, value in expected.items():
            self.cells += 1
            self.right += value in values
            self.under_key += found.get(key) == value
            if found and found.get(key) != value:
                self.misses.append(f"{label}: {key!r} is {found.get(key)!r}, not {value!r}"[:300])

    def measured(self) -> Measured:
        """The figures."""
        cells = max(self.cells, 1)
        figures = [
            Figure("cells right", self.right / cells, 1.0, self.cells),
            Figure("cells under the right key", self.under_key / cells, 1.0, self.cells),
            Figure(
                "tables available here", self.tables / max(1, self.tables + self.skipped), None, self.tables
            ),
        ]
        return Measured(figures, self.misses)


async def measure(corpus: Corpus) -> Measured:
    """Extract each table of the list and compare every cell."""
    comparison = _Comparison()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with serve_folder(FOLDER) as packages:
        for entry in tomllib.loads(_LIST.read_text())["table"]:
            file, url = _locate(corpus, packages, entry)
            if file is None or not file.is_file():
                comparison.skipped += 1
                comparison.misses.append(f"skipped: {entry['source']} {entry['file']} is not available here")
                continue
            expected = read_records(file, entry["index"])
            found = await _extract(corpus, url, entry["index"])
            comparison.add(f"{file.name} table {entry['index']}", expected, found)
    return comparison.measured()


def _locate(corpus: Corpus, packages: str, entry: dict[str, Any]) -> tuple[Path | None, str]:
    """Return the file of a table and its URL; no file if its package is not available."""
    if entry["source"] == "corpus":
        return corpus.folder / entry["file"], corpus.url(entry["file"])
    folder = fetch_package(entry["source"])
    return (folder / entry["file"], f"{packages}/{folder.name}/{entry['file']}") if folder else (None, "")


async def _extract(corpus: Corpus, url: str, index: int) -> list[Record]:
    await corpus.do("navigate", url=url)
    try:
        answer = await corpus.do("extract", target=f"xpath=(//table)[{index + 1}]", kind="table")
    except TabwrightError:
        return []
    assert isinstance(answer.result, Records)
    return [{squeeze(key): squeeze(value) for key, value in row.items()} for row in answer.result.rows]
