"""How the time and the memory of a snapshot grow with the page."""

import tracemalloc
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from bench.measure import Samples, interleave, p50, time_after
from bench.peer import Page, change

SIZES = (100, 500, 2_000, 10_000, 50_000)


@dataclass(frozen=True)
class Step:
    """One size of page."""

    elements: int
    samples: Samples
    letters: Mapping[str, int]
    heap_kept: Mapping[str, int]  # bytes that snapshots leave in the page's heap after garbage collection
    python_peak: Mapping[str, int]  # peak memory of this process during one snapshot

    def seconds(self, peer: str) -> float:
        """The median time of a snapshot."""
        return p50(self.samples[peer])


async def growth(pages: Mapping[str, Page], site: str) -> AsyncIterator[Step]:
    """Take snapshots of larger and larger pages of the same content."""
    for size in SIZES:
        for page in pages.values():
            await page.navigate(f"{site}/grow/{size}")
        before = {peer: await page.heap() for peer, page in pages.items()}
        samples = await interleave(
            {peer: time_after(change(page), page.snapshot) for peer, page in pages.items()},
            repeat=8,
            seconds=8,
        )
        later = {peer: await page.heap() for peer, page in pages.items()}
        peaks, letters = {}, {}
        for peer, page in pages.items():
            peaks[peer], letters[peer] = await _peak(page)
        elements = await next(iter(pages.values())).evaluate("document.querySelectorAll('*').length")
        heap_growth = {peer: later[peer] - before[peer] for peer in pages}
        yield Step(elements, samples, letters, heap_growth, peaks)


async def _peak(page: Page) -> tuple[int, int]:
    await change(page)()
    tracemalloc.start()
    try:
        snapshot = await page.snapshot()
        return tracemalloc.get_traced_memory()[1], len(snapshot)
    finally:
        tracemalloc.stop()
