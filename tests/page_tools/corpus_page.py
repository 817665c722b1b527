"""Uses the page tools of a corpus page as an agent does: through the actions of the runner."""

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from tabwright.call import Answer
from tabwright.errors import TabwrightError
from tests.calls import Do
from tests.page_tools.corpus import Call, Page, State
from tests.page_tools.scoring import Match, Offered, matches

_TIMEOUT = 3.0  # seconds that a page gets to show the effect of a call
_VALUE = "(e => e.isContentEditable ? e.textContent : e.type === 'checkbox' ? e.checked : e.value)(document.querySelector(args[0]))"


class CorpusPage:
    """A page of the corpus, open in the tab of a session."""

    def __init__(self, do: Do, page: Page, url: str) -> None:
        self._do = do
        self._page = page
        self._url = url
        self._state: State | None = None  # the state that the page is in; None once a tool has been called

    async def list_tools(self) -> list[Offered]:
        """List the current tools of the page."""
        answer = await self._do("list_page_tools")
        tools = answer.result.model_dump()["tools"]
        return [Offered(tool["name"], tool["description"], tool["schema"]) for tool in tools]

    async def reach(self, state: State) -> None:
        """Bring the page into a state: reload it and run the steps, unless it is there already."""
        if self._state is state:
            return
        self._state = None
        await self._do("navigate", url=self._url)
        for step in state.after:
            await self._step(step)
        self._state = state

    async def faults(self, state: State, match: Match, call: Call) -> list[str]:
        """Call a tool in a state of the page; return where its effect differs from what is expected."""
        await self.reach(state)
        self._state = None
        for step in call.before:
            await self._step(step)
        text, error = await self._call(match, call)
        found = list(_compare_answer(call, text, error))
        if not found:
            found = [fault async for fault in self._check_page(call)]
        shown = ", ".join(f"{key}={value!r}" for key, value in call.arguments.items())
        return [f"{match.offered.name}({shown}): {fault}" for fault in found]

    async def _step(self, step: Mapping[str, Any]) -> None:
        """Run one step towards a state; it must succeed."""
        tool = self._page.tool(step["name"])
        alone = State(after=(), tools=(tool,), optional=(), never=(), most=20)
        found = matches(alone, await self.list_tools())
        assert found, f"{step['name']} is not offered"
        await self._run(found[0], step.get("arguments", {}))

    async def _call(self, match: Match, call: Call) -> tuple[str, TabwrightError | None]:
        arguments = next(
            (given for given in (call.arguments, *call.alternatives) if _matches_types(match, given)), {}
        )
        try:
            return (await self._run(match, arguments)).text, None
        except TabwrightError as error:
            return str(error), error

    async def _run(self, match: Match, arguments: Mapping[str, Any]) -> Answer:
        given = {
            match.keys.get(key, key): _resolve_index(value, match, match.keys.get(key, key))
            for key, value in arguments.items()
        }
        return await self._do("call_page_tool", name=match.offered.name, arguments=given)

    async def _check_page(self, call: Call) -> AsyncIterator[str]:
        """Check the page for what must and what must not be there."""
        for words in call.sees:
            if not await self._succeeds("wait_for_text", text=words):
                yield f"the page does not show {words!r}"
        for words in call.unseen:
            if not await self._succeeds("wait_for_text", text=words, gone=True):
                yield f"the page shows {words!r}"
        if call.url and not await self._succeeds(
            "wait_for_script", script=f"location.href.includes({call.url!r})"
        ):
            yield f"the URL does not contain {call.url}"
        for selector, wanted in call.values.items():
            value = (await self._do("evaluate", script=_VALUE, args=[selector])).result.model_dump()["value"]
            if value != wanted:
                yield f"{selector} has the value {value!r}"

    async def _succeeds(self, action: str, **args: Any) -> bool:
        try:
            await self._do(action, timeout=_TIMEOUT, **args)
        except TabwrightError:
            return False
        return True


def _compare_answer(call: Call, text: str, error: TabwrightError | None) -> Iterator[str]:
    """Compare the answer or the error with what is expected."""
    if error is None and call.fails and not call.either:
        yield f"should fail with {call.fails}, returns {text[:200]!r}"
    if error is not None and not _may_fail(call, error):
        yield f"fails: {type(error).__name__}: {text[:300]}"
    if error is None or not call.either:
        yield from (
            f"does not contain {words!r}, but {text[:300]!r}" for words in call.says if words not in text
        )
    yield from (f"reveals {words!r}" for words in call.silent if words in text)


def _may_fail(call: Call, error: TabwrightError) -> bool:
    """Whether a failure is expected: where the page rejects values, the call may fail too."""
    if not call.fails:
        return call.either or (bool(call.says) and not call.sees)
    return call.fails == "*" or error.kind.__name__ in call.fails.split("|")


def _matches_types(match: Match, arguments: Mapping[str, Any]) -> bool:
    """Whether the arguments have the types that the tool takes: an index where it takes a number."""
    for key, value in arguments.items():
        kind = match.offered.properties.get(match.keys.get(key, key), {}).get("type")
        if isinstance(value, str) and (kind == "integer") != value.startswith("nth ") and kind is not None:
            return False
    return True


def _resolve_index(value: Any, match: Match, key: str) -> Any:
    """Convert "nth 2" to the tool's index of the second item."""
    if isinstance(value, str) and value.startswith("nth "):
        first: int = match.offered.properties.get(key, {}).get("minimum", 1)
        return int(value.removeprefix("nth ")) - 1 + first
    return value
