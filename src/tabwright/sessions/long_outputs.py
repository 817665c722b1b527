"""Long outputs that a session keeps for reading on: the latest ones, within a bound."""

import itertools
from collections import OrderedDict

from tabwright.errors import NotFound

_MOST = 20
_MOST_BYTES = 500_000


class LongOutputs:
    """What was too long for one answer. The last one is kept whatever its size."""

    def __init__(self) -> None:
        # As one piece each: a string for every line takes twice the room.
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._numbers = itertools.count(1)

    def keep(self, lines: list[str]) -> str:
        """Keep an output; return its name."""
        name = f"o{next(self._numbers)}"
        self._kept[name] = "\n".join(lines).encode(errors="surrogatepass")
        while len(self._kept) > 1 and self._too_much:
            self._kept.popitem(last=False)
        return name

    def lines(self, name: str) -> list[str]:
        """Return what is kept under a name.

        Raises:
            NotFound: it made way for others, or there never was one.
        """
        if name not in self._kept:
            raise NotFound(f"Output {name} is not kept any more.", hint="Run the action again.")
        return self._kept[name].decode(errors="surrogatepass").split("\n")

    @property
    def _too_much(self) -> bool:
        return len(self._kept) > _MOST or sum(map(len, self._kept.values())) > _MOST_BYTES
