"""What an agent does: rounds of mixed work in a session, including mistakes."""

import random
from collections import Counter
from itertools import count

import anyio

from bench.pages import BUTTON, FIELD
from bench.soak.clients import Caller

_PAGES = ("article", "links", "form", "table", "products", "app", "frames")
_MORE = ("screenshot", "read", "find", "evaluate", "press", "tabs", "back")
# After this many rounds, the session is closed.
_CLOSE_EVERY = 15


class Tally:
    """The calls that were made, and those that did not end as expected."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.unexpected: list[str] = []

    @property
    def total(self) -> int:
        return self.calls.total()


class Worker:
    """One client's work in one session."""

    def __init__(self, call: Caller, session: str, site: str, tally: Tally) -> None:
        self._call = call
        self._session = session
        self._site = site
        self._tally = tally
        self._chance = random.Random(session)

    async def work(self, end: float) -> None:
        """Do rounds until the end."""
        for number in count(1):
            if anyio.current_time() > end:
                return
            await self._round()
            if number % _CLOSE_EVERY == 0:
                await self._do("close_session", name=self._session)

    async def _round(self) -> None:
        page = self._chance.choice(_PAGES)
        await self._do("navigate", url=f"{self._site}/{page}")
        await self._do("snapshot")
        await self._do("click", target=f"text={BUTTON} >> nth=0")
        await self._do(
            "fill", target=f"label={FIELD} >> nth=0", value="soaked " * self._chance.randint(1, 20)
        )
        await self._do("click", works=False, target="#missing", timeout=0.2)
        for action in self._chance.sample(
            ["screenshot", "read", "find", "evaluate", "press", "tabs", "back"], 3
        ):
            await self._some(action)

    async def _some(self, action: str) -> None:
        if action == "screenshot":
            await self._do("screenshot", full_page=self._chance.random() < 0.3)
        elif action == "find":
            await self._do("find", text="amber")
        elif action == "evaluate":
            await self._do("evaluate", script="document.querySelectorAll('*').length")
        elif action == "press":
            await self._do("press", key="Tab")
        elif action == "tabs":
            await self._tabs()
        else:
            await self._do(action, works=None)

    async def _tabs(self) -> None:
        """Open a tab and close it."""
        _, text = await self._do("new_tab", url=f"{self._site}/article")
        current = next((line.split()[0] for line in text.splitlines() if "(current)" in line), "")
        if current:
            await self._do("close_tab", id=current)

    async def _do(self, action: str, *, works: bool | None = True, **args: object) -> tuple[bool, str]:
        """Call an action that must work, must fail (False), or may do either (None)."""
        worked, text = await self._call(action, self._session, **args)
        self._tally.calls[action] += 1
        if works is not None and worked is not works:
            self._tally.unexpected.append(f"{self._session} {action}: {text[:300]}")
        return worked, text
