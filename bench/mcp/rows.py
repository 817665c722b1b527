"""One row of the tables: what each server needed for the same operation, and our budget."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bench.mcp.peers import AGENT_BROWSER, DEVTOOLS, OURS, PLAYWRIGHT
from bench.measure import Samples, p50

Kind = Literal["ms", "CPU ms", "tokens", "calls", "kB", "MB"]


@dataclass(frozen=True)
class Aim:
    """Our budget: an absolute limit, and limits relative to what others need."""

    most: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict)


def aim(most: float | None = None, **parts: float) -> Aim:
    """Make an `Aim`; peers are named by short names, `each` means all."""
    short = {"playwright": PLAYWRIGHT, "devtools": DEVTOOLS, "agent_browser": AGENT_BROWSER}
    return Aim(most, {name: parts.get(word, parts.get("each", 0)) for word, name in short.items()})


@dataclass(frozen=True)
class Row:
    """Samples of each server that succeeded: seconds, tokens, calls or bytes."""

    name: str
    kind: Kind
    samples: Samples
    aim: Aim = Aim()

    def ratio(self, peer: str) -> float | None:
        """Our median divided by theirs."""
        if peer == OURS or not {peer, OURS} <= self.samples.keys() or not p50(self.samples[peer]):
            return None
        return p50(self.samples[OURS]) / p50(self.samples[peer])

    def missed(self) -> Sequence[str] | None:
        """Return the limits that we exceed; None if there is no budget or nothing to compare with."""
        readme_table = [(peer, part, self.ratio(peer)) for peer, part in self.aim.parts.items() if part]
        known = [(peer, part, ratio) for peer, part, ratio in readme_table if ratio is not None]
        if OURS not in self.samples or (self.aim.most is None and not known):
            return None
        over = self.aim.most is not None and p50(self.samples[OURS]) > self.aim.most
        return [*(["limit"] if over else []), *(peer for peer, part, ratio in known if ratio > part)]
