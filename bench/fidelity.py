"""How well our snapshots of the benchmark's pages agree with Chrome's own accessibility tree."""

from typing import NamedTuple

from bench.tabwright_peer import Tabwright
from tests.fidelity import compare

# Chrome takes many seconds for the tree of the largest page, which adds nothing new.
MAX_ELEMENTS = 20_000


class Fidelity(NamedTuple):
    """Precision: the share of our nodes that Chrome has. Recall: of Chrome's visible nodes, those we have."""

    precision: float
    recall: float


async def fidelities(peer: Tabwright, site: str, sizes: dict[str, int]) -> dict[str, Fidelity]:
    """Compare roles and names on every page that is not too large."""
    found = {}
    async with peer.launch() as opened:
        for name, size in sizes.items():
            if size <= MAX_ELEMENTS:
                await opened.page.navigate(f"{site}/{name}")
                agreement = await compare(opened.page.tab)
                found[name] = Fidelity(agreement.precision, agreement.recall)
    return found
