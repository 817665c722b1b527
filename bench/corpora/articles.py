"""How well `read` finds the main text of articles: F1 of the words, and of runs of four words.

The texts of the readability collection are what Mozilla's Readability returns for these pages; those of the
scrapinghub collection were marked by people.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from itertools import islice
from typing import Any, NamedTuple

from bench.corpora.result import Figure, Measured
from bench.corpora.site import Corpus
from tabwright.actions.extract import Text
from tabwright.browser.snapshot.nodes import words

_TARGET = 0.965
_MISS = 0.9
_RUN = 4
_WORD = re.compile(r"\w+")
_INLINE = words("a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s small span strong sub sup u")
_ADDRESS = re.compile(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)")

_NUMBER = re.compile(r"^[ >]*\d+\. ", re.MULTILINE)


class _Article(NamedTuple):
    """A page and the text of its article."""

    path: str
    text: str


class _Score(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float

    def __str__(self) -> str:
        return f"F1 {self.f1:.3f}, precision {self.precision:.3f}, recall {self.recall:.3f}"

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


async def measure(corpus: Corpus) -> Measured:
    """Read every article of both collections."""
    measured = Measured()
    for name, articles in (("readability", _readability(corpus)), ("scrapinghub", _scrapinghub(corpus))):
        by_word, by_run = [], []
        for article in articles:
            found = await _read(corpus, article)
            by_word.append(score := _compare(_words(found), _words(article.text)))
            by_run.append(_compare(_runs(found), _runs(article.text)))
            if score.f1 < _MISS:
                measured.misses.append(f"{article.path}: {score}")
        measured.figures += _figures(name, by_word, by_run)
    return measured


def _figures(name: str, by_word: list[_Score], by_run: list[_Score]) -> Iterator[Figure]:
    cases = len(by_word)
    yield Figure(f"{name}: F1 of words", _mean(score.f1 for score in by_word), _TARGET, cases)
    yield Figure(f"{name}: precision", _mean(score.precision for score in by_word), None, cases)
    yield Figure(f"{name}: recall", _mean(score.recall for score in by_word), None, cases)
    # As the authors of the scrapinghub collection compute it: from the means.
    means = _Score(_mean(score.precision for score in by_run), _mean(score.recall for score in by_run))
    yield Figure(f"{name}: F1 of runs of four words", means.f1, None, cases)


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return sum(known) / len(known) if known else 0.0


def _readability(corpus: Corpus) -> Iterator[_Article]:
    for page in sorted((corpus.folder / "articles/readability").iterdir()):
        expected = (page / "expected.html").read_text(encoding="utf-8")
        yield _Article(f"articles/readability/{page.name}/source.html", _text_of_html(expected))


def _scrapinghub(corpus: Corpus) -> Iterator[_Article]:
    truth = json.loads((corpus.folder / "articles/scrapinghub/ground-truth.json").read_text(encoding="utf-8"))
    for name, facts in sorted(truth.items()):
        yield _Article(f"articles/scrapinghub/{name}.html", facts["articleBody"])


async def _read(corpus: Corpus, article: _Article) -> str:
    """Return the whole text that `read` finds, without the addresses of links."""
    await corpus.do("navigate", url=corpus.url(article.path))
    answer = await corpus.do("read")
    return _strip_markdown(answer.result.text) if isinstance(answer.result, Text) else ""


def _strip_markdown(text: str) -> str:
    return _NUMBER.sub("", _ADDRESS.sub("]", text))


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.lower()))


def _runs(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    runs = Counter(zip(*(islice(words, start, None) for start in range(_RUN)), strict=False))
    return runs or Counter([tuple(words)])


def _compare(found: Counter[Any], expected: Counter[Any]) -> _Score:
    common = (found & expected).total()
    return _Score(common / (found.total() or 1), common / (expected.total() or 1))


class _TextParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in _INLINE:
            self.pieces.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self.handle_starttag(tag, None)

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)


def _text_of_html(html: str) -> str:
    parser = _TextParser()
    parser.feed(html)
    return "".join(parser.pieces)
