"""Tools found by looking at the page: what its frames tell, named, typed and tied to what runs them."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from tabwright.browser.page.frame import Frame
from tabwright.browser.page.isolated_world import WORLD
from tabwright.browser.tab import Tab
from tabwright.cdp import CdpSession, Params
from tabwright.errors import NotFound
from tabwright.page_tools.found.facts import (
    Button,
    Chooser,
    Facts,
    Field,
    Group,
    Items,
    Lone,
    Pages,
    Place,
    Table,
)
from tabwright.page_tools.found.frame_query import is_shown, look, send_ahead
from tabwright.page_tools.found.naming import (
    as_name,
    distinct,
    joined,
    name_of_choice,
    name_of_group,
    name_of_items,
    name_of_lone,
    search_term,
)
from tabwright.page_tools.found.parameters import key_of, object_schema, quoted_words, schema_of
from tabwright.page_tools.found.rank import rank
from tabwright.page_tools.found.site_search import search_by_address
from tabwright.page_tools.found.words import first_words, is_search, slug
from tabwright.page_tools.run import tool_runs
from tabwright.page_tools.run.fill_field import Hands
from tabwright.page_tools.run.tool_runs import Parameter
from tabwright.page_tools.tool import Outcome, PageTool, Schema
from tabwright.text import format_count

_MOST_FRAMES = 30
_LONGEST_DESCRIPTION = 200
_FEWEST_ALIKE = 3
_MOST_CONSENT = 4

Run = Callable[[Mapping[str, Any]], Awaitable[Outcome]]


class Introspection:
    """The source of tools that no site declares."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        tab.include(self)

    def attach(self, session: CdpSession) -> None:
        """Have our scripts in the documents of a session, those to come too: who asked once asks again."""
        session.on("Runtime.executionContextCreated", self._entered)
        for frame in self._frames():
            if frame.session is session:
                send_ahead(frame)

    def _entered(self, event: Params) -> None:
        context = event["context"]
        frame = self._tab.frames.get(context.get("auxData", {}).get("frameId", ""))
        if frame is not None and context["name"] == WORLD and frame in self._frames():
            send_ahead(frame)

    def _frames(self) -> Sequence[Frame]:
        return list(islice(self._tab.frames, _MOST_FRAMES))

    async def tools(self) -> Sequence[PageTool]:
        """Look at every frame that is shown, and make tools of what is there."""
        found: list[PageTool] = []
        for frame in self._frames():
            facts = await look(frame)
            made = list(Workshop(frame, facts)) if facts is not None else []
            if made and (frame.parent is None or await is_shown(frame)):
                found += made
        return found


class Workshop:
    """Makes the tools of one frame."""

    def __init__(self, frame: Frame, facts: Facts) -> None:
        self._frame = frame
        self._facts = facts
        self._hands = Hands(frame)

    def __iter__(self) -> Iterator[PageTool]:
        facts = self._facts
        for group in facts.groups:
            if not group.consent:
                yield self._group(group)
        yield from (self._lone(lone) for lone in facts.lone if not lone.consent)
        yield from self._buttons(facts.buttons)
        for items in facts.lists:
            yield from self._items(items)
        yield from map(self._table, facts.tables)
        yield from self._pages(facts.pages)
        yield from map(self._chooser, facts.choosers)
        if self._frame.parent is None and not any(is_search(tool_name(group)) for group in facts.groups):
            yield from self._site_search()

    def _tool(
        self,
        name: str,
        kind: str,
        place: Place,
        *,
        told: tuple[str, str],
        run: Run,
        schema: Schema | None = None,
        element: int = 0,
        read_only: bool = False,
    ) -> PageTool:
        return PageTool(
            name=name,
            description=described(*told),
            schema=schema or object_schema({}, []),
            source="page",
            frame=self._frame.id,
            run=run,
            rank=rank(kind, place, inner=self._frame.parent is not None),
            element=element,
            read_only=read_only,
        )

    def _group(self, group: Group) -> PageTool:
        name, term = name_of_group(group), search_term(group)
        parameters = parameters_of(group, term)
        searches = term is not None or name.partition("_")[0] == "search"
        kind = "search" if searches else "entry" if name in ("log_in", "sign_up") else "form"

        async def run(arguments: Mapping[str, Any]) -> Outcome:
            return await tool_runs.send(self._hands, group, parameters, arguments, searches=searches)

        told = _DEEDS.get(name, _DEEDS[kind]), words_of(group)
        schema = schema_for(parameters)
        return self._tool(name, kind, group, told=told, schema=schema, run=run, element=group.ref)

    def _lone(self, lone: Lone) -> PageTool:
        field = lone.field
        searches = name_of_lone(lone).startswith("search")
        key = "query" if searches else key_of(field)
        parameter = Parameter(key, field)
        schema = object_schema({key: schema_of(field)}, [key])

        async def run(arguments: Mapping[str, Any]) -> Outcome:
            return await tool_runs.set_lone(self._hands, parameter, arguments, searches=searches)

        told = "Search." if searches else "Set a control of the page.", field.label or field.near
        kind = "search" if searches else "lone"
        name = name_of_lone(lone)
        return self._tool(name, kind, lone, told=told, schema=schema, run=run, element=field.ref)

    def _buttons(self, buttons: Sequence[Button]) -> Iterator[PageTool]:
        """Buttons of their own; those of one name that there are many of become one tool."""
        consent = [button for button in buttons if button.consent]
        own = [button for button in buttons if not button.consent] + consent[:_MOST_CONSENT]
        often = Counter(slug(button.label) for button in own)
        told: set[str] = set()
        for button in own:
            name = slug(button.label)
            if often[name] < _FEWEST_ALIKE:
                yield self._button(button)
            elif name not in told:
                told.add(name)
                alike = [other for other in own if slug(other.label) == name]
                yield self._one_of(as_name(first_words(button.label)), button, button.label, alike)

    def _button(self, button: Button) -> PageTool:
        deed = "Press a button." if button.pressed is None else "Press a button that is on or off."
        run = partial(_ignoring, partial(tool_runs.press, self._hands, button.ref, button.label))
        name = as_name(first_words(button.label))
        told = deed, button.label
        return self._tool(name, "button", button, told=told, run=run, element=button.ref)

    def _one_of(self, name: str, place: Place, label: str, alike: Sequence[Button]) -> PageTool:
        refs = [button.ref for button in alike]
        return self._indexed(name, "act", place, words=("Press this button of", label), refs=refs)

    def _indexed(
        self, name: str, kind: str, place: Place, *, words: tuple[str, str], refs: Sequence[int]
    ) -> PageTool:
        deed, label = words

        async def run(arguments: Mapping[str, Any]) -> Outcome:
            return await tool_runs.press_one(self._hands, refs, int(arguments["index"]), label)

        told = f"{deed} one of {len(refs)} items; 1 is the first.", label
        schema = object_schema(_index(len(refs)), ["index"])
        return self._tool(name, kind, place, told=told, schema=schema, run=run)

    def _items(self, items: Items) -> Iterator[PageTool]:
        if items.opens is not None:
            name = name_of_items(items, "open")
            yield self._indexed(name, "open", items, words=("Open", items.title), refs=items.opens)
        if items.boxes is not None:
            yield self._selecting(items, items.boxes)
        formed = {slug(group.submit.label) for group in items.groups or () if group and group.submit}
        for act in items.acts:
            if slug(act.label) not in formed:
                name = as_name(first_words(act.label))
                yield self._indexed(name, "act", items, words=("Press this of", act.label), refs=act.refs)
        if items.groups is not None:
            yield self._grouped(items, items.groups)

    def _selecting(self, items: Items, boxes: Sequence[int]) -> PageTool:
        async def run(arguments: Mapping[str, Any]) -> Outcome:
            return await tool_runs.select_one(self._hands, boxes, int(arguments["index"]))

        schema = object_schema(_index(len(boxes)), ["index"])
        told = f"Select one of {items.count} items; 1 is the first.", items.title
        return self._tool("select_item", "select", items, told=told, schema=schema, run=run)

    def _grouped(self, items: Items, groups: Sequence[Group | None]) -> PageTool:
        """The little forms of the items of a list, as one tool."""
        first = next(group for group in groups if group is not None)
        parameters = parameters_of(first, None, taken=("index",))

        async def run(arguments: Mapping[str, Any]) -> Outcome:
            group = groups[int(arguments["index"]) - 1] or first
            own = [replace(one, field=field) for one, field in zip(parameters, group.fields, strict=False)]
            return await tool_runs.send(self._hands, group, own, arguments)

        schema = schema_for(parameters, _index(len(groups)))
        told = f"Fill in and send the form of one of {items.count} items; 1 is the first.", words_of(first)
        return self._tool(name_of_group(first), "act", items, told=told, schema=schema, run=run)

    def _table(self, table: Table) -> PageTool:
        run = partial(_ignoring, partial(tool_runs.read_table, self._hands, table.ref))
        name = joined("read", slug(first_words(table.title)) or "table")
        told = f"Read a table of {format_count(table.rows, 'row')}.", table.title
        return self._tool(name, "table", table, told=told, run=run, element=table.ref, read_only=True)

    def _pages(self, pages: Pages) -> Iterator[PageTool]:
        ways = (
            ("next_page", pages.next, "Go to the next page."),
            ("previous_page", pages.previous, "Go back."),
        )
        for name, number, deed in ways:
            if number:
                run = partial(
                    _ignoring, partial(tool_runs.press, self._hands, number, name.replace("_", " "))
                )
                yield self._tool(name, "pages", pages, told=(deed, ""), run=run)
        if len(pages.pages) >= 2:
            yield self._numbered(pages)

    def _numbered(self, pages: Pages) -> PageTool:
        refs = dict(reversed(pages.pages))
        kinds: Schema = {"type": "integer", "minimum": 1}

        async def run(arguments: Mapping[str, Any]) -> Outcome:
            page = int(arguments["page"])
            if page not in refs:
                known = ", ".join(map(str, sorted(refs)))
                raise NotFound(f"Page {page} cannot be gone to from here.", hint=f"Can be: {known}.")
            return await tool_runs.press(self._hands, refs[page], f"page {page}")

        told = "Go to a page by its number.", ""
        schema = object_schema({"page": kinds}, ["page"])
        return self._tool("go_to_page", "pages", pages, told=told, schema=schema, run=run)

    def _chooser(self, chooser: Chooser) -> PageTool:
        key = "tab" if chooser.kind == "tabs" else "item"
        labels = list(dict.fromkeys(item.label for item in chooser.items if item.label))
        chosen: Schema = {"type": "string", "enum": labels}
        now = [item.label for item in chooser.items if item.on]
        if now and chooser.kind == "tabs":
            chosen["default"] = now[0]

        async def run(arguments: Mapping[str, Any]) -> Outcome:
            return await tool_runs.choose(self._hands, chooser, str(arguments[key]))

        deed = _CHOOSING[chooser.kind]
        told, schema = (deed, chooser.title), object_schema({key: chosen}, [key])
        name, kind = name_of_choice(chooser), chooser.kind
        return self._tool(name, kind, chooser, told=told, schema=schema, run=run, element=chooser.ref)

    def _site_search(self) -> Iterator[PageTool]:
        facts = self._facts
        if facts.search_template or facts.open_search:
            schema = object_schema({"query": {"type": "string", "minLength": 1}}, ["query"])
            run = partial(search_by_address, self._frame, facts.search_template, facts.open_search)
            told = "Search this site, as the site says it is done.", ""
            yield self._tool("search", "search", Place(view=False), told=told, schema=schema, run=run)


async def _ignoring(run: Callable[[], Awaitable[Outcome]], arguments: Mapping[str, Any]) -> Outcome:
    """Run what takes no arguments."""
    del arguments
    return await run()


_CHOOSING = {
    "tabs": "Show a tab.",
    "menu": "Choose of a menu.",
    "tree": "Open a part of a tree.",
    "buttons": "Press one of many buttons.",
}
_DEEDS = {
    "log_in": "Fill in and send the log-in form.",
    "sign_up": "Fill in and send the sign-up form.",
    "search": "Search.",
    "entry": "Fill in and send the form.",
    "form": "Fill in and send the form.",
}


def tool_name(group: Group) -> str:
    """Return the name of a group's tool as words."""
    return name_of_group(group).replace("_", " ")


def _index(count: int) -> dict[str, Schema]:
    return {"index": {"type": "integer", "minimum": 1, "maximum": count}}


def described(deed: str, words: str) -> str:
    """Say what a tool does, and in the page's own words, marked as such, what the page calls it."""
    quoted = quoted_words(words, _LONGEST_DESCRIPTION - len(deed) - 22)
    return f"{deed} From the page: {quoted}" if quoted else deed


def words_of(group: Group) -> str:
    """Return what the page calls a group."""
    title = next((group.titles[place] for place in group.titles if group.titles[place]), "")
    caption = group.submit.label if group.submit else ""
    return "; ".join(part for part in dict.fromkeys((title, caption)) if part)


def parameters_of(group: Group, term: Field | None, taken: Sequence[str] = ()) -> list[Parameter]:
    """Return the fields of a group under their keys."""
    keys = distinct(("query" if field is term else key_of(field) for field in group.fields), taken)
    return [Parameter(key, field) for key, field in zip(keys, group.fields, strict=True)]


def schema_for(parameters: Sequence[Parameter], first: Mapping[str, Schema] | None = None) -> Schema:
    """Return the schema of the arguments that give fields their values."""
    needed = [*(first or {}), *(one.key for one in parameters if one.field.required)]
    return object_schema({**(first or {}), **{one.key: schema_of(one.field) for one in parameters}}, needed)
