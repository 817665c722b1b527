"""Runs the parts and prints the figures and misses of each as soon as it is done."""

import argparse
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio

from bench.corpora import articles, forms, names, tables
from bench.corpora.result import Measured
from bench.corpora.site import Corpus, open_corpus
from bench.progress import report_progress
from bench.results.files import CORPORA, write_documents

# Each part reads one folder of the corpora, or brings its own pages.
PARTS: dict[str, Callable[[Corpus], Awaitable[Measured]]] = {
    "names": names.measure,
    "forms": forms.measure,
    "articles": articles.measure,
    "tables": tables.measure,
}


def main() -> None:
    """Read the arguments, measure, print, and write the results of a complete run."""
    parser = argparse.ArgumentParser(prog="bench.corpora", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of the corpora")
    parser.add_argument("--only", choices=[*PARTS], help="only this part")
    args = parser.parse_args()
    if not args.folder.is_dir():
        parser.error(f"{args.folder} is not a folder. Set CORPORA to the folder of the corpora.")
    results = anyio.run(_run, args.folder.resolve(), [args.only] if args.only else [*PARTS])
    if not args.only:
        CORPORA.write_text(json.dumps({name: part.json() for name, part in results.items()}, indent=1) + "\n")
        write_documents()


async def _run(folder: Path, names: list[str]) -> dict[str, Measured]:
    results = {}
    async with open_corpus(folder) as corpus:
        for name in names:
            report_progress(name)
            results[name] = await PARTS[name](corpus)
            print(f"{name}\n{results[name]}\n", flush=True)
    return results


if __name__ == "__main__":
    main()
