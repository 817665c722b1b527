"""Long outputs that a session stores for `more` and `find`: the latest ones, up to a total size."""

import itertools
from collections import OrderedDict

from tabwright.errors import NotFound

_MAX_OUTPUTS = 20
_MAX_BYTES = 500_000


class LongOutputs:
    """Outputs that were too long for one answer. The latest one is always stored, however large."""

    def __init__(self) -> None:
        # One bytes object each: a string per line takes twice the memory.
        self._stored: OrderedDict[str, bytes] = OrderedDict()
        self._numbers = itertools.count(1)

    def store(self, lines: list[str]) -> str:
        """Store an output; return its name."""
        name = f"o{next(self._numbers)}"
        self._stored[name] = "\n".join(lines).encode(errors="surrogatepass")
        while len(self._stored) > 1 and self._too_large:
            self._stored.popitem(last=False)
        return name

    def lines(self, name: str) -> list[str]:
        """Return a stored output.

        Raises:
            NotFound: it was dropped for newer ones, or never existed.
        """
        if name not in self._stored:
            raise NotFound(f"Output {name} is no longer stored.", hint="Run the action again.")
        return self._stored[name].decode(errors="surrogatepass").split("\n")

    @property
    def _too_large(self) -> bool:
        return len(self._stored) > _MAX_OUTPUTS or sum(map(len, self._stored.values())) > _MAX_BYTES
