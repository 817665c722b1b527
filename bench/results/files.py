"""The files of the results: the two .json files hold the figures, the others are derived from them."""

import json
import re
from pathlib import Path
from typing import Any

from bench.results.document import document, readme_table
from bench.results.plot import plot

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "bench" / "results.json"
CORPORA = ROOT / "bench" / "corpora.json"
_README = ROOT / "README.md"
# The part of the README that is generated.
_GENERATED = re.compile(r"(?<=<!-- bench -->\n).*?(?=<!-- /bench -->)", re.DOTALL)

Figures = dict[str, Any]


def write(figures: Figures) -> None:
    """Store the figures of a complete run, and write the documents."""
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n")
    write_documents()


def write_documents() -> None:
    """Write every file that is derived from the stored figures."""
    for path, text in files().items():
        path.write_text(text)


def files() -> dict[Path, str]:
    """Return the text of each derived file."""
    if not FIGURES.exists():
        return {}
    figures = json.loads(FIGURES.read_text())
    corpora = json.loads(CORPORA.read_text()) if CORPORA.exists() else {}
    readme = _README.read_text()
    return {
        ROOT / "bench" / "RESULTS.md": document(figures, corpora),
        ROOT / "bench" / "snapshots.svg": plot(figures["mcp"]["rows"]),
        _README: _GENERATED.sub(lambda _: readme_table(figures), readme),
    }
