"""Recording what is done as a recipe: elements by what tells them apart, what is typed as parameters."""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tabwright.browser.page.frame import DocumentGone
from tabwright.browser.page.isolated_world import script
from tabwright.browser.tab import Tab
from tabwright.cdp import CdpError, Params
from tabwright.errors import InvalidArgs, TabwrightError
from tabwright.page_tools.found.words import LONGEST_KEY, slug
from tabwright.page_tools.recipes.model import PLACE, Key, Parameter, Recipe, Recorded, Step
from tabwright.page_tools.recipes.replay import named
from tabwright.private_files import write_private

_LONGEST_NAME = 100
_MOST_STEPS = 200
# What each action that can be recorded is called in a recipe, and which of its arguments is a value.
_ACTS = {
    "navigate": ("navigate", ""),
    "click": ("click", ""),
    "hover": ("hover", ""),
    "fill": ("fill", "value"),
    "type_text": ("type", "text"),
    "select_option": ("select", "options"),
    "press": ("press", ""),
    "check": ("check", ""),
    "uncheck": ("uncheck", ""),
}
_COUNTED = ":nth-of-type("
Keep = Callable[[], None]


def _nothing() -> None:
    pass


class Recorder:
    """One recording: the runner tells it of every act in a tab, before it is done and when it was."""

    def __init__(self, name: str, site: str, describe: str = "") -> None:
        self.name = name
        self.site = site
        self._describe = describe
        self._steps: list[Step] = []
        self._parameters: dict[Key, Parameter] = {}
        self.left_out: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._steps)

    async def look(self, tab: Tab, action: str, args: Mapping[str, Any]) -> Keep:
        """Note what an act is going to be done to; return what keeps it once it is done."""
        if action not in _ACTS:
            return lambda: self.left_out.update([action])
        start, facts = tab.url, None
        if args.get("target"):
            facts = await _facts(tab, args["target"], args.get("timeout", 5.0))
            if facts is None:
                return lambda: self.left_out.update([action])
        return lambda: self._keep(start, action, args, facts)

    def _keep(self, start: str, action: str, args: Mapping[str, Any], facts: Params | None) -> None:
        act, valued = _ACTS[action]
        if act == "type" and facts is None:  # into whatever has the focus
            self.left_out.update([action])
            return
        if not self._steps and act != "navigate" and start.startswith("http"):
            self._steps.append(Step(do="navigate", url=_plain(start)))
        given: Params = {"do": act, "target": facts["locators"] if facts else ()}
        if act == "navigate":
            given["url"] = _plain(args["url"])
        if valued:
            given["value"] = self._values(args[valued], facts or {})
        if args.get("clear") is False:
            given["do"] = "type"
        given |= {name: args[name] for name in ("key", "button", "count") if name in args}
        if len(self._steps) < _MOST_STEPS:
            self._steps.append(Step(**given))

    def _values(self, typed: Any, facts: Params) -> tuple[str, ...]:
        """Return what is typed as names of parameters; several options of a list stay what they are."""
        if not isinstance(typed, str) and len(typed) > 1:
            return tuple(typed)
        text = typed if isinstance(typed, str) else typed[0]
        if any(secret for secret, _ in PLACE.findall(text)):
            return (text,)
        secret = bool(facts.get("secret"))
        key = self._key(facts, text)
        kept = Parameter(
            describe=str(facts.get("label", ""))[:200], default=None if secret else text, secret=secret
        )
        self._parameters.setdefault(key, kept)
        return (f"{{{{{key}}}}}",)

    def _key(self, facts: Params, text: str) -> str:
        """Name a parameter after its field; the same field twice with the same text is one."""
        called = (facts.get("label"), facts.get("placeholder"), facts.get("field"), facts.get("name"))
        wished = next(filter(None, (slug(str(one or ""), LONGEST_KEY) for one in called)), "value")
        wished = wished if wished[0].isalpha() else f"value_{wished}"[:LONGEST_KEY]
        key, number = wished, 1
        while key in self._parameters and self._parameters[key].default != text:
            number += 1
            key = f"{wished[: LONGEST_KEY - 3]}_{number}"
        return key

    def save(self, folder: Path) -> Path:
        """Write the recipe, and return where.

        Raises:
            InvalidArgs: nothing was recorded.
        """
        if not self._steps:
            raise InvalidArgs(
                "Nothing was recorded.", hint="Act on the site (navigate, click, fill …), then stop."
            )
        recorded = Recorded(
            name=self.name, describe=self._describe, parameters=self._parameters, step=tuple(self._steps)
        )
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / f"{self.name}.toml"
        write_private(path, written(Recipe(site=self.site, sequence=(recorded,))).encode())
        return path


def written(recipe: Recipe) -> str:
    """Return a recipe as its file."""
    import tomlkit  # noqa: PLC0415 - slow, and most hubs never write one

    return tomlkit.dumps(_bare(recipe.model_dump(exclude_defaults=True)))


def _bare(value: Any) -> Any:
    """Return it as TOML has it: a list of one text as the text, nothing that is not there."""
    if isinstance(value, dict):
        return {key: _bare(one) for key, one in value.items() if one is not None}
    if isinstance(value, tuple):
        return value[0] if len(value) == 1 and isinstance(value[0], str) else [_bare(one) for one in value]
    return value


def _plain(url: str) -> str:
    """Return an address without a user's name and password in it."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


async def _facts(tab: Tab, target: str, timeout: float) -> Params | None:
    """Return what tells the element of a target apart, with the locators that find it and nothing else."""
    try:
        frame, number = tab.refs.frame_of(await tab.element(target).ref(timeout=timeout))
        source = script("recording.js", "tabwright.page_tools")
        frame.session.post("Runtime.evaluate", expression=source, contextId=await frame.world())
        facts: Params | None = await tab.refs.call_here(frame, "describeForRecording", number)
        if facts is None:
            return None
        tab.refs.give(frame, facts["number"])
        locators = [one for one in _locators(facts) if await _finds(tab, one, facts["number"])]
        if len(locators) > 1 and _COUNTED in locators[-1]:
            locators.pop()  # on another day, another element may stand in that place
    except (CdpError, DocumentGone, TabwrightError):
        return None  # the act itself says what is wrong
    return {**facts, "locators": tuple(locators)} if locators else None


def _locators(facts: Params) -> list[str]:
    """Return the ways to find an element again, the one that lasts longest first."""
    said = {
        name: str(facts[name]) for name in ("name", "label", "placeholder") if _is_locator(str(facts[name]))
    }
    return [
        *([f'role={facts["role"]}[name="{said["name"]}"]'] if facts["role"] and "name" in said else []),
        *([f'label="{said["label"]}"'] if "label" in said else []),
        *([f'placeholder="{said["placeholder"]}"'] if "placeholder" in said else []),
        *([f"testid={facts['testid']}"] if facts["testid"] else []),
        f"css={facts['css']}",
    ]


def _is_locator(words: str) -> bool:
    return 0 < len(words) <= _LONGEST_NAME and " >> " not in words and words.isprintable()


async def _finds(tab: Tab, locator: str, number: int) -> bool:
    try:
        return await named(tab, locator).ref(timeout=0) == f"@e{number}"
    except TabwrightError:
        return False
