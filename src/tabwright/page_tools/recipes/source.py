"""The user's recipes: read whenever the files of their folder change, and applied to the tools of a page."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tabwright.browser.tab import Tab
from tabwright.page_tools.recipes.model import Amendment, Malformed, Recipe, Recorded, read_recipe
from tabwright.page_tools.recipes.replay import replay
from tabwright.page_tools.tool import Outcome, PageTool, Schema
from tabwright.text import format_count

log = logging.getLogger(__name__)

_PINNED = 1_000.0
_RANK = 150.0
_MOST_FILES = 200


class Recipes:
    """What the user's files say of the pages of one tab. `mark` is another once the files are."""

    def __init__(self, tab: Tab, folder: Path) -> None:
        self._tab = tab
        self._folder = folder
        self._read: dict[tuple[str, int, int], Recipe | None] = {}
        self._notices: list[str] = []

    @property
    def mark(self) -> tuple[tuple[str, int, int], ...]:
        """The files as they are now."""
        try:
            files = sorted(self._folder.glob("*.toml"))[:_MOST_FILES]
            facts = [(path, path.stat()) for path in files if path.is_file()]
        except OSError:
            return ()
        return tuple((path.name, fact.st_mtime_ns, fact.st_size) for path, fact in facts)

    def told(self) -> str:
        """Return what is wrong with files that were read since it was last asked, once."""
        notice, self._notices = " ".join(self._notices), []
        return notice

    async def tools(self) -> list[PageTool]:
        """Return the sequences that are for the page."""
        return [self._tool(recorded) for recipe in self._for_page() for recorded in recipe.sequence]

    def amended(self, tools: Iterable[PageTool]) -> list[PageTool]:
        """Return tools as the user wants them: named, described, pinned or left out."""
        wishes = {wish.name: wish for recipe in self._for_page() for wish in recipe.tool}
        return [
            _amended(tool, wishes[tool.name]) if tool.name in wishes else tool
            for tool in tools
            if tool.name not in wishes or not wishes[tool.name].hide
        ]

    def _for_page(self) -> list[Recipe]:
        self._refresh()
        url = self._tab.url
        return [recipe for recipe in self._read.values() if recipe is not None and recipe.is_for(url)]

    def _refresh(self) -> None:
        """Read the files that are new or other than when they were read."""
        now = self.mark
        self._read = {
            file: self._read[file] if file in self._read else self._tried(self._folder / file[0])
            for file in now
        }

    def _tried(self, path: Path) -> Recipe | None:
        try:
            return read_recipe(path)
        except Malformed as error:
            log.warning("a recipe is not used: %s", error)
            self._notices.append(f"A recipe is not used: {error}.")
            return None

    def _tool(self, recorded: Recorded) -> PageTool:
        return PageTool(
            name=recorded.name,
            description=recorded.describe
            or f"A recorded sequence of {format_count(len(recorded.step), 'step')}.",
            schema=_schema(recorded),
            source="recipe",
            frame=self._tab.main_frame.id,
            rank=_PINNED if recorded.pin else _RANK,
            run=partial(self._run, recorded),
        )

    async def _run(self, recorded: Recorded, arguments: Mapping[str, Any]) -> Outcome:
        return await replay(self._tab, recorded, {name: str(value) for name, value in arguments.items()})


def _amended(tool: PageTool, wish: Amendment) -> PageTool:
    return replace(
        tool,
        name=wish.rename or tool.name,
        description=wish.describe or tool.description,
        rank=tool.rank + _PINNED if wish.pin else tool.rank,
    )


def _schema(recorded: Recorded) -> Schema:
    properties: Schema = {}
    for name, one in recorded.parameters.items():
        properties[name] = {
            "type": "string",
            **({"description": one.describe} if one.describe else {}),
            **({"default": one.default} if one.default is not None and not one.secret else {}),
            **({"writeOnly": True} if one.secret else {}),
        }
    required = [name for name, one in recorded.parameters.items() if one.default is None]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
