"""The source "recipe": the user's recipe files, read when they change and applied to the tools of a page."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tabwright.browser.tab import Tab
from tabwright.page_tools.recipes.model import Amendment, InvalidRecipe, Recipe, RecordedSequence, read_recipe
from tabwright.page_tools.recipes.replay import replay
from tabwright.page_tools.tool import Outcome, PageTool, Schema
from tabwright.text import format_count

log = logging.getLogger(__name__)

_PINNED = 1_000.0
_RANK = 150.0
_MAX_FILES = 200


class Recipes:
    """The user's recipes for the pages of one tab."""

    def __init__(self, tab: Tab, folder: Path | None) -> None:
        self._tab = tab
        self._folder = folder
        self._read: dict[tuple[str, int, int], Recipe | None] = {}
        self._notices: list[str] = []

    @property
    def revision(self) -> tuple[tuple[str, int, int], ...]:
        """Name, time and size of the recipe files; differs once a file has changed."""
        if self._folder is None:
            return ()
        try:
            files = sorted(self._folder.glob("*.toml"))[:_MAX_FILES]
            facts = [(path, path.stat()) for path in files if path.is_file()]
        except OSError:
            return ()
        return tuple((path.name, fact.st_mtime_ns, fact.st_size) for path, fact in facts)

    def take_notices(self) -> str:
        """Return what is wrong with recipe files, each notice once."""
        notice, self._notices = " ".join(self._notices), []
        return notice

    async def tools(self) -> list[PageTool]:
        """Return the recorded sequences for the page."""
        return [self._tool(recorded) for recipe in self._for_page() for recorded in recipe.sequence]

    def apply_amendments(self, tools: Iterable[PageTool]) -> list[PageTool]:
        """Rename, describe, pin or leave out tools as the user's recipes say."""
        amendments = {one.name: one for recipe in self._for_page() for one in recipe.tool}
        return [
            _amend(tool, amendments[tool.name]) if tool.name in amendments else tool
            for tool in tools
            if tool.name not in amendments or not amendments[tool.name].hide
        ]

    def _for_page(self) -> list[Recipe]:
        self._refresh()
        url = self._tab.url
        return [recipe for recipe in self._read.values() if recipe is not None and recipe.applies_to(url)]

    def _refresh(self) -> None:
        """Read the files that are new or have changed."""
        if self._folder is None:
            return
        folder = self._folder
        self._read = {
            file: self._read[file] if file in self._read else self._try_to_read(folder / file[0])
            for file in self.revision
        }

    def _try_to_read(self, path: Path) -> Recipe | None:
        try:
            return read_recipe(path)
        except InvalidRecipe as error:
            log.warning("ignoring a recipe: %s", error)
            self._notices.append(f"A recipe was ignored: {error}.")
            return None

    def _tool(self, recorded: RecordedSequence) -> PageTool:
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

    async def _run(self, recorded: RecordedSequence, arguments: Mapping[str, Any]) -> Outcome:
        return await replay(self._tab, recorded, {name: str(value) for name, value in arguments.items()})


def _amend(tool: PageTool, amendment: Amendment) -> PageTool:
    return replace(
        tool,
        name=amendment.rename or tool.name,
        description=amendment.describe or tool.description,
        rank=tool.rank + _PINNED if amendment.pin else tool.rank,
    )


def _schema(recorded: RecordedSequence) -> Schema:
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
