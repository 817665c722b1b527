"""Records actions as a recipe: elements by stable locators, typed text as parameters."""

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
from tabwright.page_tools.found.words import MAX_KEY_LENGTH, slug
from tabwright.page_tools.recipes.model import PLACEHOLDER, Key, Parameter, Recipe, RecordedSequence, Step
from tabwright.page_tools.recipes.replay import exact_element
from tabwright.private_files import write_private

_MAX_NAME_LENGTH = 100
_MAX_STEPS = 200
# The step for each action that can be recorded, and the argument that becomes its value.
_STEPS = {
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
_POSITIONAL = ":nth-of-type("
Commit = Callable[[], None]


class Recorder:
    """One recording: the runner passes it every action in a tab, and commits it once it has succeeded."""

    def __init__(self, name: str, site: str, describe: str = "") -> None:
        self.name = name
        self.site = site
        self._describe = describe
        self._steps: list[Step] = []
        self._parameters: dict[Key, Parameter] = {}
        self.left_out: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._steps)

    async def prepare(self, tab: Tab, action: str, args: Mapping[str, Any]) -> Commit:
        """Describe the element of an action before it runs; return what records it once it has succeeded."""
        if action not in _STEPS:
            return lambda: self.left_out.update([action])
        start, facts = tab.url, None
        if args.get("target"):
            facts = await _describe_element(tab, args["target"], args.get("timeout", 5.0))
            if facts is None:
                return lambda: self.left_out.update([action])
        return lambda: self._add(start, action, args, facts)

    def _add(self, start: str, action: str, args: Mapping[str, Any], facts: Params | None) -> None:
        kind, value_argument = _STEPS[action]
        if kind == "type" and facts is None:  # into the focused element, which has no locator
            self.left_out.update([action])
            return
        if not self._steps and kind != "navigate" and start.startswith("http"):
            self._steps.append(Step(do="navigate", url=_without_credentials(start)))
        step: Params = {"do": kind, "target": facts["locators"] if facts else ()}
        if kind == "navigate":
            step["url"] = _without_credentials(args["url"])
        if value_argument:
            step["value"] = self._values(args[value_argument], facts or {})
        if args.get("clear") is False:
            step["do"] = "type"
        step |= {name: args[name] for name in ("key", "button", "count") if name in args}
        if len(self._steps) < _MAX_STEPS:
            self._steps.append(Step(**step))

    def _values(self, typed: Any, facts: Params) -> tuple[str, ...]:
        """Return typed text as a placeholder for a new parameter; several options stay unchanged."""
        if not isinstance(typed, str) and len(typed) > 1:
            return tuple(typed)
        text = typed if isinstance(typed, str) else typed[0]
        if any(secret for secret, _ in PLACEHOLDER.findall(text)):
            return (text,)
        secret = bool(facts.get("secret"))
        key = self._key(facts, text)
        parameter = Parameter(
            describe=str(facts.get("label", ""))[:200], default=None if secret else text, secret=secret
        )
        self._parameters.setdefault(key, parameter)
        return (f"{{{{{key}}}}}",)

    def _key(self, facts: Params, text: str) -> str:
        """Name a parameter after its field; the same field with the same text shares one parameter."""
        labels = (facts.get("label"), facts.get("placeholder"), facts.get("field"), facts.get("name"))
        wanted = next(filter(None, (slug(str(label or ""), MAX_KEY_LENGTH) for label in labels)), "value")
        wanted = wanted if wanted[0].isalpha() else f"value_{wanted}"[:MAX_KEY_LENGTH]
        key, number = wanted, 1
        while key in self._parameters and self._parameters[key].default != text:
            number += 1
            key = f"{wanted[: MAX_KEY_LENGTH - 3]}_{number}"
        return key

    def save(self, folder: Path) -> Path:
        """Write the recipe and return its path.

        Raises:
            InvalidArgs: nothing was recorded.
        """
        if not self._steps:
            raise InvalidArgs(
                "Nothing was recorded.", hint="Use the site (navigate, click, fill …), then stop."
            )
        recorded = RecordedSequence(
            name=self.name, describe=self._describe, parameters=self._parameters, step=tuple(self._steps)
        )
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / f"{self.name}.toml"
        write_private(path, to_toml(Recipe(site=self.site, sequence=(recorded,))).encode())
        return path


def to_toml(recipe: Recipe) -> str:
    """Return the content of a recipe's file."""
    import tomlkit  # noqa: PLC0415 - slow, and most hubs never write one

    return tomlkit.dumps(_to_plain(recipe.model_dump(exclude_defaults=True)))


def _to_plain(value: Any) -> Any:
    """Convert for TOML: a list of one text becomes the text, None is left out."""
    if isinstance(value, dict):
        return {key: _to_plain(one) for key, one in value.items() if one is not None}
    if isinstance(value, tuple):
        return (
            value[0] if len(value) == 1 and isinstance(value[0], str) else [_to_plain(one) for one in value]
        )
    return value


def _without_credentials(url: str) -> str:
    """Return a URL without user name and password."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


async def _describe_element(tab: Tab, target: str, timeout: float) -> Params | None:
    """Return facts about a target's element, with locators that match only it; None if there are none."""
    try:
        frame, number = tab.refs.frame_of(await tab.element(target).ref(timeout=timeout))
        source = script("recording.js", "tabwright.page_tools")
        frame.session.post("Runtime.evaluate", expression=source, contextId=await frame.world())
        facts: Params | None = await tab.refs.call_here(frame, "describeForRecording", number)
        if facts is None:
            return None
        tab.refs.give(frame, facts["number"])
        locators = [one for one in _locators(facts) if await _finds(tab, one, facts["number"])]
        if len(locators) > 1 and _POSITIONAL in locators[-1]:
            locators.pop()  # another element may be at that position later
    except (CdpError, DocumentGone, TabwrightError):
        return None  # the action itself reports the error
    return {**facts, "locators": tuple(locators)} if locators else None


def _locators(facts: Params) -> list[str]:
    """Return locators of an element, the most stable first."""
    texts = {
        name: str(facts[name]) for name in ("name", "label", "placeholder") if _is_usable(str(facts[name]))
    }
    return [
        *([f'role={facts["role"]}[name="{texts["name"]}"]'] if facts["role"] and "name" in texts else []),
        *([f'label="{texts["label"]}"'] if "label" in texts else []),
        *([f'placeholder="{texts["placeholder"]}"'] if "placeholder" in texts else []),
        *([f"testid={facts['testid']}"] if facts["testid"] else []),
        f"css={facts['css']}",
    ]


def _is_usable(text: str) -> bool:
    return 0 < len(text) <= _MAX_NAME_LENGTH and " >> " not in text and text.isprintable()


async def _finds(tab: Tab, locator: str, number: int) -> bool:
    try:
        return await exact_element(tab, locator).ref(timeout=0) == f"@e{number}"
    except TabwrightError:
        return False
