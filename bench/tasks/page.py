"""A page as an oracle uses it: it looks, acts by refs, and everything it reads is counted."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from bench.mcp.client import Client, ServerFailed, ToolCall, tool_call
from bench.mcp.running_server import tokens
from bench.tasks.screen import Item, Screen, Test, parse_our_report, parse_ours, parse_theirs


class NotSeenError(Exception):
    """Something that the oracle needs is not in the snapshot."""


@dataclass(frozen=True)
class Moves:
    """The tools of one server, as functions of refs."""

    snapshot: ToolCall
    parse: Callable[[str], list[Item]]
    parse_report: Callable[[str], list[tuple[str, Item]]]
    click: Callable[[str], list[ToolCall]]
    fill: Callable[[str, str], list[ToolCall]]
    type: Callable[[str, str], list[ToolCall]]
    press: Callable[[str, str], list[ToolCall]]
    select: Callable[[str, str], list[ToolCall]]
    select_many: Callable[[str, list[str]], list[ToolCall]]
    hover: Callable[[str], list[ToolCall]]
    drag: Callable[[str, str], list[ToolCall]]
    scroll: Callable[[str, str], list[ToolCall]]


def _more(action: str, **args: object) -> ToolCall:
    return tool_call("browser_more", action=action, args=args)


OUR_MOVES = Moves(
    snapshot=tool_call("browser_snapshot"),
    parse=parse_ours,
    parse_report=parse_our_report,
    click=lambda ref: [tool_call("browser_click", selector=ref)],
    fill=lambda ref, text: [tool_call("browser_fill", selector=ref, value=text)],
    type=lambda ref, text: [_more("type_text", text=text, **({"target": ref} if ref else {}))],
    press=lambda ref, key: [tool_call("browser_press", key=key, **({"selector": ref} if ref else {}))],
    select=lambda ref, text: [tool_call("browser_fill", selector=ref, value=text)],
    select_many=lambda ref, texts: [_more("select_option", target=ref, options=texts)],
    hover=lambda ref: [_more("hover", target=ref)],
    drag=lambda ref, to: [_more("drag", target=ref, to=to)],
    scroll=lambda ref, direction: [
        tool_call("browser_scroll", selector=ref, direction=direction, pixels=5_000)
    ],
)


def _focus_and_press(ref: str, key: str) -> list[ToolCall]:
    focus = [tool_call("agent_browser_focus", selector=f"@{ref}")] if ref else []
    return [*focus, tool_call("agent_browser_press", key=key)]


AGENT_BROWSER_MOVES = Moves(
    snapshot=tool_call("agent_browser_snapshot", interactive=False),
    parse=parse_theirs,
    parse_report=lambda _: [],
    click=lambda ref: [tool_call("agent_browser_click", selector=f"@{ref}")],
    fill=lambda ref, text: [tool_call("agent_browser_fill", selector=f"@{ref}", text=text)],
    type=lambda ref, text: [tool_call("agent_browser_type", selector=f"@{ref}", text=text)],
    press=_focus_and_press,
    select=lambda ref, text: [tool_call("agent_browser_select", selector=f"@{ref}", values=[text])],
    select_many=lambda ref, texts: [tool_call("agent_browser_select", selector=f"@{ref}", values=texts)],
    hover=lambda ref: [tool_call("agent_browser_hover", selector=f"@{ref}")],
    drag=lambda ref, to: [tool_call("agent_browser_drag", source=f"@{ref}", target=f"@{to}")],
    scroll=lambda ref, direction: [
        tool_call("agent_browser_scroll", selector=f"@{ref}", direction=direction, amount=5_000)
    ],
)

PLAYWRIGHT_MOVES = Moves(
    snapshot=tool_call("browser_snapshot"),
    parse=parse_theirs,
    parse_report=lambda _: [],
    click=lambda ref: [tool_call("browser_click", target=ref)],
    fill=lambda ref, text: [tool_call("browser_type", target=ref, text=text)],
    type=lambda ref, text: [tool_call("browser_type", target=ref, text=text, slowly=True)],
    press=lambda ref, key: [
        *([tool_call("browser_click", target=ref)] if ref else []),
        tool_call("browser_press_key", key=key),
    ],
    select=lambda ref, text: [tool_call("browser_select_option", target=ref, values=[text])],
    select_many=lambda ref, texts: [tool_call("browser_select_option", target=ref, values=texts)],
    hover=lambda ref: [tool_call("browser_hover", target=ref)],
    drag=lambda ref, to: [tool_call("browser_drag", startTarget=ref, endTarget=to)],
    scroll=lambda _, direction: [
        tool_call("browser_press_key", key="Control+End" if direction == "down" else "Control+Home")
    ],
)


@dataclass
class Page:
    """One episode."""

    client: Client
    moves: Moves
    script: ToolCall
    """Evaluates in the page; what the oracle knows without looking is not counted."""
    goal: str = ""
    screen: Screen = field(default_factory=Screen)
    calls: int = 0
    tokens: float = 0
    first: float = 0
    """Tokens of the first snapshot."""
    looks_after: int = 0
    """Snapshots that were needed after an action."""
    acted: bool = False
    log: list[str] = field(default_factory=list)

    def goal_parts(self, pattern: str) -> tuple[str, ...]:
        """Return the groups of a pattern in the goal."""
        found = re.search(pattern, self.goal)
        if not found:
            raise NotSeenError(f"unknown goal: {self.goal}")
        return tuple(each or "" for each in found.groups())

    async def know(self, expression: str) -> str:
        """Return what the oracle knows about the goal."""
        text = await self.client.call(self.script.fill_in(script=f"'\u00a7' + ({expression}) + '\u00a7'"))
        found = re.search("\u00a7(.*?)\u00a7", text, re.DOTALL)
        if not found:
            raise NotSeenError(f"the script returned {text[:100]}")
        return re.sub(r"\\(.)", r"\1", found[1])

    async def look(self) -> None:
        """Take a snapshot."""
        if self.acted:
            self.looks_after += 1
        text = await self._call(self.moves.snapshot)
        self.first = self.first or tokens(text)
        self.screen.show(self.moves.parse(text))

    async def all(self, test: Test, least: int = 1) -> list[Item]:
        """Return the items that pass a test; look again if there are too few."""
        if len(found := self.screen.matching(test)) >= least:
            return found
        if not self.log or self.acted:
            await self.look()
            found = self.screen.matching(test)
        return found

    async def one(self, test: Test, nth: int = 0) -> Item:
        """Return the first item that passes a test, or a later one.

        Raises:
            NotSeenError: it is not on the page.
        """
        found = await self.all(test, nth + 1 if nth >= 0 else 1)
        if not found or len(found) <= nth:
            raise NotSeenError(f"not seen: item {nth} of {len(found)}")
        return found[nth]

    async def click(self, item: Item) -> None:
        """Click it."""
        await self._act(self.moves.click(item.ref))

    async def fill(self, item: Item, text: str) -> None:
        """Type a text into it."""
        await self._act(self.moves.fill(item.ref, text))

    async def type(self, item: Item | None, text: str) -> None:
        """Type key by key."""
        await self._act(self.moves.type(item.ref if item else "", text))

    async def press(self, key: str, item: Item | None = None) -> None:
        """Press a key."""
        await self._act(self.moves.press(item.ref if item else "", key))

    async def select(self, item: Item, text: str) -> None:
        """Choose an option."""
        await self._act(self.moves.select(item.ref, text))

    async def select_many(self, item: Item, texts: list[str]) -> None:
        """Choose several options."""
        await self._act(self.moves.select_many(item.ref, texts))

    async def hover(self, item: Item) -> None:
        """Move the pointer over it."""
        await self._act(self.moves.hover(item.ref))

    async def drag(self, item: Item, to: Item) -> None:
        """Drag it onto another one."""
        await self._act(self.moves.drag(item.ref, to.ref))

    async def scroll(self, item: Item, direction: str) -> None:
        """Scroll it to its end."""
        await self._act(self.moves.scroll(item.ref, direction))

    async def _act(self, tool_calls: list[ToolCall]) -> None:
        for each in tool_calls:
            text = await self._call(each)
            self.screen.update(self.moves.parse_report(text))
        self.acted = True

    async def _call(self, use: ToolCall) -> str:
        self.calls += 1
        try:
            text = await self.client.call(use)
        except ServerFailed as failure:
            self.log.append(f"> {use.tool} {json.dumps(use.arguments)}\n{failure}")
            self.tokens += tokens(str(failure))
            raise
        self.log.append(f"> {use.tool} {json.dumps(use.arguments)}\n{text}")
        self.tokens += tokens(text)
        return text
