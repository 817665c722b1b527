"""Works with the page tools of a tab as an agent does: through the actions of the runner."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import Any

from tabwright.call import Answer
from tabwright.errors import TabwrightError
from tests.page_tools.corpus import Call, Page, State
from tests.page_tools.scoring import Match, Offered, matches

Do = Callable[..., Awaitable[Answer]]
_PATIENCE = 3.0  # seconds for a page to show what came of a call
_VALUE = "(e => e.isContentEditable ? e.textContent : e.type === 'checkbox' ? e.checked : e.value)(document.querySelector(args[0]))"


class Desk:
    """One page of the corpus in the tab of a session."""

    def __init__(self, do: Do, page: Page, url: str) -> None:
        self._do = do
        self._page = page
        self._url = url
        self._untouched: State | None = (
            None  # the state that the page is in, as long as nothing was done to it
        )

    async def offered(self) -> list[Offered]:
        """List the tools of the page as it is now."""
        answer = await self._do("list_page_tools")
        tools = answer.result.model_dump()["tools"]
        return [Offered(tool["name"], tool["description"], tool["schema"]) for tool in tools]

    async def reach(self, state: State) -> None:
        """Open the page anew, unless it is as it was, and do what leads to a state of it."""
        if self._untouched is state:
            return
        self._untouched = None
        await self._do("navigate", url=self._url)
        for step in state.after:
            await self._step(step)
        self._untouched = state

    async def faults(self, state: State, match: Match, call: Call) -> list[str]:
        """Call a tool in a state of the page and tell what of its effect is not as expected."""
        await self.reach(state)
        self._untouched = None
        for step in call.before:
            await self._step(step)
        text, error = await self._called(match, call)
        told = list(_misfit(call, text, error))
        if not told:
            told = [fault async for fault in self._unlike(call)]
        shown = ", ".join(f"{key}={value!r}" for key, value in call.arguments.items())
        return [f"{match.offered.name}({shown}): {fault}" for fault in told]

    async def _step(self, step: Mapping[str, Any]) -> None:
        """Do one call of those that lead somewhere; it must succeed."""
        tool = self._page.tool(step["name"])
        alone = State(after=(), tools=(tool,), optional=(), never=(), most=20)
        found = matches(alone, await self.offered())
        assert found, f"{step['name']} is not offered"
        await self._run(found[0], step.get("arguments", {}))

    async def _called(self, match: Match, call: Call) -> tuple[str, TabwrightError | None]:
        arguments = next(
            (given for given in (call.arguments, *call.alternatives) if _suits(match, given)), {}
        )
        try:
            return (await self._run(match, arguments)).text, None
        except TabwrightError as error:
            return str(error), error

    async def _run(self, match: Match, arguments: Mapping[str, Any]) -> Answer:
        given = {
            match.keys.get(key, key): _meant(value, match, match.keys.get(key, key))
            for key, value in arguments.items()
        }
        return await self._do("call_page_tool", name=match.offered.name, arguments=given)

    async def _unlike(self, call: Call) -> AsyncIterator[str]:
        """Look at the page for what must and what must not be there."""
        for words in call.sees:
            if not await self._comes("wait_for_text", text=words):
                yield f"the page does not show {words!r}"
        for words in call.unseen:
            if not await self._comes("wait_for_text", text=words, gone=True):
                yield f"the page shows {words!r}"
        if call.url and not await self._comes(
            "wait_for_script", script=f"location.href.includes({call.url!r})"
        ):
            yield f"the address does not hold {call.url}"
        for selector, wanted in call.values.items():
            value = (await self._do("evaluate", script=_VALUE, args=[selector])).result.model_dump()["value"]
            if value != wanted:
                yield f"{selector} holds {value!r}"

    async def _comes(self, action: str, **args: Any) -> bool:
        try:
            await self._do(action, timeout=_PATIENCE, **args)
        except TabwrightError:
            return False
        return True


def _misfit(call: Call, text: str, error: TabwrightError | None) -> Iterator[str]:
    """Compare the answer, or the error, with what is expected of it."""
    if error is None and call.fails and not call.either:
        yield f"should fail with {call.fails}, says {text[:200]!r}"
    if error is not None and not _may_fail(call, error):
        yield f"fails: {type(error).__name__}: {text[:300]}"
    if error is None or not call.either:
        yield from (f"does not say {words!r}, but {text[:300]!r}" for words in call.says if words not in text)
    yield from (f"tells {words!r}" for words in call.silent if words in text)


def _may_fail(call: Call, error: TabwrightError) -> bool:
    """Whether a failure is right: where the page refuses, the call may fail too."""
    if not call.fails:
        return call.either or (bool(call.says) and not call.sees)
    return call.fails == "*" or error.kind.__name__ in call.fails.split("|")


def _suits(match: Match, arguments: Mapping[str, Any]) -> bool:
    """Whether the arguments are of the kind that the tool takes: an index where it wants a number."""
    for key, value in arguments.items():
        kind = match.offered.properties.get(match.keys.get(key, key), {}).get("type")
        if isinstance(value, str) and (kind == "integer") != value.startswith("nth ") and kind is not None:
            return False
    return True


def _meant(value: Any, match: Match, key: str) -> Any:
    """Turn "nth 2" into the number that the tool has for the second."""
    if isinstance(value, str) and value.startswith("nth "):
        first: int = match.offered.properties.get(key, {}).get("minimum", 1)
        return int(value.removeprefix("nth ")) - 1 + first
    return value
